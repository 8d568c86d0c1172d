"""A guard and an assert with a formatted message in a training step."""

import torch

ENTRY = "make()"
EXPECT = "fixed"
GRAD = True


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = torch.nn.Linear(4, 3)

    def forward(self, x, target):
        logits = self.proj(x)
        assert (target >= 0).all(), f"negative class among {target.shape[0]}"
        if not (target < 3).all():
            raise IndexError("class out of range")
        return torch.nn.functional.cross_entropy(logits, target.clamp(0, 2))


def make():
    return Head()


def cases():
    torch.manual_seed(3)
    x = torch.randn(2, 4)
    return [((x, torch.tensor([0, 2])), {}), ((x, torch.tensor([0, -1])), {}), ((x, torch.tensor([0, 5])), {})]
