"""What is formatted from tensors, numbers and objects is formatted when it is shown."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, name: str):
        super().__init__()
        self.name = name
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x: torch.Tensor, step: int = 0):
        print(f"plain text")
        print(f"{x.mean():.3f} of {x.shape} at step {step}")
        print(f"{x=} {x.sum().item()=:.2f} {self.scale=}")
        print(f"{self.name!r:>10} {x.dtype} {x.device}")
        print("{} and {}".format(x.min(), step), "%s %d" % (x, step))
        print(f"rows: {[row.sum() for row in x]} {'yes' if step else 'no'}")
        print(str(x), repr(x[0]), sep="\n")
        return x * self.scale
