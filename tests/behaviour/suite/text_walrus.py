"""Text: assignment expressions in tests of a trap, a branch and a print; the names live on."""

import torch

ENTRY = "flow_step"
EXPECT = "fixed"


def flow_step(points, field, dt=0.1):
    if (speed := field.norm(dim=-1)).max() > 10:
        raise OverflowError("flow too fast")
    print("moving", n := points.shape[0], "points")
    moved = points + dt * field
    if (radius := moved.norm(dim=-1).amax()) > 2:
        moved = moved / radius
    if not torch.isfinite(total := moved.sum()):
        raise ArithmeticError("not finite", n)
    return moved, speed, radius, total / n


compiled = torch.compile(flow_step)


def cases():
    g = torch.Generator().manual_seed(56)
    p, f = torch.randn(2, 4, 3, generator=g)
    return [((p * 0.1, f), {}), ((p * 9, f), {}), ((p, f * 99), {}), ((p * float("nan"), f), {"dt": 0.5})]
