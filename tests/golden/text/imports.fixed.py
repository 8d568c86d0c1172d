#!/usr/bin/env python
# Copyright: nobody
"""Where the import of the runtime goes."""

from __future__ import annotations
from graphmend import runtime as _graphmend

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
        _graphmend.defer(print, "x", x)
        return x
