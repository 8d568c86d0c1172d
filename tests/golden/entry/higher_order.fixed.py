"""Bodies of higher-order operators: Dynamo refuses the write of the record, so that the runtime breaks there as before."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from graphmend import runtime as _graphmend

class Net(nn.Module):
    def block(self, x: torch.Tensor):
        _graphmend.defer(print, "in a checkpoint")
        return x * 2

    def forward(self, x: torch.Tensor):
        return checkpoint(self.block, x, use_reentrant=False)
