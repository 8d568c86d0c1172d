import torch
from torch import nn
import logging, warnings
logger = logging.getLogger(__name__)

class M(nn.Module):
    def forward(self, x, flag=None):
        if x.max() > 1: return x
        return -x
