"""Spaces in one function, tabs in another."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def spaces(x: torch.Tensor):
  def _if_true(x):
     y = x / 2
     x = y.abs()
     return x
  x = _graphmend.select(x.max() > 1, _if_true, lambda x: x, x)
  return x


@torch.compile
def tabs(x: torch.Tensor):
	def _if_true(x):
		y = x / 2
		x = y.abs()
		return x
	x = _graphmend.select(x.max() > 1, _if_true, lambda x: x, x)
	_graphmend.raise_if(x.min() < 0,
		lambda: ValueError("negative"))
	return x
