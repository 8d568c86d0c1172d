"""Defer: star arguments and keyword dictionaries in print, logging and warnings."""
import logging
import warnings

import torch

ENTRY = "summary"
EXPECT = "fixed"

logger = logging.getLogger("summary")


def summary(x, *names, **style):
    print(*names)
    print("values", *[x.sum(), x.shape], **style)
    print(*names, x.dim(), sep="-", **{"end": "!\n"})
    logger.warning("%s of %s", *("sum", x.numel()))
    warnings.warn(*("odd input", UserWarning), **{"stacklevel": 1})
    return x.relu()


compiled = torch.compile(summary)


def cases():
    x = torch.tensor([1.0, -2.0])
    return [((x, "a", "b"), {}), ((x,), {"sep": "+"})]
