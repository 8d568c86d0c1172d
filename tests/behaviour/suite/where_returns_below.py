"""Early returns below static tests and a with; None on one way only, which must stay a branch, in one of them."""
import torch

ENTRY, EXPECT = "pick", "declined"


def scaled(x: torch.Tensor, flag: bool):
    if flag:
        if x.max() > 1:
            print("big")
            return x * 2
        y = x + 1
        return y
    with torch.no_grad():
        if x.min() < 0:
            return -x
        x = x * 3
        return x


def pick(x, flag=True, want_mask=False):
    if want_mask:
        mask = x > 0
        if not mask.all():
            return mask
        return None
    return scaled(x, flag)


compiled = torch.compile(pick)


def cases():
    x = torch.tensor([0.5, -1.0, 2.0])
    on = {"want_mask": True}
    return [((x,), {}), ((-x.abs(),), {}), ((x, False), {}), ((x.abs(), False), {}), ((x,), on), ((x.abs(),), on)]
