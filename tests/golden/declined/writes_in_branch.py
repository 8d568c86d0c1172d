"""The arm writes more than local names."""
import torch
from torch import nn

count = 0


class Net(nn.Module):
    def forward(self, x: torch.Tensor, out: dict):
        global count
        if x.max() > 1:
            self.seen = x
        if x.max() > 2:
            out["x"] = x
        if x.max() > 3:
            count = 1
        if x.max() > 4:
            x.mul_(2)
        if x.max() > 5:
            x += 1
        return x


class Own(nn.Module):
    def forward(self, x: torch.Tensor, at: torch.Tensor):
        h = x.clone()
        rows = [h]
        if x.max() > 1:
            nn.functional.silu(h, True)
        if x.max() > 2:
            rows.append(x[at])
        return torch.stack(rows)


class OfAnother(nn.Module):
    """What is changed was made in another turn, under another name, or not on all ways."""

    def forward(self, x: torch.Tensor, flag: bool):
        rows = [x]
        parts = []
        for i in range(3):
            if x.max() > i:
                if i:
                    parts.append(x)
                parts = [x]
        if x.max() > 4:
            same = rows
            same.append(x)
        h = x.clone()
        if x.max() > 5:
            if flag:
                h = x * 2
            h.add_(1)
        if x.max() > 6:
            items = [h]
            items[0] += 1
        return torch.stack(rows)
