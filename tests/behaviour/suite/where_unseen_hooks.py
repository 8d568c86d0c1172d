"""Where: an arm calls modules that hooks are set on where they cannot be followed; what the hooks write is seen."""

import torch
from _hook_helper import hook
from torch import nn

ENTRY, EXPECT = "make_net()", "declined"
calls, last = [], {}


def keep(module, args, result):
    calls.append(type(module).__name__)


def count(module, args, result):
    module.count += 1


def scale(module, args, result):
    last["scale"] = module.count
    module.seen.add_(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two, self.three, self.act = nn.Tanh(), nn.Sigmoid(), nn.ReLU(), nn.Softplus()
        for module in (self.one, self.two, self.three):
            module.count = 0
        self.three.register_buffer("seen", torch.zeros(2))
        self.get("one").register_forward_hook(keep)
        hook(self, "two", count)
        hook(self, "three", scale)
        hook(self, "act", keep)

    def get(self, name):
        return getattr(self, name)

    def forward(self, x, kind: int):
        y = self.act(x)
        if kind == 0:
            return self.one(y) if x.sum() > 0 else y * 2
        if kind == 1:
            if x.sum() > 0:
                y = y - 1
            else:
                y = self.two(y)
            return y
        if x.sum() > 0:
            return self.three(y)
        return y * 3


SEEN = []


def make_net():
    SEEN.append(Net())
    return SEEN[-1]


compiled = torch.compile(make_net())


def observe():
    return list(calls), dict(last), [(net.two.count, net.three.seen.tolist()) for net in SEEN]


def cases():
    return [((torch.full((2,), value), kind), {}) for kind in range(3) for value in (1.0, -1.0)]
