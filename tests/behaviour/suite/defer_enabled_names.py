"""Defer: a value is called as the logger that the branch asks: its lambda's parameter hides no name that is read."""
import logging

import torch

ENTRY = "Model"
EXPECT = "fixed"

log = logging.getLogger("step.names")
log.setLevel(logging.INFO)
other = logging.getLogger("step.other")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log = "text"

    def forward(self, x):
        if log.isEnabledFor(logging.INFO):
            other.warning("%s of %s", self.log, x)
        if log.isEnabledFor(logging.INFO):
            other.warning("%s", self.log)
            other.warning("%s again", self.log)
        return x + 1


def cases():
    return [((torch.tensor([1.0, 2.0]),), {})]
