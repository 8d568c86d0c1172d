import torch
@torch.compile
def f(x):
    if x.any():
          print(x)
        # odd
    # more
# out
    return x
