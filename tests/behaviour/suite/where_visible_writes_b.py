"""Arms that write what others can see: an alias, a buffer, an attribute, the random state."""

import torch

ENTRY = "make()"
EXPECT = "declined"


class Tracker(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))
        self.last = None
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        view = x
        if x.sum() > 0:
            view.mul_(2)
        if x.mean() > 1:
            self.count += 1
            self.last = x.clone()
        y = x
        if x.max() > 3:
            y = y * 2
        y.add_(1)
        if x.min() < 0:
            y = self.drop(y)
        return x, y + torch.rand(())


def make():
    return Tracker()


def cases():
    values = ([1.0, 2.0], [-1.0, 0.5], [4.0, 5.0], [-3.0, 9.0])
    return [((torch.tensor(v),), {}) for v in values]
