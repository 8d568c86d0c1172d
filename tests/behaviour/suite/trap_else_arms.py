"""Trap: guards with an else that goes on, the raise in the else, and a guard whose else returns."""
import torch

ENTRY = "interval"
EXPECT = "fixed"


def interval(low, high, width=None):
    if (low <= high).all():
        span = high - low
    else:
        raise ValueError("interval is empty")
    if torch.isnan(span).any():
        raise ValueError("interval is not a number")
    else:
        middle = low + span / 2
    if span.max() > 50:
        raise OverflowError("interval too wide", 50)
    elif width is not None:
        return middle - width, middle + width
    else:
        return middle, span


compiled = torch.compile(interval)


def cases():
    a, b = torch.tensor([0.0, 1.0]), torch.tensor([2.0, 5.0])
    return [
        ((a, b), {}),
        ((b, a), {}),
        ((a, b * 100), {}),
        ((a, b, 0.5), {}),
        ((a * float("inf"), b * float("inf")), {}),
    ]
