"""GM304: output by other means. A method of another object called write is none."""
import io
import pprint
import sys

import torch
from tqdm import tqdm
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, log: io.StringIO):
    _graphmend.defer(lambda: sys.stdout.write("x\n"))
    _graphmend.defer(lambda x: pprint.pprint({"x": x}), x)
    for row in tqdm(x):
        log.write("row")
    return x
