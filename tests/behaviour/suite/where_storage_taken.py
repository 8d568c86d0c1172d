"""Where: a tensor that an arm, or the code before it, has made gets another's storage: what changes it changes that one too."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


def take(to, of):
    to.set_(of)


def taken(to, of):
    return to.set_(of)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.arange(4.0))

    def arms(self, x, kind: int):
        y = x * 2
        if kind == 0:
            if x.sum() > 0:
                h = x.clone()
                h.set_(x)
                h.add_(1)
                y = h * 1
        elif kind == 1:
            if x.sum() > 0:
                h = x.clone()
                h.set_(source=x)
                h[0] = 9.0
                y = h * 1
        elif kind == 2:
            if x.sum() > 0:
                h = x.clone()
                h.copy_(h.set_(x) + 1)
                y = h * 1
        elif kind == 3:
            if x.sum() > 0:
                h = x.clone()
                h.data = x
                h.add_(1)
                y = h * 1
        elif kind == 4:
            if x.sum() > 0:
                h = x.clone()
                take(h, x)
                h.add_(1)
                y = h * 1
        elif kind == 5:
            if x.sum() > 0:
                h = x.clone()
                k = h
                k.set_(x)
                h += 1
                y = h * 1
        elif kind == 6:
            if x.sum() > 0:
                h = x.clone().set_(x)
                h.add_(1)
                y = h * 1
        elif kind == 7:
            if x.sum() > 0:
                h = taken(x.clone(), x)
                h.add_(1)
                y = h * 1
        elif kind == 8:
            if x.sum() > 0:
                h = torch.empty(0)
                torch.Tensor.set_(h, self.table)
                h.mul_(2)
                y = h * 1
        elif kind == 9:
            if x.sum() > 0:
                h = torch.empty(0)
                getattr(h, "set_")(x)
                h.mul_(2)
                y = h * 1
        elif kind == 10:
            if x.sum() > 0:
                parts = [x.clone()]
                parts[0].set_(x)
                h = parts[0]
                h.mul_(2)
                y = h * 1
        elif kind == 11:
            if x.sum() > 0:
                h = x.clone()
                torch.utils.swap_tensors(h, x)
                h.add_(1)
                y = h * 1
        elif kind == 12:
            if x.sum() > 0:
                h = x.clone()
                h.set_(x.untyped_storage())
                h.add_(1)
                y = h * 1
        return y

    def before(self, x, kind: int):
        h = x * 2
        if kind == 20:
            h.set_(x)
            if x.sum() > 0:
                h.add_(1)
        elif kind == 21:
            take(h, x)
            if x.sum() > 0:
                h[0] = 9.0
        elif kind == 22:
            k = h
            k.set_(x)
            if x.sum() > 0:
                h *= 2
        elif kind == 23:
            h = taken(h, x)
            if x.sum() > 0:
                h *= 2
        elif kind == 24:
            h = h.clone().set_(x)
            if x.sum() > 0:
                h.zero_()
        elif kind == 25:  # the one that is handed on
            k = x * 3
            h.set_(k)
            if x.sum() > 0:
                k.zero_()
        elif kind == 26:
            k = x * 3
            h.set_(k)
            if x.sum() > 0:
                k = torch.clamp(k, 0, 1)
            h.add_(1)
            return k * 1, h * 1
        elif kind == 27:
            k = x * 3
            if x.sum() > 0:
                k = x * 1
            h.set_(k)
            h.add_(1)
            return k * 1
        elif kind == 28:
            k = self.table
            if x.sum() > 0:
                k = x
            take(h, k)
            h.add_(1)
        return h * 1

    def forward(self, x, kind: int):
        y = self.arms(x, kind) if kind < 20 else self.before(x, kind)
        return y, x * 1, self.table * 1


def cases():
    up, down = torch.tensor([1.0, 2.0, 3.0, -1.0]), torch.tensor([-1.0, -2.0, -3.0, 1.0])
    kinds = [*range(13), *range(20, 29)]
    return [((x.clone(), kind), {}) for kind in kinds for x in (up, down)]
