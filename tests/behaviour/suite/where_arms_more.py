"""bool() around a test, named results of operators, a mode of autograd in an arm, nested boolean operators."""
import torch

ENTRY, EXPECT = "work", "fixed"


def work(x: torch.Tensor, w: torch.Tensor):
    if bool(x.max() > 1):
        x = x * 2
    if not bool(w.isnan().any()) and not (bool(x.min() < 0) or (x > 9).any()):
        print("positive")
        w = w * 2
    if x.max() > 2:
        x = x.sort().values
    if x.max() > 4:
        with torch.no_grad():
            x = x * 2
    if x.max() > 7:
        x = torch.topk(x, 3).values + x
    return x, w


compiled = torch.compile(work)


def cases():
    x = torch.tensor([2.5, 0.5, 1.0])
    return [((x, x), {}), ((-x, x), {}), ((x * 4, x * float("nan")), {}), ((x / 9, -x), {})]
