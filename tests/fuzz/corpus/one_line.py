import torch
class M(torch.nn.Module):
 def forward(self, x): print(x); return x if x.any() else -x
m = torch.compile(M())
