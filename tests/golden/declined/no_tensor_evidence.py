# graphmend-test: check --pedantic
"""Nothing is known of what is tested."""
import torch


@torch.compile
def run(thing, other):
    if thing > other:
        return thing
    return other
