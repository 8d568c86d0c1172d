"""Code that is not run while compiling, or only then."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        if not torch.compiler.is_compiling():
            print("eager only")
            if x.isnan().any():
                raise ValueError("NaN")
        if torch.compiler.is_compiling():
            print("compiled only")
        else:
            print("eager only")
        if torch.jit.is_scripting() or torch.jit.is_tracing():
            print("scripting only")
        if not torch.compiler.is_dynamo_compiling() and x.sum() > 0:
            print("eager only")
        if torch.compiler.is_compiling():
            return x
        print("eager only: the rest")
        return x + 1
