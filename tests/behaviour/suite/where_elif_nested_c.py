"""A three-way gain control with a nested condition, over audio frames."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "gain", "fixed", True
EXPECT_BREAKS_BEFORE = 2


def gain_control(frames):
    level = frames.abs().mean()
    out = frames
    if level > 1.0:
        out = frames * 0.5
        if frames.max() > 4.0:
            out = out.clamp(-1.5, 1.5)
    elif level < 0.1:
        out = frames * 4.0
    return out - out.mean()


gain = torch.compile(gain_control, dynamic=False)


def cases():
    f = torch.tensor([[0.5, -0.4, 0.3, -0.2]])
    return [((f,), {}), ((f * 5,), {}), ((f * 20,), {}), ((f * 0.01,), {})]
