"""Each arm says something and one refuses: only the taken arm is heard."""

import logging

import torch

ENTRY = "route"
EXPECT = "fixed"

log = logging.getLogger("router")


def route(x, capacity):
    load = x.sum()
    if load > capacity:
        log.warning("over capacity: %s", load)
        if not (x >= 0).all():
            raise ValueError("negative load")
        y = x / load
    else:
        print("room left", capacity - load)
        y = x * 2
    print("routed")
    return y


compiled = torch.compile(route)


def cases():
    four = torch.tensor(4.0)
    return [((torch.tensor(v), four), {}) for v in ([1.0, 1.0], [3.0, 3.0], [9.0, -1.0])]
