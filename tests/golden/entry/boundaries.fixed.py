"""What is excluded from compilation stays; the call of it is the break."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

@torch.compiler.disable
def logged(x: torch.Tensor):
    print("eager", x)
    return below(x)


def below(x: torch.Tensor):
    print("only called from excluded code")
    return x


@torch.jit.script
def scripted(x: torch.Tensor):
    print("scripted")
    return x


@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    print("operator")
    return x.clone()


@torch.jit.ignore
def ignored(x: torch.Tensor):
    print("ignored by the script compiler")
    return x


class Net(nn.Module):
    @torch._dynamo.disable
    def show(self, x):
        print("show", x)

    def forward(self, x: torch.Tensor):
        self.show(x)
        x = logged(x)
        x = op(scripted(x))
        _graphmend.defer(print, "compiled")
        return x
