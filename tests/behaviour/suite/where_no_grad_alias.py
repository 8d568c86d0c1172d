"""Under no_grad an arm may hand on a tensor that requires grad: torch.where would cut it off."""
import torch

ENTRY, EXPECT, GRAD = "mix", "declined", True


def mix(x, y):
    with torch.no_grad():
        if x.sum() > 0:
            h = x
        else:
            h = y
        if h.max() > 4:
            y = y.clamp(-1, 1)
    return h * 2 + y


compiled = torch.compile(mix)


def cases():
    def t(*values):
        return torch.tensor(values).requires_grad_()

    return [((t(0.5, -1.0, 2.0), t(1.0, 2.0, 3.0)), {}), ((t(-5.0, -1.0, 2.0), t(1.0, 2.0, 5.0)), {})]
