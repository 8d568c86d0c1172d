import torch
from torch import nn
import logging, warnings
logger = logging.getLogger(__name__)

class M(nn.Module):
    def forward(self, x, flag=None):
        print(x)  # graphmend: ignore[GM301] known
        # graphmend: ignore[GM101]
        if x.any():
            x = x + 1
        return x
