"""torch.compile as a call: of functions, modules, methods, lambdas, and stored."""
import torch
from torch import nn


def function(x: torch.Tensor):
    print("function")
    return x


def inner(x: torch.Tensor):
    print("called by a lambda")
    return x


def never(x: torch.Tensor):
    print("never compiled")
    return x


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        print("module")
        return self.helper(x)

    def helper(self, x: torch.Tensor):
        print("helper")
        return x

    def unused(self, x: torch.Tensor):
        print("unused")
        return x


class Other(nn.Module):
    def forward(self, x: torch.Tensor):
        print("module.compile()")
        return x


class Trainer:
    def __init__(self):
        self.step = torch.compile(self.train_step, backend="eager")

    def train_step(self, x: torch.Tensor):
        print("method")
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
