"""After the guard only objects are changed that nobody else has: the flag of a view that indexing has just made, the
function's own **options, an array, the context of an autograd function."""

import numpy as np
import torch
from torch import nn
from graphmend import runtime as _graphmend

ENTRY = "make_net()"
EXPECT = "fixed"


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.shape, ctx.scale = x.shape, scale
        ctx.save_for_backward(x)
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.scale, None


double = Double.apply


def weights(count: int):
    kept = np.zeros((count, 2))
    offsets = np.broadcast_to(np.arange(count)[:, None], (count, 2)).reshape(count, 2)
    np.put_along_axis(kept, offsets * 0, 1, -1)
    return kept


def scaled(x, **options):
    scale = options.pop("scale", 1.0)
    options["left"] = scale
    return x * scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.gradient_checkpointing = False

    def forward(self, x: torch.Tensor):
        _graphmend.raise_if((x > 100).any(),
            lambda x_shape: ValueError("large", x_shape), x.shape, places=True)
        rows = x[:, None]
        if self.training:
            rows.requires_grad = True
        for row, out in zip(x[:1], torch.zeros_like(x)):
            out.add_(row)
        h = self.layer(rows)
        if self.gradient_checkpointing and self.training:
            h = self._gradient_checkpointing_func(self.layer.__call__, h)
        h = scaled(double(h, 2.0), scale=3.0)
        return h.detach() + torch.from_numpy(weights(2)).sum()


def make_net():
    torch.manual_seed(0)
    return Net().eval()


def cases():
    return [((torch.ones(2, 4),), {}), ((torch.full((2, 4), 200.0),), {})]
