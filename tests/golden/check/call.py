# Calls and statements that Dynamo cannot trace.
import copy
import threading
import time

import torch
from torch import nn


@torch.compiler.disable(recursive=False)
def outside(x):
    return x + 1


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 4)
        self.lock = threading.Lock()

    @torch.compiler.disable
    def helper(self, x):
        return x

    def forward(self, x: torch.Tensor):
        started = time.time()
        x.sum().backward()
        x, state = self.lstm(x)
        other = copy.deepcopy(x)
        other.resize_(4)
        x = self.helper(outside(x))
        with threading.Lock():
            x = x * 2
        torch._dynamo.graph_break()
        exec("pass")
        return x, other, torch.initial_seed(), time.time() - started
