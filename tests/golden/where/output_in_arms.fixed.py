"""Prints, logs and warnings in the arms: only those of the arm that was meant appear."""
import logging
import warnings

import torch
from graphmend import runtime as _graphmend

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor):
    def _if_true(x):
        _graphmend.defer(print, "NaN in", x)
        _graphmend.defer(lambda x_isnan_sum: logger.warning("replacing %s values", x_isnan_sum), x.isnan().sum())
        x = torch.nan_to_num(x)
        return x
    def _if_false(x):
        _graphmend.defer(print, "clean")
        return x
    x = _graphmend.select(x.isnan().any(), _if_true, _if_false, x)
    def _if_true_2():
        _graphmend.defer_warning(lambda x_sum: warnings.warn(f"negative sum {x_sum}"), x.sum())
    _graphmend.select(x.sum() < 0, _if_true_2, lambda: None)
    return x
