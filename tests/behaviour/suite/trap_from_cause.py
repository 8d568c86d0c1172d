"""Trap: `raise E(...) from None`, from another exception, and an exception class without a call."""
import torch

ENTRY = "calibrate"
EXPECT = "fixed"


class CalibrationError(RuntimeError):
    pass


def calibrate(reading, offset):
    if reading.isinf().any():
        raise CalibrationError("reading saturated") from None
    if (offset < 0).any():
        raise CalibrationError("offset is negative", 7) from KeyError("offset")
    gain = reading - offset
    if gain.min() == 0:
        raise ZeroDivisionError
    if gain.max() > 1e4:
        raise CalibrationError
    return 1 / gain


compiled = torch.compile(calibrate)


def cases():
    one, none = torch.ones(3), torch.zeros(3)
    return [
        ((one, none), {}),
        ((one * float("inf"), none), {}),
        ((one, -one), {}),
        ((one, one), {}),
        ((one * 1e5, none), {}),
    ]
