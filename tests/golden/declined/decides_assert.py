"""An assert that cannot be rewritten decides on a conditional expression."""

import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        assert x.sum() > 0 if x.max() > 0 else x.min() > -9, "text"
        self.seen = x
        return x


compiled = torch.compile(Net())
