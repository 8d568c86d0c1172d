"""Where: both arms keep state and end in the same call: a table that is computed once, one that follows the device."""

import functools

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


def short_table(width, device, scale=1.0):
    return 1.0 / (scale * torch.arange(1, width + 1, device=device)), scale


def long_table(width, device, scale=1.0):
    if scale <= 0:
        raise ValueError("scale must be positive")
    return 2.0 / torch.arange(1, width + 1, device=device), 2 * scale


TABLES = {"short": short_table, "long": long_table}


def updates_table(forward):
    def choose(self, positions, device):
        longest = torch.max(positions) + 1
        limit = self.limit
        if longest > limit:
            if not hasattr(self, "long_table"):
                self.long_table, _ = self.init_table(self.width, device, scale=limit + 1)
            self.register_buffer("table", self.long_table, persistent=False)
        else:
            # the buffer moves with the module, the copy does not
            self.first_table = self.first_table.to(device)
            self.register_buffer("table", self.first_table, persistent=False)

    @functools.wraps(forward)
    def wrapper(self, x, positions):
        choose(self, positions, device=x.device)
        return forward(self, x, positions)

    return wrapper


class Angles(nn.Module):
    def __init__(self, kind="long", width=3, limit=16):
        super().__init__()
        self.width, self.limit = width, limit
        self.init_table = TABLES[kind]
        table, self.scale = short_table(width, None)
        self.register_buffer("table", table, persistent=False)
        self.first_table = table.clone()  # were it the buffer itself, its first replacement would recompile once

    @updates_table
    def forward(self, x, positions):
        return x + (positions[:, None] * self.table).sin()


def make():
    return Angles()


def cases():
    return [((torch.zeros(n, 3), torch.arange(n)), {}) for n in (8, 32, 16)]
