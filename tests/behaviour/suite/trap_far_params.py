"""Trap, declined: the look-up that the guard is for gets its index as the 35th parameter."""
import torch

ENTRY = "step"
EXPECT = "declined"


def look(table, a0=0, a1=0, a2=0, a3=0, a4=0, a5=0, a6=0, a7=0, a8=0, a9=0, a10=0, a11=0, a12=0, a13=0, a14=0, a15=0, a16=0, a17=0, a18=0, a19=0, a20=0, a21=0, a22=0, a23=0, a24=0, a25=0, a26=0, a27=0, a28=0, a29=0, a30=0, a31=0, a32=0, a33=0, at=None): return table[at]


def step(table, at):
    if (at >= table.shape[0]).any():
        raise ValueError("no such row")
    return look(table, at=at)


compiled = torch.compile(step)


def cases():
    return [((torch.arange(4.0), torch.tensor(at)), {}) for at in ([0, 1], [2, 7])]
