# graphmend-test: fix --cond=never
# graphmend-test: check --cond=never
"""Without torch.cond these branches are left, and both costly arms run."""
import torch


@torch.compile
def run(x: torch.Tensor, ids: torch.Tensor):
    if x.max() > 1:
        x = x + torch.rand_like(x)
    if (ids >= 0).all():
        x = x[ids]
    if x.max() > 2:
        x = x @ x
    return x
