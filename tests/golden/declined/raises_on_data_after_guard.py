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


@torch.compile
def of_options(x: torch.Tensor, weights: torch.Tensor, options: dict, at: int):
    """Which options an operator gets decides whether it can fail."""
    if at == 0:
        if x.isnan().any():
            raise ValueError("NaN")
        return torch.linalg.norm(x, ord=2, dim=(-2, -1))
    elif at == 1:
        if x.isnan().any():
            raise ValueError("NaN")
        return torch.linalg.cholesky_ex(x, check_errors=True)
    elif at == 2:
        if (weights < 0).any():
            raise ValueError("negative")
        return torch.cov(x, fweights=weights)
    elif at == 3:
        if (weights < 0).any():
            raise ValueError("negative")
        return torch.searchsorted(x, x, sorter=weights)
    elif at == 4:
        if x.isinf().any():
            raise ValueError("infinite")
        return torch.zeros(4, dtype=torch.uint8).masked_fill(weights > 0, x.sum())
    elif at == 5:
        if x.isinf().any():
            raise ValueError("infinite")
        return torch.linalg.inv_ex(x, **options)
    elif at == 6:
        if (weights < 0).any():
            raise ValueError("negative")
        return torch.lu_unpack(x, weights)


@torch.compile
def of_other_options(x: torch.Tensor, weights: torch.Tensor):
    """None of these can fail: rewritten."""
    if x.isnan().any():
        raise ValueError("NaN")
    a = torch.linalg.norm(x, ord=2, dim=-1).sum() + torch.linalg.norm(x) + torch.linalg.norm(x, 1, (0, 1))
    b = torch.linalg.cholesky_ex(x, check_errors=False).L + torch.linalg.inv_ex(x)[0]
    return a + torch.cov(x) + torch.searchsorted(x, x) + x.masked_fill(x > 0, 0.0) + b
