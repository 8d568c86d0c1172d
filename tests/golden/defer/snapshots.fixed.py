"""What is captured: tensors, containers, attributes, and globals that change."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

step = 0


def bump():
    global step
    step += 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []
        self.layer = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor, batch: dict):
        _graphmend.defer(print, x, [x, x + 1], {"x": x}, batch["mask"], self.layer.weight.shape)
        _graphmend.defer(lambda step, seen, batch: print(f"{step} {seen} {batch}"), step, self.seen, batch['mask'])
        _graphmend.defer(print, "lambda", (lambda y: y)(x), [i for i in range(3)])
        _graphmend.defer(lambda x, value: print(f"{[i * x for i in value]}"), x, range(2))
        x.add_(1)
        return self.layer(x)
