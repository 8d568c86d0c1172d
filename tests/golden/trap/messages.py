"""f-strings, format and % with values of tensors: what is formatted is read when the guard fails."""
import torch


@torch.compile
def check(x: torch.Tensor, low: float, ids: torch.Tensor):
    if (x < low).any():
        raise ValueError(f"{x.min().item():.3f} < {low}")
    if (ids < 0).any():
        raise IndexError("index {} of {!r}".format(ids.min(), ids.shape))
    if (ids > 99).any():
        raise IndexError("index %d in %s" % (ids.max(), tuple(ids.shape)))
    if x.isnan().any():
        raise ValueError(f"{x=}, {x.isnan().sum()=}, at {[i for i in x.isnan().nonzero().tolist()]}")
    return x[0]
