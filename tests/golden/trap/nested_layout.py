"""Comments, blank lines and long lines around and inside the guards that are replaced."""
import torch


@torch.compile
def check(x: torch.Tensor, attention_mask: torch.Tensor, position_ids: torch.Tensor):
    # before
    if (
        torch.isnan(x).any()  # the values
        or torch.isnan(attention_mask).any()  # the mask
    ):  # after the colon
        # why it raises
        raise ValueError(
            "the hidden states or the attention mask hold NaN, which this layer cannot work with; "
            f"shapes {x.shape} and {attention_mask.shape}"
        )
    # between

    if position_ids.max() >= attention_mask.shape[-1]: raise IndexError(f"position {position_ids.max()}")  # trailing
    return x
