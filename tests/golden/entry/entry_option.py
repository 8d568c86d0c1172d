# graphmend-test: fix --entry=entry_option:Net.generate
# graphmend-test: check --entry=entry_option:Net.generate
"""--entry names what is compiled; then forward is none."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        print("forward")
        return x

    def generate(self, x: torch.Tensor):
        print("generate")
        return x
