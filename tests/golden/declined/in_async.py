"""The output stands in a coroutine."""
import torch


@torch.compile
async def run(x: torch.Tensor):
    print("x", x)
    return x
