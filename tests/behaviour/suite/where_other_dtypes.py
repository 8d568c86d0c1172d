"""Where: an operator in the arm that is not taken has no kernel for its operands, which tracing does not notice."""

import torch

ENTRY, EXPECT = "run", "declined"


def subtracts(x, y):
    if x.any():
        z = x + 1
    else:
        z = x - 1
    return z


def negative_power(x, y):
    if y.sum() > 0:
        z = y * 1
    else:
        z = y**-1
    return z


def half(x, y):
    w = y.half()[:, None]
    if y.sum() > 0:
        z = y.float() * 2
    else:
        z = y.float() @ w.expand(2, 2)
    return z


def dim(x, y):
    z = y.float()
    if y.sum() > 0:
        z = z * 2
    else:
        z = z.softmax(1)
    return z


def whole(x, y):
    z = y
    if y.sum() < 0:
        z = y // (y - y)
    return z


def activates(x, y):
    z = y
    if y.sum() < 0:
        z = torch.nn.functional.hardswish(y)
    return z


def later_turn(x, y):
    z = y
    for i in range(3):
        if y.sum() > 0:
            break
        z = z.softmax(-1) if i == 2 else z + 1
    return z


def by_mask(x, y):
    mask = y > 1
    if mask.all():
        return y
    return y * (1 - mask)


def divisor(x, y):
    z, w = y.float(), y.half()[None]
    if y.sum() < 0:
        z = torch.gcd(z, z * 2) + torch.bitwise_left_shift(z, z)
    if y.sum() < 0:
        z = z + torch.pdist(w)
    return z


def fine(x, y):
    z = x
    if y.sum() > 0:
        z = x & (y > 4)
    w = y
    if x.any():
        w = (y + 1) // 2 - y**2
    return z, w


KINDS = (subtracts, negative_power, half, dim, whole, activates, later_turn, by_mask, divisor, fine)
for _kind in KINDS:
    torch.compile(_kind)


def run(x, y, kind: int):
    return KINDS[kind](x, y)


def cases():
    return [((torch.tensor([True, False]), torch.tensor([4, 6]), kind), {}) for kind in range(len(KINDS))]
