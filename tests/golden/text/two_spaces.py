"""Two spaces, one suite with three."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
  # guard
  if x.isnan().any():
    raise ValueError("NaN")  # trailing
  print(
    "x",  # first
    x.shape,
  )

  if (w > 0).all():
     y = x * 2
     y = y + w
  else:
    y = x
  return y
