"""match, walrus, positional-only parameters, PEP 695, except*, nested f-string quotes."""
import torch

type Pair[T] = tuple[T, T]


def double[T: torch.Tensor](x: T, /, *, check: bool = True) -> T:
    if check and (n := x.isnan().sum()) > 0:
        raise ValueError(f"{n} NaN in {", ".join(["x"])}")
    return x * 2


@torch.compile
def run(x: torch.Tensor, mode: str):
    match mode:
        case "double" if (x > 0).all():
            print(f"{"double"} {x}")
            return double(x)
        case "half" | "quarter":
            if x.max() > 1: raise ValueError("large")
            return x / 2
    return x
