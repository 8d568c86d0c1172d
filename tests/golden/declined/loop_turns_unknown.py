"""How often the loop runs is not known while tracing."""
import itertools

import torch


@torch.compile
def run(x: torch.Tensor, n: torch.Tensor):
    for _ in itertools.count():
        if x.max() > 1:
            break
        x = x * 2
    for _ in range(n.item()):
        if x.max() > 2:
            break
        x = x * 2
    k = 0
    while k < 4:
        if x.max() > 3:
            break
        x = x * 2
        k += 1
    return x
