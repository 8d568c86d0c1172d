"""Defer: isEnabledFor guards, one of them with values read from tensors."""

import logging

import torch

ENTRY = "adam_step"
EXPECT = "fixed"

logger = logging.getLogger("optim.adam")
logger.setLevel(logging.INFO)


def adam_step(param, grad, moment, beta=0.9, rate=0.01):
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("never: %s", grad.mean().item())
    moment.mul_(beta).add_(grad, alpha=1 - beta)
    if logger.isEnabledFor(logging.INFO):
        logger.info("moment %.4f, grad %.4f", moment.sum().item(), grad.norm().item())
    update = rate * moment.sign()
    moment.mul_(0.5)
    return param - update


compiled = torch.compile(adam_step)


def cases():
    g = torch.Generator().manual_seed(39)
    p, d, m = (torch.randn(5, generator=g) for _ in range(3))
    return [((p, d, m), {}), ((p, -d, m), {"beta": 0.5})]
