import torch
@torch.compile
def run(x): print(x)