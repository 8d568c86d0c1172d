"""Trap, declined: the look-up that the guard is for is 15 calls away."""
import torch


def look1(table, at): return look2(table, at)
def look2(table, at): return look3(table, at)
def look3(table, at): return look4(table, at)
def look4(table, at): return look5(table, at)
def look5(table, at): return look6(table, at)
def look6(table, at): return look7(table, at)
def look7(table, at): return look8(table, at)
def look8(table, at): return look9(table, at)
def look9(table, at): return look10(table, at)
def look10(table, at): return look11(table, at)
def look11(table, at): return look12(table, at)
def look12(table, at): return look13(table, at)
def look13(table, at): return look14(table, at)
def look14(table, at): return look15(table, at)
def look15(table, at): return table[at]


def step(table, at):
    if (at >= table.shape[0]).any():
        raise ValueError("no such row")
    return look1(table, at)


compiled = torch.compile(step)
