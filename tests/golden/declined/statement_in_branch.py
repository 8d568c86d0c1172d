"""The arm holds statements that no selection can hold."""
import torch


@torch.compile
def run(x: torch.Tensor):
    for i in range(3):
        if x.max() > 1:
            break
        x = x * 2
    if x.min() < 0:
        with torch.inference_mode():
            x = x + 1
    if x.min() < 1:
        del i
    if x.min() < 2:
        return x
    print("end")
