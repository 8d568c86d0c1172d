"""Trap: exceptions that show objects which the function makes: as they are where the check fails, with what they hold."""

import collections
import dataclasses

import numpy
import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


@dataclasses.dataclass
class Step:
    at: int
    name: str = "step"


class Context:
    def __init__(self, parts):
        self.parts = list(parts)

    def path(self):
        return ".".join(self.parts)


class Failed(ValueError):
    pass


class Named(dict):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.columns = ["a", "b"]

    def forward(self, x, kind: int):
        bad = (x < 0).any()
        step = Step(x.shape[0])
        if kind == 0:
            if bad:
                raise ValueError(f"failed at {step}")
        elif kind == 1:
            if bad:
                raise Failed(step, "failed")
        elif kind == 2:
            context = Context(["net", "layer"])
            if bad:
                raise Failed(f"in {context.path()}")
        elif kind == 3:
            info = Named(rows=x.shape[0])
            if bad:
                raise Failed(f"rows: {info['rows']}")
        elif kind == 4:
            counts = numpy.zeros(2)
            if bad:
                raise Failed(f"after {counts}")
            counts += 1
            x = x + float(counts[0])
        elif kind == 5:
            left = iter(self.columns)
            if bad:
                raise Failed(f"column {next(left)}")
            x = x + len(list(left))
        elif kind == 6:
            assert not bad, f"failed at {step.at}, {step}"
        elif kind == 7:
            steps = [{"first": step}]
            if bad:
                raise Failed(f"failed at {steps}")
        elif kind == 8:
            row = collections.OrderedDict(rows=x.shape[0], sum=[x.sum()])
            if bad:
                raise Failed(f"failed at {row}", row["sum"])
        return x * 2


compiled = torch.compile(Net())


def cases():
    good, bad = torch.ones(3), torch.tensor([1.0, -1.0, 2.0])
    return [((x, kind), {}) for kind in range(9) for x in (good, bad)]
