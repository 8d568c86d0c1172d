"""Text: CRLF line ends throughout, also inside a multi-line string that is printed."""

import torch

ENTRY = "spec_augment"
EXPECT = "fixed"


def spec_augment(mel, width):
    # a comment before the check
    if (mel > 80).any():  # trailing comment
        raise ValueError("mel above 80 dB")

    # a comment between statements
    print("""masking
    two lines""")

    time = torch.arange(mel.shape[-1])
    mask = (time % (2 * width)) < width
    # the last comment
    return mel.masked_fill(mask, 0.0)


compiled = torch.compile(spec_augment)


def cases():
    g = torch.Generator().manual_seed(51)
    mel = torch.randn(2, 8, generator=g)
    return [((mel, 2), {}), ((mel + 100, 2), {}), ((mel,), {"width": 3})]
