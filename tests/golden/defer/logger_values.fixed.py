"""Loggers that are attributes, children, imported or made in place, and the functions of the root logger."""
import logging
from logging import getLogger, info

import torch
from torch import nn
from graphmend import runtime as _graphmend

log = getLogger("a.b")
child = log.getChild("c")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.logger = logging.getLogger(type(self).__name__)

    def forward(self, x: torch.Tensor):
        _graphmend.defer(lambda logger, x: logger.info("attribute %s", x), self.logger, x)
        _graphmend.defer(lambda: child.info("child"))
        _graphmend.defer(lambda logging_getLogger: logging_getLogger.info("in place"), logging.getLogger("here"))
        _graphmend.defer(lambda x_shape: logging.warning("root %s", x_shape), x.shape)
        _graphmend.defer(lambda: info("imported"))
        return x
