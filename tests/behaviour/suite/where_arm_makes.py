"""Where: arms that change what they have made themselves: lists, dicts, new tensors."""

import torch
from torch import nn

ENTRY, EXPECT = "make_net()", "fixed"


class Net(nn.Module):
    def by_list(self, x):
        if x.sum() > 0:
            parts = []
            for i in range(3):
                parts.append(x * i)
            parts += [x]
            y = torch.cat(parts)
        else:
            y = x.repeat(4)
        return y

    def by_dict(self, x):
        if x.sum() > 0:
            rows = {}
            rows["a"] = x * 2
            rows.update(b=x + 1)
            y = rows["a"] + rows["b"]
        else:
            y = x - 1
        return y

    def by_item(self, x):
        if x.sum() > 0:
            h = x.clone()
            h[0] = 7
            h[1:] += 1
            y = h * 2
        else:
            y = x * 3
        return y

    def in_place(self, x):
        if x.sum() < 0:
            return x - 3
        h = x * 2
        h.mul_(3).sub_(1)
        h += 1
        return h

    def in_loop(self, x):
        for i in range(3):
            if x.sum() > i:
                parts = [x]
                parts.append(x + i)
                x = torch.stack(parts).sum(0)
            else:
                x = x + 1
        return x

    def nested(self, x):
        if x.sum() > 0:
            parts = list()
            if x.max() > 3:
                more = [x]
                more.append(x * 2)
                y = torch.stack(more).mean(0)
            else:
                y = x - 2
            parts.append(y)
            z = torch.cat(parts)
        else:
            z = x * 4
        return z

    def forward(self, x, kind: str):
        if kind == "list":
            return self.by_list(x)
        if kind == "dict":
            return self.by_dict(x)
        if kind == "item":
            return self.by_item(x)
        if kind == "in_place":
            return self.in_place(x)
        if kind == "loop":
            return self.in_loop(x)
        return self.nested(x)


def make_net():
    return Net()


compiled = torch.compile(make_net())


def cases():
    kinds = ("list", "dict", "item", "in_place", "loop", "nested")
    values = ([1.0, 5.0], [1.0, 0.5], [-1.0, -2.0])
    return [((torch.tensor(value), kind), {}) for kind in kinds for value in values]
