"""Defer: the arguments of a print pop, count and draw random numbers: once each, at their place."""
import torch

ENTRY = "drain"
EXPECT = "fixed"


def drain(x, queue):
    queue = list(queue)
    print("popped", queue.pop(), "left", len(queue))
    y = x * queue.pop()
    print("drawn", torch.rand(2))
    y = y + torch.rand(2)
    print(queue.append(7), queue)
    return y, queue


compiled = torch.compile(drain)


def cases():
    return [((torch.ones(2), [1, 2, 3]), {}), ((torch.ones(2),), {"queue": [5, 6]})]
