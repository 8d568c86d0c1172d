"""Look-ups after a guard that cannot fail on its data, and such as the runtime keeps from failing before the check."""

import torch
import torch.nn.functional as F


@torch.compile
def clamped(table: torch.Tensor, ids: torch.Tensor):
    if (ids >= len(table)).any():
        raise ValueError("unknown id")
    return table[ids.clamp(0, len(table) - 1)] + table[ids % table.shape[0]] + F.one_hot(ids.clamp(0, 2), 3).sum()


@torch.compile
def of_same(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    values, places = x.topk(2, dim=1)
    return values + x.gather(1, places)


@torch.compile
def of_other(x: torch.Tensor, y: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    return y.gather(1, x.argmax(1, keepdim=True))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(5, 2)

    def forward(self, ids: torch.Tensor, rows: torch.Tensor):
        if (ids > 4).any():
            raise ValueError("unknown word")
        return self.words(ids) + F.embedding(ids, rows) + rows.index_select(0, ids)


@torch.compile
def called(model: Model, ids: torch.Tensor, rows: torch.Tensor):
    return model(ids, rows)
