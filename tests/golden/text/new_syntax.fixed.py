"""match, walrus, positional-only parameters, PEP 695, except*, nested f-string quotes."""
import torch
from graphmend import runtime as _graphmend

type Pair[T] = tuple[T, T]


def double[T: torch.Tensor](x: T, /, *, check: bool = True) -> T:
    _graphmend.raise_if(check and (n := x.isnan().sum()) > 0,
        lambda n: ValueError(f"{n} NaN in {", ".join(["x"])}"), n)
    return x * 2


@torch.compile
def run(x: torch.Tensor, mode: str):
    match mode:
        case "double" if (x > 0).all():
            _graphmend.defer(lambda x: print(f"{"double"} {x}"), x)
            return double(x)
        case "half" | "quarter":
            _graphmend.raise_if(x.max() > 1, lambda: ValueError("large"))
            return x / 2
    return x
