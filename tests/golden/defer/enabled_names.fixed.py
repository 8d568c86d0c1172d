"""A parameter that is made up hides no name that the test goes on reading."""
import logging

import torch
from graphmend import runtime as _graphmend

log = logging.getLogger(__name__)
other = logging.getLogger("other")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log = "text"

    def forward(self, x: torch.Tensor):
        _graphmend.defer(lambda log_2, x: log.isEnabledFor(logging.INFO)
            and other.info("%s of %s", log_2, x), self.log, x)
        return x


model = torch.compile(Model())
