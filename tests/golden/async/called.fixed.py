# graphmend-test: fix --trap=assert-async
"""torch.compile as a call."""
import torch
from torch import nn
from graphmend import runtime as _graphmend
_graphmend.register("called:9", lambda: ValueError("NaN"))


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        _graphmend.assert_async(_graphmend.negate(torch.isnan(x).any()), "called:9",
            lambda: ValueError("NaN"))
        y = x * 2
        return y


def main():
    net = _graphmend.translate(torch.compile(Net(), mode="reduce-overhead"))
    return net(torch.ones(2))
