# Results whose shape depends on values.
import torch
import torch.nn.functional as F


@torch.compile
def shapes(x: torch.Tensor, ids: torch.Tensor):
    mask = ids == 3
    kept = x[mask]
    x[mask] = 0.0
    x[mask] += 1
    rows = torch.where(mask)[0]
    rows = mask.nonzero()
    kinds = ids.unique()
    spread = torch.repeat_interleave(x, ids, dim=0)
    twice = torch.repeat_interleave(x, 2, dim=0)
    sized = x.repeat_interleave(ids, dim=0, output_size=12)
    wide = F.one_hot(ids)
    narrow = F.one_hot(ids, num_classes=4)
    return kept, rows, kinds, spread, twice, sized, wide, narrow
