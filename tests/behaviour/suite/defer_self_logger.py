"""Defer: the logger is an attribute that __init__ sets, one inherited, one handed to a submodule
(which no binding proves to be a logger: that one is left)."""
import logging

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"

logging.getLogger("layers").setLevel(logging.DEBUG)


class Layer(nn.Module):
    def __init__(self, log):
        super().__init__()
        self.log = log
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, x):
        self.log.debug("layer sees %s", tuple(x.shape))
        return x * self.scale


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.logger = logging.getLogger(f"layers.{type(self).__name__}")
        self.logger.setLevel(logging.INFO)


class Model(Base):
    def __init__(self):
        super().__init__()
        self.layer = Layer(self.logger.getChild("inner"))

    def forward(self, x):
        self.logger.info("start")
        self.logger.debug("not heard")
        y = self.layer(x)
        self.logger.warning("mean %.3f", y.detach().mean())
        return y.tanh()


def make():
    return Model()


def cases():
    return [((torch.tensor([1.0, 2.0]),), {}), ((torch.tensor([[3.0]]),), {})]
