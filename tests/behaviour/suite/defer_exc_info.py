"""Defer: logger.exception and exc_info=True in a handler: the record carries the exception being handled."""
import logging

import torch

ENTRY = "lookup"
EXPECT = "declined"


class Keep(logging.Handler):
    def __init__(self):
        super().__init__()
        self.seen = []

    def emit(self, record):
        info = record.exc_info
        self.seen.append((record.getMessage(), info[0].__name__ if info and info[0] else None, str(info and info[1])))


kept = Keep()
logger = logging.getLogger("lookup.table")
logger.addHandler(kept)


def lookup(x, table, key):
    try:
        scale = table[key]
    except KeyError:
        logger.exception("no entry for %s", key)
        scale = 1.0
    try:
        scale = scale / table["unit"]
    except ZeroDivisionError:
        logger.error("unit is zero", exc_info=True)
    logger.warning("outside", exc_info=True)
    return x * scale


compiled = torch.compile(lookup)


def observe():
    return kept.seen


def cases():
    x = torch.ones(2)
    table = {"a": 2.0, "unit": 4.0}
    return [((x, table, "a"), {}), ((x, table, "b"), {}), ((x, {"a": 3.0, "unit": 0.0}, "a"), {})]
