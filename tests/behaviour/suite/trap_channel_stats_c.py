"""Image normalisation of a vision pipeline: a zero standard deviation is refused."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "normalize", "fixed", True
EXPECT_BREAKS_BEFORE = 1


@torch.compile
def normalize(image, mean, std):
    scaled = image / 255.0
    if (std == 0).any():
        raise ValueError(f"std has a zero entry, std={std.tolist()}, image of shape {tuple(image.shape)}")
    return (scaled - mean[:, None, None]) / std[:, None, None]


def cases():
    g = torch.Generator().manual_seed(1)
    image, mean = torch.rand(3, 4, 5, generator=g) * 255, torch.tensor([0.4, 0.5, 0.6])
    return [((image, mean, torch.tensor([0.2, 0.3, 0.4])), {}), ((image, mean, torch.tensor([0.2, 0.0, 0.4])), {})]
