"""Trap: guards and asserts that read a tensor as a Python number: .item(), int(), in the test and in the message."""

import torch

ENTRY = "pack"
EXPECT = "fixed"


def pack(x, lengths, limit=7):
    assert lengths.max().item() <= limit
    if int(lengths.min()) < 0:
        raise ValueError(f"negative length {lengths.min().item()} below {limit}")
    if not x.sum().item() > -100:
        raise OverflowError("too small", x.shape[0])
    assert lengths.float().mean().item() < 6.5, "too long on average"
    lengths = lengths * 2
    return x * 2, lengths


compiled = torch.compile(pack)


def cases():
    x, fine = torch.ones(2), torch.tensor([1, 2])
    return [
        ((x, fine), {}),
        ((x, torch.tensor([1, 20])), {}),
        ((x, torch.tensor([1, 20])), {"limit": 30}),
        ((x, torch.tensor([-1, 2])), {}),
        ((x * -99, fine), {}),
        ((x, torch.tensor([7, 7])), {}),
    ]
