"""The selected tensor is changed in place: its other name must see it."""
import torch


@torch.compile
def run(x: torch.Tensor):
    out = x
    if x.max() > 1:
        out = x * 2
    out.add_(1)
    return out, x


def twice(x):
    h = x * 2
    return h, h.view(-1)


@torch.compile
def items(x: torch.Tensor):
    h, flat = twice(x)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    flat.add_(1)
    return h


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(3))

    def bump(self):
        self.state.add_(1)

    def forward(self, x):
        h = self.state
        if x.sum() > 0:
            h = h * 2
        self.bump()
        return h + 0


compiled = torch.compile(Net())
