"""print is rebound in this file and is pure arithmetic: it is not the builtin."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "fingerprint", "clean", True


def print(x, scale=2.0):
    return x * scale


class log:
    @staticmethod
    def info(x):
        return x + 1


@torch.compile
def fingerprint(x):
    y = print(x)
    z = log.info(y)
    return print(z, scale=0.5).sum()


def cases():
    return [((torch.arange(4.0),), {})]
