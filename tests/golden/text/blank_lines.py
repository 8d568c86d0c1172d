"""Blank lines with white space, form feeds and lines that only hold a comment."""
import torch


@torch.compile
def run(x: torch.Tensor):
    if x.isnan().any():
    
        raise ValueError("NaN")
	
    # comment
  # less indented
    if x.max() > 1:
        y = x / 2

        # inside

        x = y + 1
# not indented
    return x

