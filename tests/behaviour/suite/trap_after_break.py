"""Trap: a guard in a resumed frame, after a list with tensors in it was changed there."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


class Net(nn.Module):
    def forward(self, x):
        held = [x.sum()]
        torch._dynamo.graph_break()
        held.append(1)
        if x.isnan().any():
            raise ValueError("nan")
        table = {"a": held[0]}
        torch._dynamo.graph_break()
        table["b"] = held
        assert x.max() < 6, f"large: {x}"
        return x + held[0] + len(table)


def cases():
    nan = torch.full((3,), float("nan"))
    return [((torch.ones(3),), {}), ((nan,), {}), ((torch.tensor([-5.0, 7.0, 2.0]),), {})]
