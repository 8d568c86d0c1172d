"""transformers' loggers: warning_once and warning_advice."""
import torch
from torch import nn
from transformers.utils import logging
from graphmend import runtime as _graphmend

logger = logging.get_logger(__name__)


class Net(nn.Module):
    def forward(self, x: torch.Tensor, use_cache: bool = False):
        if self.training and use_cache:
            _graphmend.defer(lambda: logger.warning_once(
                "`use_cache=True` is incompatible with gradient checkpointing. Setting `use_cache=False`."
            ))
            use_cache = False
        _graphmend.defer(lambda use_cache: logger.warning_advice(f"cache: {use_cache}"), use_cache)
        return x
