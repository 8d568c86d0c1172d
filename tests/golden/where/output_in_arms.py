"""Prints, logs and warnings in the arms: only those of the arm that was meant appear."""
import logging
import warnings

import torch

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor):
    if x.isnan().any():
        print("NaN in", x)
        logger.warning("replacing %s values", x.isnan().sum())
        x = torch.nan_to_num(x)
    else:
        print("clean")
    if x.sum() < 0:
        warnings.warn(f"negative sum {x.sum()}")
    return x
