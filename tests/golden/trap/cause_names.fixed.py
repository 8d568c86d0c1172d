"""A parameter that is made up is none of the cause's names."""
import torch
from graphmend import runtime as _graphmend

CAUSE = KeyError("cause")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.error = 7
        self.CAUSE = 5

    def forward(self, x: torch.Tensor, error):
        _graphmend.raise_if(x.sum() > 10,
            lambda error_2, error: _graphmend.caused(ValueError(error_2), error), self.error, error)
        _graphmend.raise_if(x.sum() < -10,
            lambda CAUSE_2: _graphmend.caused(ValueError(CAUSE_2), CAUSE), self.CAUSE)
        return x


model = torch.compile(Model())
