"""A view, or the tensor itself, by an operator that gives something new as a rule; what is written by other names."""

import torch


def by_plus(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    y = +x
    y.zero_()
    return y


def by_permuting(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    y = torch.einsum("ij->ji", x)
    y.zero_()
    return y


def by_array(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    y = torch.from_numpy(x.numpy())
    y.zero_()
    return y


def by_outputs(x: torch.Tensor, values: torch.Tensor, places: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    torch.max(x, 0, out=(values, places))
    return x


def by_overload(x: torch.Tensor, calls: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    torch.ops.aten.add_.Tensor(calls, torch.ones(()))
    return x


def arm_by_plus(x: torch.Tensor):
    h = x * 2
    if x.sum() > 0:
        v = +h
    else:
        v = h * 3
    h.add_(1)
    return v * 2


def arm_by_permuting(x: torch.Tensor):
    h = x * 2
    v = torch.einsum("ij->ji", h) if x.sum() > 0 else h.t() * 3
    h.add_(1)
    return v * 2


for function in (by_plus, by_permuting, by_array, by_outputs, by_overload, arm_by_plus, arm_by_permuting):
    torch.compile(function)
