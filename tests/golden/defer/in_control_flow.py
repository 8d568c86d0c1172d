"""Output in loops, with statements of torch, try and nested functions."""
import torch


@torch.compile
def run(x: torch.Tensor, n: int):
    def inner(y):
        print("inner", y.shape)
        return y

    for i in range(n):
        print("loop", i)
    with torch.no_grad():
        print("no grad", x)
    try:
        print("try")
    finally:
        print("finally")
    match n:
        case 1:
            print("one")
        case _:
            print("many")
    return inner(x)
