"""Trap: a context manager of the project's own expects an exception, as pytest.raises does, and ends it."""
import contextlib

import torch

ENTRY = "self_test"
EXPECT = "declined"


class Expecting:
    def __init__(self, kind):
        self.kind, self.seen = kind, 0

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is not None and issubclass(kind, self.kind):
            self.seen += 1
            return True
        return False


@contextlib.contextmanager
def lenient(kind):
    try:
        yield
    except kind:
        pass


def bounded(x, limit):
    if x.abs().max() > limit:
        raise OverflowError("out of bounds", limit)
    return x / limit


def self_test(x):
    total = torch.zeros(())
    with Expecting(ArithmeticError) as outcome:
        total = total + bounded(x, 2.0).sum()
    with lenient(OverflowError):
        total = total + bounded(x * 2, 3.0).sum()
    return total, outcome.seen


compiled = torch.compile(self_test)


def cases():
    return [((torch.tensor(v),), {}) for v in ([0.5, 1.0], [1.0, 1.8], [9.0, 0.0])]
