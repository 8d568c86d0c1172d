"""The loop's else runs only if it was not left."""
import torch


@torch.compile
def run(x: torch.Tensor):
    for _ in range(3):
        if x.max() > 1:
            break
        x = x * 2
    else:
        x = -x
    return x
