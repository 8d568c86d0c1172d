"""Two arms with setups of their own, a conditional expression, an elif chain and an early return."""

import torch

ENTRY = "gate"
EXPECT = "fixed"


def soft(x, t):
    return torch.sign(x) * torch.relu(x.abs() - t)


def gate(x, level):
    energy = x.pow(2).mean()
    if energy > level:
        gain = level / (energy + 1)
        y = x * gain
    else:
        offset = x.mean()
        y = x - offset
    z = soft(y, 0.1) if y.max() > 0 else y.neg()
    if z.sum() > 1:
        w = z * 2
    elif z.sum() < -1:
        w = z * 3
    else:
        w = z * 4
    if w.abs().sum() == 0:
        return w + 1
    return w - 1


compiled = torch.compile(gate)


def cases():
    torch.manual_seed(4)
    level = torch.tensor(1.0)
    values = [torch.randn(4), torch.randn(4) * 5, torch.zeros(4), -torch.rand(4), torch.full((4,), 3.0)]
    return [((v, level), {}) for v in values]
