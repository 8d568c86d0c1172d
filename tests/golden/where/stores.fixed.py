# Arms that change in place a tensor which only one name knows.
import torch
from torch import nn
from graphmend import runtime as _graphmend

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, pad: torch.Tensor):
        h = self.proj(x)
        mask = h.isnan()
        def _if_true(h):
            h[mask] = 0.0
            return h
        h = _graphmend.select(mask.any(), _if_true, lambda h: h, h, stores=True)
        scores = h @ h.T
        def _if_true_2(scores):
            scores[:, 1:] = float("-inf")
            scores[..., 0] += 1
            return scores
        def _if_false_2(scores):
            scores *= 2
            return scores
        scores = _graphmend.select((pad == 0).sum() > 0, _if_true_2, _if_false_2, scores, stores=True)
        count = scores.sum(-1)
        def _if_true_3(count):
            count.masked_fill_(count == 0, 1)
            _graphmend.defer(print, "empty rows")
            return count
        count = _graphmend.select(torch.any(count == 0), _if_true_3, lambda count: count, count, stores=True)
        def _if_false_4(scores):
            scores /= count
            return scores
        return _graphmend.select(pad.any(), _if_false_4, lambda scores: scores, scores, stores=True)
