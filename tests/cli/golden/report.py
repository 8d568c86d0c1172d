"""What reports look like: wide and combining characters, tabs, a long line, a reason, a nested function."""

import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Net(nn.Module):
    def forward(self, x):
        "漢字é🙂"; print("漢字é🙂", x.sum())  # after
        y = "é", print("used")
        logger.warning(
            "several lines: %s",
            x.shape,
        )
        return x, y


class Tabs(nn.Module):
	def forward(self, x):
		print("tab	inside", x);	print("second on the line")
		z = "a long line, ...................................................................................................................................................................................."; print("far right", x)
		return x, z
