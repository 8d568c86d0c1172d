"""A parameter that is made up is none of the cause's names."""
import torch

CAUSE = KeyError("cause")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.error = 7
        self.CAUSE = 5

    def forward(self, x: torch.Tensor, error):
        if x.sum() > 10:
            raise ValueError(self.error) from error
        if x.sum() < -10:
            raise ValueError(self.CAUSE) from CAUSE
        return x


model = torch.compile(Model())
