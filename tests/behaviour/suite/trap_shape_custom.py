"""Trap: f-string message with a shape, and a custom exception class with two positional arguments."""

import torch

ENTRY = "token_embedding"
EXPECT = "fixed"


class VocabularyError(RuntimeError):
    def __init__(self, reason, limit):
        super().__init__(reason, limit)
        self.limit = limit


def token_embedding(ids, table, segment):
    n_vocab, width = table.shape
    if (segment > 1).any():
        raise ValueError(f"segment ids of shape {tuple(segment.shape)} must be 0 or 1")
    folded = ids.remainder(n_vocab)
    if torch.any(folded != ids):
        raise VocabularyError(f"ids {list(ids.shape)} leave the table", n_vocab)
    one_hot = torch.nn.functional.one_hot(folded, n_vocab).to(table.dtype)
    words = one_hot @ table
    shift = segment.unsqueeze(-1).to(table.dtype) * 0.5
    return (words + shift) * width**0.5


compiled = torch.compile(token_embedding)


def cases():
    g = torch.Generator().manual_seed(5)
    table = torch.randn(10, 6, generator=g)
    ids = torch.tensor([[1, 4, 9], [0, 2, 3]])
    outside = torch.tensor([[1, 4, 10], [0, 2, 3]])
    zeros = torch.zeros_like(ids)
    return [
        ((ids, table, zeros), {}),
        ((outside, table, zeros), {}),
        ((ids, table, zeros + 2), {}),
        ((outside, table, zeros + 2), {}),
        ((ids, table), {"segment": zeros + 1}),
    ]
