"""Defer: what is shown is an object that changes later in the region: views, deques, named tuples, arrays, objects in lists."""
import collections
import dataclasses
import io
import logging
import types

import torch
from torch import nn

ENTRY = "make_net"
EXPECT = "declined"
log = logging.getLogger("case")
Pair = collections.namedtuple("Pair", "a b")


@dataclasses.dataclass
class Count:
    n: int = 0


class Lines:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)

    def flush(self):
        pass


def show(*values):
    print("shown", *values)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.count = Count()
        self.source = {"a": 1}
        self.proxy = types.MappingProxyType(self.source)
        self.lines = Lines()

    def extra_repr(self):
        return f"calls={self.calls}"

    def forward(self, x, kind):
        y = x * 2
        if kind == "pair":
            pair = Pair(y, [1])
            show(pair, y.max(dim=0))
            pair.b.append(2)
            y.add_(1)
        elif kind == "array":
            array = y.numpy()
            show(array)
            array += 1
        elif kind == "views":
            table = {"a": 1}
            show(table.keys(), table.items())
            table["b"] = 2
        elif kind == "deque":
            queue = collections.deque([1], maxlen=3)
            log.warning("%s", queue)
            queue.append(2)
        elif kind == "nested":
            show([self.count, 1])
            self.count.n += 2
        elif kind == "proxy":
            show(self.proxy)
            self.source["b"] = 2
        elif kind == "module":
            show(self)
            self.calls += 1
        elif kind == "file":
            print("a", file=self.lines)
            y = y + len(self.lines.parts)
        else:
            ring = [1]
            ring.append(ring)
            show(ring)
        return y


def make_net():
    return Net()


compiled = torch.compile(make_net())


def cases():
    kinds = ["pair", "array", "views", "deque", "nested", "proxy", "module", "file", "ring"]
    return [((torch.tensor([-1.0, 9.0]), kind), {}) for kind in kinds]
