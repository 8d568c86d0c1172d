import torch
from torch import nn
import logging, warnings
logger = logging.getLogger(__name__)

class M(nn.Module):
    def forward(self, x, flag=None):
        print('x', x, sep='', end='')
        logger.warning('%s', x)
        warnings.warn('late', stacklevel=2); logger.info(f'{x=!r:>{3}}')
        return x
