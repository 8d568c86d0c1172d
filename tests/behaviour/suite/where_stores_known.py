"""Where: an arm changes in place a tensor that somebody else knows: the caller, another name, a list, a module, a view."""

import numpy
import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5).eval()
        self.register_buffer("table", torch.arange(4.0))
        self.last = None

    def forward(self, x, kind: int):
        h = x * 2
        test = x.sum() > 0
        if kind == 0:  # the caller's
            mask = x > 1
            if mask.any():
                x[mask] = 0.0
            return x * 3
        if kind == 1:  # through a view
            view = h[1:]
            if test:
                h[view.sum().gt(0).expand(4)] = 0.0
            return view, h
        if kind == 2:  # under another name
            other = h
            if test:
                h[0] = 9.0
            return other * 1, h * 1
        if kind == 3:
            kept = [h]
            if test:
                h.zero_()
            return kept[0] + 1
        if kind == 4:
            self.last = h
            if test:
                h *= 2
            return self.last - h
        if kind == 5:
            if test:
                self.table[0] = 5.0
            return self.table + x
        if kind == 6:  # it hands on what it is given
            same = self.drop(h)
            if test:
                same[0] = 7.0
            return h + same
        if kind == 7:  # one memory for all elements: the store fails where it is made
            wide = torch.zeros(1).expand(4)
            if test:
                wide[0] = 1.0
            return wide + x
        if kind == 8:
            pair = (h, x * 3)
            if test:
                pair[0][0] = 1.0
            return pair[0], h
        if kind == 9:  # no tensor
            table = numpy.arange(4) + 1
            if test:
                table[table > 2] = 0
            return torch.as_tensor(table) + x

        def read():
            return h * 1

        if test:
            h[1] = 4.0
        return read()


def cases():
    up, down = torch.tensor([1.0, 2.0, 3.0, -1.0]), torch.tensor([-1.0, -2.0, -3.0, 1.0])
    return [((x.clone(), kind), {}) for kind in range(11) for x in (up, down)]
