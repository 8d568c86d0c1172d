"""Trap: the guard sits in a try with a finally, and in one whose handler raises another exception."""
import torch

ENTRY = "measure"
EXPECT = "declined"


class MeasureError(Exception):
    pass


def checked(x):
    if (x < 0).any():
        raise ValueError("negative")
    return x.sqrt()


def measure(x):
    try:
        root = checked(x)
    except ValueError as error:
        raise MeasureError("cannot measure") from error
    finally:
        print("measured", tuple(x.shape))
    try:
        if root.sum() > 10:
            raise OverflowError("too much")
    finally:
        print("done")
    return root


compiled = torch.compile(measure)


def cases():
    return [((torch.tensor(v),), {}) for v in ([1.0, 4.0], [-1.0, 4.0], [100.0, 4.0])]
