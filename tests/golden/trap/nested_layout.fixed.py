"""Comments, blank lines and long lines around and inside the guards that are replaced."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def check(x: torch.Tensor, attention_mask: torch.Tensor, position_ids: torch.Tensor):
    # before
    _graphmend.raise_if(_graphmend.either(
            torch.isnan(x).any(),  # the values
            lambda: torch.isnan(attention_mask).any()),  # the mask
        # after the colon
        # why it raises
        lambda x_shape, attention_mask_shape: ValueError(
            "the hidden states or the attention mask hold NaN, which this layer cannot work with; "
            f"shapes {x_shape} and {attention_mask_shape}"
        ), x.shape, attention_mask.shape)
    # between

    _graphmend.raise_if(position_ids.max() >= attention_mask.shape[-1], lambda position_ids: IndexError(f"position {position_ids.max()}"), position_ids)  # trailing
    return x
