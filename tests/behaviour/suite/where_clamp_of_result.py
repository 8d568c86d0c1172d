"""A clamp of the first item that a layer returns, beside a cache that the next layer changes in place."""

import torch
from torch import nn

ENTRY, EXPECT = "build()", "fixed"


class Cache:
    def __init__(self):
        self.updated, self.keys = {}, torch.zeros(2, 4)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)

    def forward(self, hidden, bias=None, cache=None, weights=False):
        scores = self.q(hidden)
        if cache is not None:
            cache.keys.add_(1)
            cache.updated[0] = True
        if bias is None:
            bias = scores.mean(0)
        scores += bias
        outputs = (torch.softmax(scores, -1), cache, bias)
        if weights:
            outputs = outputs + (scores,)
        return outputs


class SelfLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()

    def forward(self, hidden, bias=None, cache=None, weights=False):
        attended = self.attention(hidden, bias=bias, cache=cache, weights=weights)
        hidden = hidden + attended[0]
        outputs = (hidden,) + attended[1:]
        return outputs


class CrossLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()

    def forward(self, hidden, states, bias=None, cache=None):
        attended = self.attention(hidden + states, bias=bias, cache=cache)
        output = hidden * attended[0]
        return (output,) + attended[1:]


class Last(nn.Module):
    def __init__(self):
        super().__init__()
        self.wo = nn.Linear(4, 4)

    def forward(self, hidden, router):
        output = hidden + self.wo(hidden)
        if router:
            output = (output, router)
        return output


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList()
        self.layer.append(SelfLayer())
        self.layer.append(CrossLayer())
        self.layer.append(Last())

    def forward(self, hidden, states, bias=None, cache=None, weights=False, router=False):
        first = self.layer[0](hidden, bias=bias, cache=cache, weights=weights)
        hidden, cache = first[:2]
        rest = first[2:]
        if hidden.dtype == torch.float32 and hidden.max() > 1:
            hidden = torch.clamp(hidden, max=1.0)
        second = self.layer[1](hidden, states=states, bias=bias, cache=cache)
        hidden, cache = second[:2]
        if hidden.dtype == torch.float32 and hidden.max() > 0.5:
            top = torch.finfo(hidden.dtype).max - 1000
            hidden = torch.clamp(hidden, min=-top, max=0.5)
        rest = rest + second[2:]
        hidden = self.layer[-1](hidden, router)
        if isinstance(hidden, tuple):
            hidden, routed = hidden
        else:
            routed = None
        if hidden.dtype == torch.float32 and hidden.max() > 0.25:
            hidden = torch.clamp(hidden, max=0.25)
        return (hidden, cache) + rest + (routed,)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.ModuleList(Block() for _ in range(2))

    def forward(self, hidden, states, weights, router):
        cache, bias = Cache(), None
        for block in self.block:
            out = block(hidden, states, bias=bias, cache=cache, weights=weights, router=router)
            hidden, bias = out[0], out[2]
        hidden.mul_(2)
        return hidden, bias, cache.keys, sorted(cache.updated)


def build():
    torch.manual_seed(0)
    return Net()


compiled = torch.compile(build())


def cases():
    x = torch.linspace(-1, 2, 8).view(2, 4)
    with_router = [((s * x, x, s > 0, r), {}) for s in (2, 0.01) for r in (False, True)]
    return with_router
