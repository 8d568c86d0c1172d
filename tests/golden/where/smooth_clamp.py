"""The overflow clamp of encoder layers, whose gradient is the same through a selection."""
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, hidden_states: torch.Tensor, x: torch.Tensor):
        if hidden_states.dtype == torch.float16 and (
            torch.isinf(hidden_states).any() or torch.isnan(hidden_states).any()
        ):
            clamp_value = torch.finfo(hidden_states.dtype).max - 1000
            hidden_states = torch.clamp(hidden_states, min=-clamp_value, max=clamp_value)

        if not torch.isfinite(x).all():
            top = torch.finfo(x.dtype).max
            x = x.clamp(-top, top)
        return hidden_states, x
