"""Every method of a logger."""
import logging

import torch

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor):
    logger.debug("debug %s", x)
    logger.info("info %s %s", x.shape, x.mean())
    logger.warning("warning")
    logger.warn("warn %d", len(x))
    logger.error("error", extra={"x": x})
    logger.critical(f"critical {x}")
    logger.fatal("fatal %(x)s", {"x": x})
    logger.log(logging.INFO, "log %s", x)
    logger.info("two frames up", stacklevel=1)
    return x
