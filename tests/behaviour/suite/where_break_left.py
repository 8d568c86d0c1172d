"""Loops that a break leaves but that must stay: else, while, endless, counters, two ways out, and what is read afterwards."""
import itertools

import torch

ENTRY, EXPECT = "hunt", "declined"


def first_row(x):
    for row in x:
        if row.sum() > 3:
            return row * 2
    return x[0]


def hunt(x, n=3):
    for i in range(n):
        if x.sum() > 10:
            break
        x = x * 2
    out = [x + i]
    for _ in range(n):
        if x.max() > 99:
            break
        x = x + 1
    else:
        x = -x
    k = 0
    while k < 4:
        if x.min() < -20:
            break
        x = x - k
        k += 1
    for _ in itertools.count():
        if x.abs().max() > 30:
            break
        x = x * 3
    steps = 0
    for _ in range(n):
        if x.mean() > 0:
            break
        x, steps = x + 9, steps + 1
    for _ in range(n):
        if x.sum() > 500:
            break
        if x.sum() > 300:
            x = x / 2
            continue
        x = x + 40
    for _ in range(n):
        if n > 2:
            if x.min() > 200:
                break
        x = x + 1
    for _ in range(n):
        if x.sum() > 0:
            found = x
            break
    out.append(found if steps < 9 and x.sum() > 0 else x)
    for _ in range(n):
        if x.std() > 5:
            break
        out.append(x)
        x[0] = x[0] + 20
    for _ in range(n):
        if (worst := x.max()) > 100:
            break
        x = x + torch.rand(())
    return out, steps, worst, first_row(x.reshape(2, -1))


compiled = torch.compile(hunt)


def cases():
    x = torch.tensor([0.5, 1.0, 2.0, 3.0])
    return [((x,), {}), ((x * 5,), {}), ((-x,), {"n": 2}), ((x * 100,), {})]
