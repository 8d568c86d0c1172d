"""f-strings, format and % with values of tensors: what is formatted is read when the guard fails."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def check(x: torch.Tensor, low: float, ids: torch.Tensor):
    _graphmend.raise_if((x < low).any(),
        lambda x_min, low: ValueError(f"{x_min.item():.3f} < {low}"), x.min(), low)
    _graphmend.raise_if((ids < 0).any(),
        lambda ids_min, ids_shape: IndexError("index {} of {!r}".format(ids_min, ids_shape)), ids.min(), ids.shape)
    _graphmend.raise_if((ids > 99).any(),
        lambda ids_max, ids_shape: IndexError("index %d in %s" % (ids_max, ids_shape)), ids.max(), tuple(ids.shape))
    _graphmend.raise_if(x.isnan().any(),
        lambda x, x_isnan_sum, x_isnan: ValueError(f"{x=}, x.isnan().sum()={x_isnan_sum!r}, at {[i for i in x_isnan.nonzero().tolist()]}"), x, x.isnan().sum(), x.isnan())
    return x[0]
