# graphmend-test: check --pedantic
# With --pedantic also tests that nothing is known about.
import torch


@torch.compile
def unknown(x, thing):
    if thing:
        x = x + 1
    if thing.ready(x):
        return x
    return x * 2
