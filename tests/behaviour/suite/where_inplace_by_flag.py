"""Where: a flag that is known only at run time makes F.relu hand back what it is given: what is selected must be that tensor."""

import torch
import torch.nn.functional as F

ENTRY, EXPECT = "run", "declined"


def run(x, flag):
    h = x.clone()
    a = F.relu(h, flag)
    b = a if x.sum() > 0 else x * 2
    h.add_(1)
    g = x * 3
    c = F.hardtanh(g, -1.0, 1.0, flag)
    if x.sum() > 0:
        d = c
    else:
        d = x - 1
    g.mul_(2)
    return b, d


compiled = torch.compile(run)


def cases():
    x = torch.tensor([1.0, -2.0, 3.0])
    return [((value, flag), {}) for value in (x, -x) for flag in (True, False)]
