"""Where: what an arm does to an object that it has made surely raises; where the arm is not taken, nothing is raised."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


class Net(nn.Module):
    def forward(self, x, kind: int):
        y = x * 2
        if kind == 0:
            if x.sum() > 0:
                parts = [x, x * 3]
                parts.pop(3)
                y = parts[0] + 1
        elif kind == 1:
            if x.sum() > 0:
                rows = {"a": x}
                rows.pop("b")
                y = rows["a"] + 1
        elif kind == 2:
            if x.sum() > 0:
                seen = {1, 2}
                seen.remove(3)
                y = x + len(seen)
        elif kind == 3:
            if x.sum() > 0:
                parts = [x, x * 3]
                parts[4] = x
                y = parts[0] + 1
        elif kind == 4:
            if x.sum() > 0:
                h = x.clone()
                h[9] = 1.0
                y = h + 1
        else:
            if x.sum() > 0:
                parts = []
                parts.append(x, x)
                y = parts[0] + 1
        return y


def cases():
    up, down = torch.tensor([1.0, 2.0]), torch.tensor([-1.0, -2.0])
    return [((x.clone(), kind), {}) for kind in range(6) for x in (down, up)]
