# graphmend-test: fix --fix-only=GM301
# graphmend-test: check --fix-only=GM301
"""Only prints are to be fixed."""
import torch


@torch.compile
def run(x: torch.Tensor):
    print("x", x)
    if x.isnan().any():
        raise ValueError("NaN")
    return x
