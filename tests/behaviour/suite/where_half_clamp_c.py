"""The overflow guard of encoder layers in half precision."""

import torch
from torch import nn

ENTRY, EXPECT = "EncoderLayer", "fixed"
EXPECT_BREAKS_BEFORE = 2
NOT_FOR = ["inductor"]  # it keeps half-precision sums in float32, so that the overflow never shows


class EncoderLayer(nn.Module):
    def forward(self, hidden_states, residual):
        hidden_states = residual + hidden_states
        if hidden_states.dtype == torch.float16 and (
            torch.isinf(hidden_states).any() or torch.isnan(hidden_states).any()
        ):
            # keep clear of the largest value
            clamp_value = torch.finfo(hidden_states.dtype).max - 1000
            hidden_states = torch.clamp(hidden_states, min=-clamp_value, max=clamp_value)
        return hidden_states * 0.5


def cases():
    g = torch.Generator().manual_seed(10)
    h, r = torch.randn(2, 3, generator=g).half(), torch.randn(2, 3, generator=g).half()
    big = h.clone()
    big[0, 0] = 60000.0
    return [((h, r), {}), ((big, big), {}), ((h.float(), r.float()), {}), ((big.float() * 1e38, big.float()), {})]
