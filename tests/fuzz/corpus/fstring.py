import torch
@torch.compile
def f(x):
    print(f"{x!r:>{x.ndim}} {{}} {f'{x}'} " rf'\{x}' b'' '\N{DASH}')
