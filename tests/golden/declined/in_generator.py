"""The output stands in a generator."""
import torch


@torch.compile
def run(x: torch.Tensor):
    def rows():
        for row in x:
            print("row", row)
            yield row

    return list(rows())
