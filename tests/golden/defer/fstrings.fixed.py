"""What is formatted from tensors, numbers and objects is formatted when it is shown."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

class Net(nn.Module):
    def __init__(self, name: str):
        super().__init__()
        self.name = name
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x: torch.Tensor, step: int = 0):
        _graphmend.defer(print, f"plain text")
        _graphmend.defer(lambda x_mean, x_shape, step: print(f"{x_mean:.3f} of {x_shape} at step {step}"), x.mean(), x.shape, step)
        _graphmend.defer(lambda x, scale: print(f"{x=} {x.sum().item()=:.2f} self.scale={scale!r}"), x, self.scale)
        _graphmend.defer(print, f"{self.name!r:>10} {x.dtype} {x.device}")
        _graphmend.defer(lambda x_min, step, x: print("{} and {}".format(x_min, step), "%s %d" % (x, step)), x.min(), step, x)
        _graphmend.defer(lambda x, value: print(f"rows: {[row.sum() for row in x]} {value}"), x, 'yes' if step else 'no')
        _graphmend.defer(lambda x, x_2: print(str(x), repr(x_2), sep="\n"), x, x[0])
        return x * self.scale
