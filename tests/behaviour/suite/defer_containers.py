"""Defer: printed dicts, lists, tuples and nested containers with tensors, which change after the print."""
from collections import OrderedDict, namedtuple

import torch

ENTRY = "collect"
EXPECT = "fixed"

Span = namedtuple("Span", "start end")


def collect(x):
    parts = {"mean": x.mean(), "shape": x.shape, "rows": [x[0], x[1].sum()]}
    print(parts)
    parts["mean"] = x.max()
    parts["rows"].append("last")
    print("nested", [parts, (x.dtype, None, True)], {"a": {"b": x[0]}})
    state = OrderedDict(first=x[1])
    print(state, Span(0, x.shape[0]), sep="; ")
    state["second"] = 2
    parts.clear()
    return x * 2


compiled = torch.compile(collect)


def cases():
    return [((torch.tensor([[1.0, 2.0], [3.0, 4.0]]),), {}), ((torch.tensor([[0.0, -2.0], [3.0, 1.0]]),), {})]
