"""transformers' loggers: warning_once and warning_advice."""
import torch
from torch import nn
from transformers.utils import logging

logger = logging.get_logger(__name__)


class Net(nn.Module):
    def forward(self, x: torch.Tensor, use_cache: bool = False):
        if self.training and use_cache:
            logger.warning_once(
                "`use_cache=True` is incompatible with gradient checkpointing. Setting `use_cache=False`."
            )
            use_cache = False
        logger.warning_advice(f"cache: {use_cache}")
        return x
