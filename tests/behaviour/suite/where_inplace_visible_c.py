"""A branch changes in place a tensor that the caller and a second name still see."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "decay", "declined", True


@torch.compile
def decay(memory, signal):
    view = memory[0]
    if signal.mean() > 0:
        memory.mul_(0.5)
    return view + signal, memory


def cases():
    m = torch.arange(6.0).reshape(2, 3)
    return [((m.clone(), torch.ones(3)), {}), ((m.clone(), -torch.ones(3)), {})]
