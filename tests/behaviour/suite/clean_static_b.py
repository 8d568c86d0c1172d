"""Every branch here is decided at trace time: nothing is to be changed."""

import torch

ENTRY = "make()"
EXPECT = "clean"


class Any:
    def any(self):
        return True


class Static(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.any, self.mask, self.limit = Any(), None, 4

    def forward(self, x, hidden_states=3, attention_mask=None):
        if x.shape[0] > self.limit or x.dim() != 2:
            raise ValueError(f"bad shape {tuple(x.shape)}")
        if attention_mask is not None and isinstance(attention_mask, torch.Tensor):
            x = x * attention_mask
        if self.any.any() and hidden_states > 2 and not self.training:
            x = x + 1
        if x.dtype == torch.float16 or torch.finfo(x.dtype).max > 9:
            x = x * 2
        assert (x == x).all(), "not a number"
        if not torch.compiler.is_compiling():
            print("eager", x.sum())
        return x


def unused(x):
    print("nobody compiles me")
    if x.sum() > 0:
        raise RuntimeError("never")
    return x


def make():
    return Static()


def cases():
    return [((torch.ones(2, 3),), {}), ((torch.ones(2, 3), 1, torch.zeros(2, 3)), {})]
