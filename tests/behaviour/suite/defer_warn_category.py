"""Defer: warnings.warn with categories, positional and by keyword, among the computations."""

import warnings

import torch

ENTRY = "cosine_schedule"
EXPECT = "fixed"


class ScheduleWarning(UserWarning):
    pass


def cosine_schedule(steps, total, minimum=None):
    if minimum is None:
        warnings.warn("`minimum` will be required", FutureWarning)
        minimum = 0.0
    progress = steps / total
    if steps.dim() > 1:
        warnings.warn(f"got steps of shape {tuple(steps.shape)}", category=ScheduleWarning)
    factor = 0.5 * (1 + torch.cos(torch.pi * progress))
    warnings.warn("plain one")
    return factor.clamp_min(minimum)


compiled = torch.compile(cosine_schedule)


def cases():
    steps = torch.arange(6).float()
    return [((steps, 10), {}), ((steps.view(2, 3), 6), {"minimum": 0.1}), ((steps.view(3, 2), 5), {})]
