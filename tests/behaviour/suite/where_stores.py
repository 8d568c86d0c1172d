"""Where: an arm changes in place a tensor that only one name knows. The selection makes the change in a copy."""

import torch

ENTRY, EXPECT = "run", "fixed"


def by_mask(x):
    h = x * 2
    mask = h > 3
    if mask.any():
        h[mask] = 0.0
    return h + 1


def under_another_test(x):
    h = x * 2
    if (h > 3).sum() > 1:
        h[h.gt(3)] = float("-inf")
    return h.exp()


def of_a_row(x: torch.Tensor):
    scores = x[:, None] - x[None, :]
    if (x > 1).any():
        scores[1:][x[1:] > 1] = 5
        scores[0] = x * 2
    return scores.sum(0)


def by_methods(x):
    h = x + x
    rare = x > 2
    if not rare.any():
        return h - 1
    h.masked_fill_(rare, -1.0)
    h.clamp_(min=-0.5)
    return h


def by_operators(x):
    h = x + 1
    count = (x > 1).long().cumsum(0)
    if h.norm() > 4:
        h /= h.norm()
        count += 2
    else:
        h *= 2
        h[-1:] -= 1
    return h, count


def twice(x):
    h = x.clone()
    if h[0] > 1:
        h[0] = 1
    if h[1] > 1:
        h[1] = 1
    return h


def of_whole_numbers(x):
    bins = (x > 1).cumsum(0)
    total = bins.sum()
    if total == 0:
        bins[bins.eq(0)] = 1
    return bins * 3


def said(x):
    width = torch.relu(x - 1)
    if (width == 0).sum() != 0:
        width[width == 0] = 1
        print("empty", width)
    return x / width


KINDS = (by_mask, under_another_test, of_a_row, by_methods, by_operators, twice, of_whole_numbers, said)
for _kind in KINDS:
    torch.compile(_kind)


def run(x, kind: int):
    return KINDS[kind](x)


def cases():
    inputs = (
        torch.tensor([0.5, 1.0, 0.25]),
        torch.tensor([2.5, 1.0, 3.0]),
        torch.tensor([0.0, 0.25, -0.0]),
        torch.tensor([float("nan"), 4.0, float("inf")]),
    )
    return [((x, kind), {}) for kind in range(len(KINDS)) for x in inputs]
