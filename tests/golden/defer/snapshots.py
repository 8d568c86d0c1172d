"""What is captured: tensors, containers, attributes, and globals that change."""
import torch
from torch import nn

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
        print(x, [x, x + 1], {"x": x}, batch["mask"], self.layer.weight.shape)
        print(f"{step} {self.seen} {batch['mask']}")
        print("lambda", (lambda y: y)(x), [i for i in range(3)])
        print(f"{[i * x for i in range(2)]}")
        x.add_(1)
        return self.layer(x)
