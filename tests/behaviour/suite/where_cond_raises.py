"""The arm fails where it is taken: the same exception, and what was written and printed before it is there."""
import torch

ENTRY, EXPECT = "work", "declined"

SEEN = []


def observe():
    return SEEN


def work(x, ids):
    y = x * 2
    if y.sum() > 0:
        y = y[ids]
    print("half way", y.shape)
    SEEN.append("half way")
    x.add_(1)
    if y.max() > 3:
        y = y[ids + 1]
    SEEN.append("end")
    return y


compiled = torch.compile(work)


def cases():
    x = torch.tensor([1.0, 2.0, 3.0])
    return [((v.clone(), torch.tensor(i)), {}) for v, i in ((x, [0, 1, 1]), (x, [2, 1, 0]), (-x, [0, 0, 3]))]
