"""GM304: output by other means. A method of another object called write is none."""
import io
import pprint
import sys

import torch
from tqdm import tqdm


@torch.compile
def run(x: torch.Tensor, log: io.StringIO):
    sys.stdout.write("x\n")
    pprint.pprint({"x": x})
    for row in tqdm(x):
        log.write("row")
    return x
