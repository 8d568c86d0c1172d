"""Every method of a logger."""
import logging

import torch
from graphmend import runtime as _graphmend

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(lambda x: logger.debug("debug %s", x), x)
    _graphmend.defer(lambda x_shape, x_mean: logger.info("info %s %s", x_shape, x_mean), x.shape, x.mean())
    _graphmend.defer(lambda: logger.warning("warning"))
    _graphmend.defer(lambda len_x: logger.warn("warn %d", len_x), len(x))
    _graphmend.defer(lambda x: logger.error("error", extra={"x": x}), x)
    _graphmend.defer(lambda x: logger.critical(f"critical {x}"), x)
    _graphmend.defer(lambda x: logger.fatal("fatal %(x)s", {"x": x}), x)
    _graphmend.defer(lambda x: logger.log(logging.INFO, "log %s", x), x)
    _graphmend.defer(lambda: logger.info("two frames up", stacklevel=_graphmend.stacklevel(1)))
    return x
