"""Asserts with constant messages that Dynamo does not take by itself, and those that it does."""

import torch
from graphmend import runtime as _graphmend

@torch.compile
def check(x: torch.Tensor, flag: bool):
    __debug__ and _graphmend.assert_that(_graphmend.negate(x.isnan().any()))
    __debug__ and _graphmend.assert_that(_graphmend.both(x.sum() > 0, lambda: x.max() < 9), lambda: "both")
    __debug__ and _graphmend.assert_that(_graphmend.negate(_graphmend.either(x.sum() < 0, lambda: x.max() < 0)), lambda: "neither")
    __debug__ and _graphmend.assert_that(_graphmend.select(x.max() > 0, lambda: x.sum() > 0, lambda: x.min() > -9), lambda: "one")
    return x


@torch.compile
def taken(x: torch.Tensor, flag: bool):
    assert 0 < x.sum() < 9, "between"
    assert flag and x.sum() > 0, "taken"
    assert x.sum() > 0 if flag else x.max() > 0, "taken"
    return x
