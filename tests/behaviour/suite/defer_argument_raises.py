"""Defer: an argument of the print itself fails: that happens at its place, after what was printed before."""
import torch

ENTRY = "describe"
EXPECT = "declined"
NOT_FOR = ["torch<2.8"]  # there Dynamo itself fails at the index while tracing, before anything is printed


def describe(x, names, i):
    print("describing")
    y = x * 2
    print("name", names[i], 1 / (i + 1))
    print("done")
    return y + i


compiled = torch.compile(describe)


def cases():
    x = torch.ones(2)
    return [((x, ["a", "b"], 0), {}), ((x, ["a", "b"], 5), {}), ((x, ["a", "b"], -1), {})]
