"""Where: what is selected is used as the very object: an attribute that is returned, `is`, in a helper too."""
import torch
from torch import nn

ENTRY = "make_net"
EXPECT = "declined"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(2))

    def same(self, a, b):
        return a + 100 if a is b else a

    def forward(self, x, kind):
        y = self.seen if kind == "attribute" else x
        if x.sum() > 3:
            y = x * 2
        if kind == "attribute":
            return y, y is self.seen
        return self.same(y, x)


def make_net():
    return Net()


compiled = torch.compile(make_net())


def cases():
    return [((torch.tensor([1.0, n]), kind), {}) for n in (1.0, 9.0) for kind in ("attribute", "identity")]
