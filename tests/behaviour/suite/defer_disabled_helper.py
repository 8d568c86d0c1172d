"""Defer: what torch.compiler.disable keeps out of the graph runs as it is, prints and guards included."""
import torch

ENTRY = "forward"
EXPECT = "declined"
TEXT = {"keep": ['    print("report", x.sum().item())\n', "    if x.sum() > 100:\n"]}


@torch.compiler.disable
def report(x):
    print("report", x.sum().item())
    if x.sum() > 100:
        raise ValueError("too much to report")
    return x.shape[0]


def forward(x):
    n = report(x)
    return x * n


compiled = torch.compile(forward)


def cases():
    return [((torch.tensor([1.0, 2.0]),), {}), ((torch.tensor([100.0, 2.0]),), {})]
