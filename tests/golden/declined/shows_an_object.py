import dataclasses

import torch


@dataclasses.dataclass
class Options:
    width: int = 1


@torch.compile
def scale(x):
    options = Options()
    print(options)
    options.width = 3
    return x * options.width
