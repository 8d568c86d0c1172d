# Arms that change in place what somebody else may know, or at places that may not be there.
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.act = nn.ReLU(inplace=True)
        self.table = nn.Parameter(torch.ones(4))

    def argument(self, x):
        if x.isnan().any():
            x[x.isnan()] = 0
        return x

    def parameter(self, x):
        if x.sum() > 1:
            self.table[0] = 0
        return self.table + x

    def view(self, x):
        h = x * 2
        row = h.view(-1)
        if x.sum() > 1:
            h[0] = 0
        return h, row

    def of_a_view(self, x):
        row = (x * 2).view(-1)
        same = x.contiguous()
        if x.sum() > 1:
            row[0] = 0
        if x.sum() > 2:
            same[0] = 0
        return row, same

    def handed_on(self, x):
        a, b, c = self.drop(x), self.act(x), F.dropout(x, 0.5, False)
        if x.sum() > 1:
            a[0] = 0
        if x.sum() > 2:
            b[0] = 0
        if x.sum() > 3:
            c[0] = 0
        return a, b, c

    def second_name(self, x):
        h = x * 2
        kept = [h]
        other = x * 3
        same = other
        if x.sum() > 1:
            h *= 2
        if x.sum() > 2:
            other.zero_()
        return kept, same

    def closure(self, x):
        h = x * 2

        def read():
            return h

        if x.sum() > 1:
            h[0] = 0
        return read()

    def item_of_a_tuple(self, x):
        pair = (x * 2, x)
        if x.sum() > 1:
            pair[1][0] = 0
        return pair

    def in_a_loop(self, x):
        h = x * 2
        seen = []
        for i in range(2):
            if x.sum() > i:
                h[i] = 0
            seen.append(h)
        return seen

    def places(self, x, at: torch.LongTensor):
        h = x * 2
        if x.sum() > 1:
            h[at] = 0
        if x.sum() > 2:
            h.index_fill_(0, at, 1)
        return h

    def one_arm_only(self, x, at: torch.LongTensor):
        h = x * 2
        if x.sum() > 1:
            h[0] = 0
            y = x[at]
        else:
            y = x * 3
        return h + y

    def metadata(self, x):
        h = x * 2
        if x.sum() > 1:
            h.t_()
        return h

    def forward(self, x, at):
        self.second_name(x), self.closure(x), self.in_a_loop(x), self.places(x, at), self.metadata(x)
        self.one_arm_only(x, at), self.item_of_a_tuple(x), self.handed_on(x), self.of_a_view(x)
        return self.argument(x), self.parameter(x), self.view(x)
