import torch
from torch import nn
import logging, warnings
logger = logging.getLogger(__name__)

class M(nn.Module):
    def forward(self, x, flag=None):
        for i in range(3):
            with torch.no_grad():
                try:
                    if x.any():
                        if flag: raise E(x) from None
                        print(i)
                except ValueError as e: pass
                finally: x = x
            else: continue
        while x.any(): break
        return x
