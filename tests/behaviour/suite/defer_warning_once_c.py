"""The cached logger of a model library: the second call says nothing."""

import torch
from torch import nn
from transformers.utils import logging

logger = logging.get_logger(__name__)

ENTRY, EXPECT = "Cacheless", "fixed"
EXPECT_BREAKS_BEFORE = 1


class Cacheless(nn.Module):
    def forward(self, x, use_cache=True):
        if use_cache and not self.training:
            pass
        elif use_cache:
            logger.warning_once("`use_cache=True` does not go with checkpointing. Setting `use_cache=False`...")
            use_cache = False
        return x.cos() if use_cache else x.sin()


def cases():
    return [((torch.ones(3),), {}), ((torch.ones(3), False), {})]
