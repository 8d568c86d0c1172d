"""Trap, declined: the exception's arguments bind a name that is read later, and read one that may have no value."""
import torch

ENTRY = "check_rows"
EXPECT = "declined"


def check_rows(x, strict=False, n="never counted"):
    if strict:
        limit = 3.0
    if x.isnan().any():
        raise ValueError(f"{(n := x.shape[0])} rows", n)
    if x.sum() < 0:
        raise ArithmeticError("below", limit)
    return x * 2, n


compiled = torch.compile(check_rows)


def cases():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    return [((x,), {}), ((x / 0 * 0,), {}), ((-x,), {}), ((-x,), {"strict": True}), ((x,), {"strict": True})]
