"""f-strings, format and % with values of tensors: what is formatted is read when the guard fails."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def check(x: torch.Tensor, low: float, ids: torch.Tensor):
    _graphmend.raise_if((x < low).any(),
        lambda x, low: ValueError(f"{x.min().item():.3f} < {low}"), x, low)
    _graphmend.raise_if((ids < 0).any(),
        lambda ids, ids_shape: IndexError("index {} of {!r}".format(ids.min(), ids_shape)), ids, ids.shape)
    _graphmend.raise_if((ids > 99).any(),
        lambda ids, ids_shape: IndexError("index %d in %s" % (ids.max(), ids_shape)), ids, tuple(ids.shape))
    _graphmend.raise_if(x.isnan().any(),
        lambda x: ValueError(f"{x=}, {x.isnan().sum()=}, at {[i for i in x.isnan().nonzero().tolist()]}"), x)
    return x[0]
