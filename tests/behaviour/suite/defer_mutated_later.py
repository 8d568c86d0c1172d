"""Defer: printed tensors, formatted tensors and list arguments change after the print: the old values must appear."""

import torch

ENTRY = "power_iteration"
EXPECT = "fixed"


def power_iteration(matrix, vector):
    history = [vector.shape[0]]
    info = {"steps": 0}
    print("start", vector)
    vector.mul_(2)
    print(f"doubled: {vector} of {matrix.shape[0]}")
    print("history", history, info)
    history.append(-1)
    info["steps"] = 1
    vector.copy_(matrix @ vector)
    message = f"now {vector.sum():.3f}"
    vector.zero_()
    print(message, history, sep=" / ")
    history.clear()
    print("end {} {}".format(vector, info))
    vector += 1
    return matrix @ vector


compiled = torch.compile(power_iteration)


def cases():
    g = torch.Generator().manual_seed(34)
    matrix = torch.randn(3, 3, generator=g)
    return [((matrix, torch.ones(3)), {}), ((matrix.t().contiguous(),), {"vector": torch.tensor([1.0, -2.0, 0.5])})]
