"""A parameter that is made up hides no name that the test goes on reading."""
import logging

import torch

log = logging.getLogger(__name__)
other = logging.getLogger("other")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log = "text"

    def forward(self, x: torch.Tensor):
        if log.isEnabledFor(logging.INFO):
            other.info("%s of %s", self.log, x)
        return x


model = torch.compile(Model())
