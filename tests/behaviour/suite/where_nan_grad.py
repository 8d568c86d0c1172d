"""Where, declined: the arm not taken has an infinite derivative, so torch.where would give NaN gradients."""

import torch

ENTRY = "log_ratio_loss"
EXPECT = "declined"
GRAD = True


def log_ratio_loss(predicted, target):
    lowest = predicted.min()
    if lowest > 0:
        gap = torch.log(predicted) - torch.log(target)
    else:
        gap = predicted - target
    weight = torch.sqrt(predicted.abs().sum()) if lowest > -1 else predicted.abs().sum()
    return (gap.square() * weight).mean()


compiled = torch.compile(log_ratio_loss)


def cases():
    g = torch.Generator().manual_seed(27)
    target = torch.rand(5, generator=g) + 0.5
    predicted = torch.rand(5, generator=g) + 0.1
    zero = predicted.clone()
    zero[2] = 0.0
    return [((predicted, target), {}), ((zero, target), {}), ((predicted - 5, target), {})]
