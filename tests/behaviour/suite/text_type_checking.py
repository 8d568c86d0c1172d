"""Text: imports for the type checker only, future annotations, overloads and a protocol."""
from __future__ import annotations

from typing import TYPE_CHECKING, overload

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor
    from some_package_that_is_not_here import Plan, logger

ENTRY = "blend"
EXPECT = "fixed"
TEXT = {"keep": ["    from some_package_that_is_not_here import Plan, logger\n"]}


@overload
def blend(x: Tensor, weights: Sequence[float]) -> Tensor: ...
@overload
def blend(x: Tensor, weights: Plan) -> Tensor: ...
def blend(x: Tensor, weights: Sequence[float] | Plan) -> Tensor:
    total: Tensor = torch.zeros_like(x)
    for w in weights:
        total = total + w * x
    print("blended", len(weights))
    if torch.isinf(total).any():
        raise OverflowError("blend is infinite")
    return total


compiled = torch.compile(blend)


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((x, [0.5, 0.25]), {}), ((x * float("inf"), [1.0]), {})]
