"""Clean: code that stands only in strings and comments.

    if x.isnan().any():
        raise ValueError("NaN")
    print("x", x)
"""
import torch

ENTRY = "double"
EXPECT = "clean"

TEMPLATE = '''
@torch.compile
def f(x):
    print("template", x)
    if x.sum() > 0: raise ValueError
'''


@torch.compile
def other(x):
    """assert (x > 0).all(), f"{x}" """
    return x + 1  # print("never")


def double(x):
    # if (x < 0).any():
    #     raise ValueError("negative")
    text = "logger.warning('no')"
    return x * 2 + len(text) + len(TEMPLATE)


compiled = torch.compile(double)


def cases():
    return [((torch.tensor([1.0]),), {})]
