"""Where: what a dict comprehension, a repeated list or a joined dict holds is changed in place: what is selected must be it."""

import torch

ENTRY, EXPECT = "run", "declined"


def of_comprehension(x, h):
    held = {k: h[k] for k in range(2)}
    part = held[0]
    return part if x.sum() > 0 else x[0] * 2


def run(x):
    h = x.clone()
    held = {k: h[k] for k in range(2)}
    part = held[0]
    a = part if x.sum() > 0 else x[0] * 2
    twice = [h] * 2
    part = twice[1]
    b = part if x.sum() > 0 else x * 2
    joined = {"x": x} | {"h": h}
    part = joined["h"]
    c = part if x.sum() > 0 else x * 2
    d = of_comprehension(x, h)
    h.add_(1)
    return a * 1, b * 1, c * 1, d * 1


compiled = torch.compile(run)


def cases():
    x = torch.tensor([[1.0, -2.0], [3.0, 0.5]])
    return [((value,), {}) for value in (x, -x)]
