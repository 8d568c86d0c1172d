import torch
from torch import nn
import logging, warnings
logger = logging.getLogger(__name__)

class M(nn.Module):
    def forward(self, x, flag=None):
        if torch.isnan(x).any():
            raise ValueError('nan', x)
        assert x.sum() > 0, f'bad {x}'
        return x
