"""A selected value that came out of a function's result, and what is changed in place later by another way to it."""

import torch
from torch import nn

ENTRY, EXPECT = "build()", "declined"


def twice(x):
    h = x * 2
    return h, h.view(-1)


def kept(x, store):
    h = x * 2
    store.append(h)
    return h, 1


def doubled(h):
    return (h, h)


def items(x, store):
    h, flat = twice(x)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    flat.add_(1)
    return h


def in_store(x, store):
    h, one = kept(x, store)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    store[0].add_(one)
    return h


def same_twice(x, store):
    h = x * 2
    h, other = doubled(h)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    other.add_(1)
    return h


def by_keyword(x, store):
    h = x * 2
    d = dict(value=h)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    d["value"].add_(1)
    return h


def by_get(x, store):
    d = {"value": x * 2}
    h = d.get("value")
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    d["value"].add_(1)
    return h


def in_list(x, store):
    h = x * 2
    store.append(h)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    store[-1].add_(1)
    return h


def either(x, store):
    h = x * 2
    y = None or h
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    y.add_(1)
    return h


def flattened(x, store):
    h = x * 2
    y = torch.flatten(h)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    y.add_(1)
    return h


def last_turn(x, store):
    out = []
    h = x * 2
    for i in range(2):
        y = h.view(-1)
        if y.sum() > 0:
            y = y.clamp(-1, 1)
        out.append(y)
        if i:
            y.add_(1)
    return out


def viewed(x, store):
    h = x * 2
    flat = h.view(-1)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    h.add_(1)
    return h, flat.sum()


def walrus(x, store):
    h = x * 2
    if (flat := h.view(-1)).sum() > 0:
        h = h.clamp(-1, 1)
    h.add_(1)
    return h, flat.sum()


def renamed(x, store):
    y = x * 2
    h = y
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    h.add_(1)
    return h, y.sum()


def in_arm(x, store):
    h = x * 2
    y = x * 3
    if h.sum() > 0:
        y = h
    else:
        h = h.clamp(-1, 1)
    h.add_(1)
    return h, y.sum()


def next_turn(x, store):
    y, seen = x * 1, []
    for _ in range(2):
        seen.append(y.sum())
        y = x * 2
        h = y
        if h.sum() > 0:
            h = h.clamp(-1, 1)
        h.add_(1)
    return seen, h


def row(x, store):
    for y in (x * 2).view(1, 3):
        h = y
        if h.sum() > 0:
            h = h.clamp(-1, 1)
        h.add_(1)
        store.append(y.sum())
    return h


def by_out(x, store):
    h = x * 2
    y = torch.add(x, 1, out=h)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    h.add_(1)
    return h, y.sum()


def told_inplace(x, store):
    h = x * 2
    y = nn.functional.relu(h, True)
    if h.sum() > 1:
        h = h.clamp(-1, 1)
    y.add_(1)
    return h


def augmented(x, store):
    y = x * 2
    h = x
    if x.sum() > 0:
        h = y
    h += 1
    return y


def stored(x, store):
    y = x * 2
    h = x * 3
    if x.sum() > 0:
        h = y
    h[0] = 7
    return y


def read_late(x, store):
    y = x * 2
    h = x * 3
    if x.sum() > 0:
        h = y
    return torch.cat([h, y.add_(1)])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(3))

    def bump(self):
        self.state.add_(1)

    def by_method(self, x):
        h = self.state
        if x.sum() > 0:
            h = h * 2
        self.bump()
        return h + 0

    def by_attribute(self, x):
        h = x * 2
        self.last = h
        if h.sum() > 0:
            h = h.clamp(-1, 1)
        self.last.add_(1)
        return h

    def forward(self, which, x):
        if which == "method":
            return self.by_method(x)
        if which == "attribute":
            return self.by_attribute(x)
        store = []
        return which(x, store), store


def build():
    return Net()


compiled = torch.compile(Net())
compiled_functions = [
    torch.compile(f)
    for f in (
        items,
        in_store,
        same_twice,
        by_keyword,
        by_get,
        in_list,
        either,
        flattened,
        last_turn,
        viewed,
        walrus,
        renamed,
        in_arm,
        next_turn,
        row,
        by_out,
        told_inplace,
        augmented,
        stored,
        read_late,
    )
]


def cases():
    x = torch.tensor([0.5, -1.0, 2.0])
    functions = (
        items,
        in_store,
        same_twice,
        by_keyword,
        by_get,
        in_list,
        either,
        flattened,
        last_turn,
        viewed,
        walrus,
        renamed,
        in_arm,
        next_turn,
        row,
        by_out,
        told_inplace,
        augmented,
        stored,
        read_late,
    )
    return [((f, s * x), {}) for f in (*functions, "method", "attribute") for s in (3, -1)]
