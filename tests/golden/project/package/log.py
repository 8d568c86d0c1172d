import logging


def get(name):
    return logging.getLogger(name)
