# graphmend-test: fix --entry=all
# graphmend-test: check --entry=all
"""--entry=all: every function may be compiled."""
import torch


def first(x: torch.Tensor):
    print("first")
    return x


class Plain:
    def method(self, x: torch.Tensor):
        if x.isnan().any():
            raise ValueError("NaN")
        return x
