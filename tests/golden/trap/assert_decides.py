"""Asserts with constant messages that Dynamo does not take by itself, and those that it does."""

import torch


@torch.compile
def check(x: torch.Tensor, flag: bool):
    assert not x.isnan().any()
    assert x.sum() > 0 and x.max() < 9, "both"
    assert not (x.sum() < 0 or x.max() < 0), "neither"
    assert x.sum() > 0 if x.max() > 0 else x.min() > -9, "one"
    return x


@torch.compile
def taken(x: torch.Tensor, flag: bool):
    assert 0 < x.sum() < 9, "between"
    assert flag and x.sum() > 0, "taken"
    assert x.sum() > 0 if flag else x.max() > 0, "taken"
    return x
