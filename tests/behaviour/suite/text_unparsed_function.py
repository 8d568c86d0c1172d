"""Text: one function ends its lines with a lone CR, which the parser refuses; the others are still handled."""
import torch

ENTRY = "entry"
EXPECT = "fixed"
TEXT = {"keep": ["def old_mac(x):\r    y = x * 2\r    return y\n"]}


def before(x):
    print("before", x.shape[0])
    return x + 1


def old_mac(x):    y = x * 2    return y


def entry(x):
    y = before(x)
    if torch.isnan(y).any():
        raise ValueError("NaN on the way")
    print("leaving")
    return old_mac(y)


compiled = torch.compile(entry)


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((x,), {}), ((x * float("nan"),), {})]
