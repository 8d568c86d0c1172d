"""Spaces in one function, tabs in another."""
import torch


@torch.compile
def spaces(x: torch.Tensor):
  if x.max() > 1:
     y = x / 2
     x = y.abs()
  return x


@torch.compile
def tabs(x: torch.Tensor):
	if x.max() > 1:
		y = x / 2
		x = y.abs()
	if x.min() < 0:
		raise ValueError("negative")
	return x
