"""The raise stands in the else; the arm that goes on is no longer indented."""
import torch


@torch.compile
def head(x: torch.Tensor, w: torch.Tensor):
    if (w > 0).all():
        # the usual case
        y = x / w

        z = y.exp()  # positive
    else:
        raise ValueError("w must be positive")
    return y + z


@torch.compile
def only_pass(x: torch.Tensor):
    if x.max() < 10:
        pass
    else:
        raise ValueError("large")
    return x
