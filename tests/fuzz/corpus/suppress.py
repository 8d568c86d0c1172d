# graphmend: off[GM3]
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        print(x)  # graphmend: ignore[GM301, GM101] why  # type: ignore
        # graphmend: on
        # graphmend: ignore[print]

        print(
            x,
        )
        y = x.sum().item()  # noqa: GM401, E501, GM999
        if x.sum() > 0:  # graphmend: ignore
            x = x + 1  # graphmend: ignore[]
        return x * y


# graphmend: file-ignore[ALL]
# [__graph_breaks] Graph break in user code at fuzz.py:12
# [__graph_breaks] Graph Break Reason: Encountered:
# [__graph_breaks] please visit .../gb/gb0170.html
