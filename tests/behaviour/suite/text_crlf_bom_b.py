# -*- coding: utf-8 -*-
"""Carriage returns and a byte-order mark."""

import torch

ENTRY = "step"
EXPECT = "fixed"


def step(x):
    y = x * 2
    print("é", y.sum())  # trailing
    return y


compiled = torch.compile(step)


def cases():
    return [((torch.ones(2),), {})]
