"""GM610: except*. A plain except is traced."""
import torch


@torch.compile
def run(x: torch.Tensor):
    try:
        y = x + 1
    except* ValueError:
        y = x
    try:
        y = y + 1
    except ValueError:
        y = x
    return y
