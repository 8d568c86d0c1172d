"""torch.compile under another name; a print that no compiled code reaches has to stay as it is."""

from torch import compile as tc
import torch as t

ENTRY, EXPECT, SELF_COMPILED = "go", "fixed", True
EXPECT_BREAKS_BEFORE = 2
TEXT = {"keep": ['    print("report", sum(values), sep=": ")\n', 'print("loaded", __name__)\n']}

print("loaded", __name__)


def report(values):
    print("report", sum(values), sep=": ")


def inner(x):
    y = t.nn.functional.gelu(x)
    print("inner", y.shape)
    return y


@tc
def go(x):
    return inner(x) * 2


def cases():
    return [((t.tensor([1.0, 2.0]),), {})]
