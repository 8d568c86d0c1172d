"""Where: arms that change what was made elsewhere, or in another turn or arm, or hand on what they have made."""

import torch
from torch import nn

ENTRY, EXPECT = "make_net()", "declined"
KEPT = []


class Net(nn.Module):
    def other_turn(self, x):
        for i in range(3):
            if x.sum() > 0:
                if i > 0:
                    parts.append(x)
                parts = [x]
                kept = parts
            else:
                kept = [x]
            x = x + len(kept)
        return x

    def alias(self, x):
        rows = [x]
        if x.sum() > 0:
            parts = rows
            parts.append(x * 2)
            y = x + 1
        else:
            y = x - 1
        return y, len(rows)

    def sometimes(self, x, flag):
        h = x.clone()
        if x.sum() > 0:
            if flag:
                h = x * 2
            h.add_(1)
            y = x + 1
        else:
            y = x - 1
        return y, h * 1

    def item_of_list(self, x):
        h = x.clone()
        if x.sum() > 0:
            parts = [h]
            parts[0] += 1
            y = x + 1
        else:
            y = x - 1
        return y, h * 1

    def a_view(self, x):
        h = x.clone()
        if x.sum() > 0:
            v = h.view(-1)
            v.add_(1)
            y = x + 1
        else:
            y = x - 1
        return y, h * 1

    def handed_on(self, x):
        if x.sum() > 0:
            parts = [x]
            parts.append(x * 2)
        else:
            parts = [x * 3]
        parts.append(x)
        return torch.cat(parts)

    def stored(self, x):
        if x.sum() > 0:
            parts = [x]
            KEPT.append(parts)
            parts.append(x * 2)
            y = x + 1
        else:
            y = x - 1
        return y

    def returned(self, x):
        if x.sum() > 0:
            parts = [x]
            parts.append(x * 2)
            return parts
        return [x, x]

    def given(self, x):
        if x.sum() > 0:
            h = x.clone()
            h.add_(1)
            y = h
        else:
            y = x
        y.mul_(2)
        return y, x * 1

    def empty(self, x):
        if x.sum() > 0:
            parts = []
            parts.pop()
            y = x + 1
        else:
            y = x - 1
        return y

    def shared(self, x):
        if x.sum() > 0:
            parts = [x]
            total = lambda: len(parts)  # noqa: E731
            parts.append(x)
            y = x + total()
        else:
            y = x - 1
        return y

    def forward(self, x, kind: str):
        if kind == "turn":
            return self.other_turn(x)
        if kind == "alias":
            return self.alias(x)
        if kind == "sometimes":
            return self.sometimes(x, x.dim() > 3)
        if kind == "item":
            return self.item_of_list(x)
        if kind == "view":
            return self.a_view(x)
        if kind == "handed":
            return self.handed_on(x)
        if kind == "stored":
            return self.stored(x)
        if kind == "returned":
            return self.returned(x)
        if kind == "given":
            return self.given(x * 1)
        if kind == "empty":
            return self.empty(x)
        return self.shared(x)


def make_net():
    return Net()


compiled = torch.compile(make_net())


def observe():
    return [len(parts) for parts in KEPT]


def cases():
    kinds = "turn alias sometimes item view handed stored returned given empty shared".split()
    return [((torch.tensor([1.0, value]), kind), {}) for kind in kinds for value in (2.0, -5.0)]
