"""Trap: the raise sits inside a try whose except, in the same function, catches it: it must not be deferred."""

import torch

ENTRY = "solve_gain"
EXPECT = "declined"


def solve_gain(gram, rhs):
    try:
        diagonal = gram.diagonal(dim1=-2, dim2=-1)
        if (diagonal <= 0).any():
            raise ArithmeticError("gram matrix is not positive")
        scale = diagonal.rsqrt()
    except ArithmeticError as error:
        print("fallback:", error)
        scale = torch.ones_like(rhs)
    preconditioned = rhs * scale
    return preconditioned * scale


compiled = torch.compile(solve_gain)


def cases():
    g = torch.Generator().manual_seed(14)
    gram = torch.diag_embed(torch.rand(2, 4, generator=g) + 0.5)
    rhs = torch.randn(2, 4, generator=g)
    broken = gram.clone()
    broken[0, 1, 1] = -2.0
    return [((gram, rhs), {}), ((broken, rhs), {})]
