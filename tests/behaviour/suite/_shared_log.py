"""Beside the cases: a project's logging module, imported by defer_imported_logger."""
import logging

logger = logging.getLogger("shared.log")
logger.setLevel(logging.INFO)


def report(*parts):
    print("[report]", *parts)
