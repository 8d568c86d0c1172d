"""Clean: the functions that print, warn, raise on data and branch on data are never reached from the compiled one."""

import warnings

import torch

ENTRY = "huber"
EXPECT = "clean"


def report(loss):
    if torch.isnan(loss).any():
        raise ValueError(f"loss is {loss}")
    print("loss", loss.item())
    if loss > 10:
        warnings.warn("large loss")


def clip(value, limit):
    return torch.clamp(value, -limit, limit)


def huber(prediction, target, delta=1.0):
    error = prediction - target
    linear = error.abs() - 0.5 * delta
    small = clip(error, delta)
    return torch.where(error.abs() <= delta, 0.5 * small.square() / delta, linear).mean()


compiled = torch.compile(huber)


def cases():
    g = torch.Generator().manual_seed(46)
    a, b = torch.randn(2, 5, generator=g)
    return [((a, b), {}), ((a, b, 0.1), {})]


if __name__ == "__main__":
    for arguments, options in cases():
        report(compiled(*arguments, **options))
