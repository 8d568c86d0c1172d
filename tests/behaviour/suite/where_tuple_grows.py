"""A clamped state is returned in a tuple that grows with +=, and kept in a list by index: neither changes the tensor."""
import torch
from torch import nn

ENTRY, EXPECT = "build()", "fixed"
NOT_FOR = ["inductor"]  # without the break it keeps half-precision sums in float32


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, hidden, with_scores=False):
        hidden = self.lin(hidden) * 1e4
        if torch.isinf(hidden).any() or torch.isnan(hidden).any():
            bound = torch.finfo(hidden.dtype).max - 1000
            hidden = torch.clamp(hidden, min=-bound, max=bound)
        outputs = (hidden,)
        if with_scores:
            outputs += (hidden.softmax(-1),)
        return outputs


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Layer(), Layer()])

    def forward(self, x, with_scores=False):
        kept = [x, x]
        for i, layer in enumerate(self.layers):
            outputs = layer(kept[i], with_scores)
            kept[i] = outputs[0]
        return kept, outputs


def build():
    torch.manual_seed(3)
    return Net().half().eval()


compiled = torch.compile(build())


def cases():
    x = torch.arange(8, dtype=torch.float16).reshape(2, 4)
    return [((x * 1e-3,), {}), ((x * 1e3, True), {}), ((x * float("nan"),), {}), ((-x, True), {})]
