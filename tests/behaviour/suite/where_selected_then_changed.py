"""A selected value is the very tensor or list that one arm names: what is done to it in place later shows in both."""
import torch

ENTRY, EXPECT = "build()", "declined"


def lower(t):
    if t.max() > 3:
        return t - 1
    return t


def by_callee(x, y):
    h = lower(x)
    h.add_(1)
    return x, h


def by_name(x, y):
    first = x
    x = x * 2 if x.sum() > 0 else x
    x.add_(1)
    return x, first


def in_container(x, y):
    kept = {"a": x if x.sum() > 0 else y * 1}
    kept["a"].add_(1)
    return x, kept


def by_source(x, y):
    h = x if x.sum() > 0 else y * 1
    with torch.no_grad():
        x += 1
    return h


def by_out(x, y):
    h = [x if x.sum() > 0 else y * 1]
    torch.add(x, 1, out=x)
    return h


def lists(x, y):
    a, b = [x], [y]
    if x.sum() > 0:
        k = a
    else:
        k = b
    k.append(x)
    return a, b


class Net(torch.nn.Module):
    def forward(self, which, x, y):
        return which(x * 1, y * 1)


def build():
    return Net()


compiled = torch.compile(Net())
compiled_functions = [torch.compile(f) for f in (by_callee, by_name, in_container, by_source, by_out, lists)]


def cases():
    x, y = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.0, 2.0, 3.0])
    functions = (by_callee, by_name, in_container, by_source, by_out, lists)
    return [((f, s * x, y), {}) for f in functions for s in (3, -1)]
