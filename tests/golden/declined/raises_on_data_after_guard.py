"""The look-up after the guard fails on the indices that the guard rejects."""

import operator

import torch


@torch.compile
def run(table: torch.Tensor, ids: torch.Tensor):
    if (ids >= len(table)).any():
        raise ValueError("unknown id")
    return table[ids]


@torch.compile
def rounded(x: torch.Tensor, y: torch.Tensor):
    if (y <= 0).any():
        raise ValueError("zero")
    return torch.div(x, y, rounding_mode="floor")


@torch.compile
def by_method(x: torch.Tensor, y: torch.Tensor):
    if (y <= 0).any():
        raise ValueError("zero")
    return x.div(y, rounding_mode="trunc")


@torch.compile
def by_operator(x: torch.Tensor, y: torch.Tensor):
    if (y <= 0).any():
        raise ValueError("zero")
    return operator.floordiv(x, y)


@torch.compile
def by_item(x: torch.Tensor, y: torch.Tensor):
    if (y <= 0).any():
        raise ValueError("zero")
    return operator.getitem(x, y)


@torch.compile
def scattered(x: torch.Tensor, mask: torch.Tensor, values: torch.Tensor):
    if mask.all():
        raise ValueError("all")
    return x.masked_scatter(mask, values)


@torch.compile
def nuclear(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    return torch.norm(x, "nuc")


@torch.compile
def real(x: torch.Tensor, y: torch.Tensor):
    """Of real numbers the quotient is infinite, and only the divisor counts: rewritten."""
    if (y <= 0).any():
        raise ValueError("zero")
    return torch.div(x.float(), y, rounding_mode="floor") + torch.div(y, 2, rounding_mode="floor")


@torch.compile
def arms(x: torch.Tensor, y: torch.Tensor):
    """Only the arm that is taken may divide."""
    if (y > 0).all():
        z = x.div(y, rounding_mode="trunc")
    else:
        z = x * 1
    return z
