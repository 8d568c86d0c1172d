"""Output in a branch under a with or try that would see it: it cannot be recorded, so the branch stays."""
import contextlib
import io
import warnings

import torch

ENTRY, EXPECT = "report", "declined"


def report(x):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        if x.sum() > 0:
            print("positive", x.shape[0])
        else:
            print("negative")
    try:
        if x.max() > 4:
            warnings.warn("large")
        x = x + 1
    except UserWarning:
        x = x - 1
    return x, text.getvalue()


compiled = torch.compile(report)


def cases():
    x = torch.tensor([0.5, -1.0, 2.0])
    return [((x,), {}), ((-x,), {}), ((x * 3,), {})]
