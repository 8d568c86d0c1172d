"""A finally body that puts state back sees nothing of a warning: it prints nothing, not by a method or a property either."""
import warnings
from contextvars import ContextVar

import torch


class Collector:
    def __init__(self):
        self.variable = ContextVar("collected", default=None)
        self.value = None

    def set(self, value):
        if torch.compiler.is_compiling():
            self.value = value
            return None
        return self.variable.set(value)

    def reset(self, token):
        if token is None:
            self.value = None
        else:
            self.variable.reset(token)


class Loud:
    def __init__(self):
        self.given = None

    @property
    def value(self):
        return self.given

    @value.setter
    def value(self, value):
        print("value", value)
        self.given = value

    def __iadd__(self, other):
        print("more", other)
        return self


collector = Collector()
loud = Loud()


def collecting(function):
    def wrapper(self, x):
        token = collector.set([])
        try:
            y = function(self, x)
        finally:
            collector.reset(token)
        return y

    return wrapper


class Quiet(torch.nn.Module):
    @collecting
    def forward(self, x: torch.Tensor):
        if x.dim() > 1:
            warnings.warn("deep")
        return x + 1


class BySetter(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        try:
            warnings.warn("one")
        finally:
            loud.value = 1
        return x + 1


class ByOperator(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        seen = loud
        try:
            warnings.warn("two")
        finally:
            seen += 1
        return x + 1


class ByUnknown(torch.nn.Module):
    def forward(self, x: torch.Tensor, token):
        try:
            warnings.warn("three")
        finally:
            token.var.reset(token)
        return x + 1


class WhatItAssigns(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        steps = 0
        try:
            warnings.warn("four")
            steps = 1
        finally:
            self.steps = steps
        return x + 1


class Leaves(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        try:
            warnings.warn("five")
        finally:
            return x + 1
