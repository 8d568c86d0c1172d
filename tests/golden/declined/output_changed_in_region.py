"""Where or how output appears is changed while the region runs, in the function or in one that leads to it."""

import io
import logging
import sys

import torch

log = logging.getLogger(__name__)


def replaced(x):
    print("one")
    old = sys.stdout
    sys.stdout = io.StringIO()
    print("two")
    sys.stdout = old
    return x + 1


def shown(x):
    print(x)
    return x + 1


def fewer_digits(x):
    torch.set_printoptions(precision=1)
    y = shown(x)
    torch.set_printoptions(profile="default")
    return y


def silenced(x):
    log.disabled = True
    log.warning("rows: %d", x.shape[0])
    log.disabled = False
    return x + 1


def apart(x):
    log.info("rows: %d", x.shape[0])  # nothing here changes it
    return x + 1


for function in (replaced, fewer_digits, silenced, apart):
    torch.compile(function)
