"""A vision-text encoder in half precision whose layers clamp what overflows, with gradients: Florence-2's shape."""
import torch
from torch import nn

ENTRY, EXPECT, GRAD = "build()", "fixed", True
NOT_FOR = ["inductor"]  # without the break it keeps half-precision sums in float32, so that other values overflow


class Layer(nn.Module):
    def __init__(self, gain):
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)
        self.gain = gain

    def forward(self, hidden_states, mask=None, with_scores=False):
        residual = hidden_states
        hidden_states = self.mix(hidden_states) * self.gain
        hidden_states = residual + hidden_states
        if hidden_states.dtype == torch.float16 and (
            torch.isinf(hidden_states).any() or torch.isnan(hidden_states).any()
        ):
            clamp_value = torch.finfo(hidden_states.dtype).max - 1000
            hidden_states = torch.clamp(hidden_states, min=-clamp_value, max=clamp_value)
        outputs = (hidden_states,)
        if with_scores:
            outputs += (self.norm(hidden_states),)
        return outputs


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(1, 4, 2, stride=2)
        self.words = nn.Embedding(5, 4)
        self.layers = nn.ModuleList([Layer(1.0), Layer(1000.0)])

    def forward(self, pixels, ids, with_scores=False):
        seen = self.patches(pixels).flatten(2).transpose(1, 2)
        hidden = torch.cat([seen, self.words(ids)], dim=1)
        states = ()
        for layer in self.layers:
            states += (hidden,)
            outputs = layer(hidden, with_scores=with_scores)
            hidden = outputs[0]
        return outputs, states


def build():
    torch.manual_seed(7)
    return Model().half()


compiled = torch.compile(build())


def cases():
    pixels = torch.linspace(-1, 1, 16).reshape(1, 1, 4, 4).half()
    ids = torch.tensor([[0, 4]])
    return [((pixels, ids), {}), ((pixels * 600, ids, True), {}), ((pixels * float("inf"), ids), {})]
