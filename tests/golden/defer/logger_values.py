"""Loggers that are attributes, children, imported or made in place, and the functions of the root logger."""
import logging
from logging import getLogger, info

import torch
from torch import nn

log = getLogger("a.b")
child = log.getChild("c")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.logger = logging.getLogger(type(self).__name__)

    def forward(self, x: torch.Tensor):
        self.logger.info("attribute %s", x)
        child.info("child")
        logging.getLogger("here").info("in place")
        logging.warning("root %s", x.shape)
        info("imported")
        return x
