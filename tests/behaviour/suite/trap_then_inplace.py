"""Trap: after the guard an argument is changed in place: where the guard fails, the caller's tensor is untouched."""
import torch

ENTRY = "sgd_step"
EXPECT = "declined"


def sgd_step(weight, grad, rate):
    if not torch.isfinite(grad).all():
        raise FloatingPointError("gradient is not finite")
    weight.sub_(rate * grad)
    grad.zero_()
    return weight.norm()


compiled = torch.compile(sgd_step)


def cases():
    w = torch.tensor([1.0, -2.0])
    return [
        ((w.clone(), torch.tensor([0.5, 0.5]), 0.1), {}),
        ((w.clone(), torch.tensor([0.5, float("inf")]), 0.1), {}),
    ]
