import torch
from torch import nn
import logging, warnings
logger = logging.getLogger(__name__)

class M(nn.Module):
    def forward(self, x, flag=None):
        if x.sum() > 0:
            y = x + 1
        elif x.min() < 0 and flag is not None:
            y = x * 2
        else:
            y = x
        return y if y.any() else x
