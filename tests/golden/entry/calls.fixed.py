"""torch.compile as a call: of functions, modules, methods, lambdas, and stored."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

def function(x: torch.Tensor):
    _graphmend.defer(print, "function")
    return x


def inner(x: torch.Tensor):
    _graphmend.defer(print, "called by a lambda")
    return x


def never(x: torch.Tensor):
    print("never compiled")
    return x


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        _graphmend.defer(print, "module")
        return self.helper(x)

    def helper(self, x: torch.Tensor):
        _graphmend.defer(print, "helper")
        return x

    def unused(self, x: torch.Tensor):
        print("unused")
        return x


class Other(nn.Module):
    def forward(self, x: torch.Tensor):
        _graphmend.defer(print, "module.compile()")
        return x


class Trainer:
    def __init__(self):
        self.step = torch.compile(self.train_step, backend="eager")

    def train_step(self, x: torch.Tensor):
        _graphmend.defer(print, "method")
        return x


compiled = torch.compile(function)
also = torch.compile(lambda x: inner(x))


def main():
    net = Net()
    net = torch.compile(net)
    other = Other()
    other.compile()
    never(torch.ones(1))
    return net, other, Trainer()
