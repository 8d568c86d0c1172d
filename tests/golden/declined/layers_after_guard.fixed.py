import functools
import logging

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from graphmend import runtime as _graphmend

class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x):
        self.count += 1
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(4)
        self.linear = nn.Linear(4, 4)
        self.block = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.counting = nn.Sequential(Counting(), nn.ReLU())
        self.spectral = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 4))
        self.weighted = nn.utils.parametrizations.weight_norm(nn.Linear(4, 4))
        self.heads = nn.ModuleList()


class Checkpointed(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        return checkpoint(self.bn, x * 2, use_reentrant=False)


class InSequential(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        return checkpoint(self.block, x * 2, use_reentrant=False)


class Counts(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        return checkpoint(self.counting, x * 2, use_reentrant=False)


class Functional(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        return torch.func.functional_call(self.bn, {}, (x * 2,))


class Mapped(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        return list(map(functools.partial(self.bn), [x * 2]))


class ByForward(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        return self.bn.forward(x * 2)


class Parametrized(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        return self.spectral(x * 2)


class Switches(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        self.train(not self.training)
        return x * 2


class SetsBySuper(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        super().__setattr__("seen", True)
        return x * 2


class Initializes(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        self.linear.reset_parameters()
        return x * 2


class Appends(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        self.heads.append(nn.Identity())
        return x * 2


class Silences(Net):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("nan")
        logging.getLogger("net").setLevel(logging.ERROR)
        return x * 2


class Taken(Net):
    def forward(self, x):  # none of these writes anything
        _graphmend.raise_if(torch.isnan(x).any(),
            lambda: ValueError("nan"), places=True)
        x = checkpoint(self.linear, x * 2, use_reentrant=False)
        return torch.func.functional_call(self.weighted, {}, (x,))
