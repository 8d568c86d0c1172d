"""Backslashes and brackets inside what is replaced."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    if x.isnan().any() \
            or w.isnan().any():
        raise ValueError("NaN in x or "
                         "in w")
    print("a", \
          "b")
    y = x \
        if (x > w).all() \
        else w
    if (x.sum(
        ) > 0): raise ValueError(
            f"""sum
            of {x}
""")
    assert x.min() > 0, \
        f"{x.shape}"
    return y
