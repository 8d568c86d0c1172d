"""The overflow clamp of encoder layers, whose gradient is the same through a selection."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

class Layer(nn.Module):
    def forward(self, hidden_states: torch.Tensor, x: torch.Tensor):
        def _if_true(hidden_states):
            clamp_value = torch.finfo(hidden_states.dtype).max - 1000
            hidden_states = torch.clamp(hidden_states, min=-clamp_value, max=clamp_value)
            return hidden_states
        hidden_states = _graphmend.select(
            hidden_states.dtype == torch.float16 and _graphmend.either(
                torch.isinf(hidden_states).any(), lambda: torch.isnan(hidden_states).any()
            ),
            _if_true,
            lambda hidden_states: hidden_states,
            hidden_states,
            smooth=True,
        )

        def _if_true_2(x):
            top = torch.finfo(x.dtype).max
            x = x.clamp(-top, top)
            return x
        x = _graphmend.select(torch.isfinite(x).all(), lambda x: x, _if_true_2, x, smooth=True)
        return hidden_states, x
