"""Trap: a value that the exception tells is called as the cause: no two parameters of one name, no name hidden."""
import torch

ENTRY = "Model"
EXPECT = "fixed"
CAUSE = KeyError("cause")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.error = 7
        self.CAUSE = 5

    def forward(self, x, error):
        if x.sum() > 10:
            raise ValueError(self.error) from error
        if x.sum() < -10:
            raise ValueError(self.CAUSE) from CAUSE
        return x + 1


def cases():
    error = IndexError("given")
    return [((torch.full((3,), value), error), {}) for value in (1.0, 20.0, -20.0)]
