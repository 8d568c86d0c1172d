#!/usr/bin/env python
# Copyright: nobody
"""Where the import of the runtime goes."""

from __future__ import annotations

__version__ = "1"

import os
try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        print("x", x)
        return x
