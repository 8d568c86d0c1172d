"""Where: what the text says a layer or a method gives is another thing in this run: replaced, overridden, hooked, patched."""

import types

import torch
from torch import nn

ENTRY, EXPECT = "make()", "declined"


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.inner = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)

    def prepare(self, x):
        return x * 2

    def forward(self, x):
        y = self.inner(x)
        h = self.norm(y)
        if (h > 0.1).any():
            h.clamp_(max=0.1)
        p = self.prepare(y)
        if (p > 0.5).any():
            p[p > 0.5] = 0.5
        q = self.norm(y)
        if torch.isinf(q).any() or (q > 1).any():
            q = torch.clamp(q, max=1.0)
        q.add_(1)
        return h + y + p, q


class Sub(Block):
    pass


def hand_on(self, x):
    return x


class All(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = []
        self.blocks = nn.ModuleList([Block(), Block(), Block(), Sub(), Block()])

    def forward(self, x, kind: int):
        y, q = self.blocks[kind](x)
        return y, q, [h * 1 for h in self.kept]


def make():
    net = All()
    exec("net.blocks[1].norm = nn.Identity()", {"net": net, "nn": nn})
    exec("net.blocks[2].norm.register_forward_hook(lambda m, i, o: kept.append(o))", {"net": net, "kept": net.kept})
    exec("Sub.prepare = hand_on", {"Sub": Sub, "hand_on": hand_on})
    net.blocks[4].__dict__["prepare"] = types.MethodType(hand_on, net.blocks[4])
    return net


compiled = torch.compile(All())


def cases():
    up, down = torch.ones(2, 4), torch.full((2, 4), -9.0)
    return [((x, kind), {}) for kind in range(5) for x in (up, down)]
