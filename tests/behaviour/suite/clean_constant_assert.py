"""Clean: asserts on tensors with constant text, or none at all, do not break the graph."""

import torch

ENTRY = "mixup"
EXPECT = "clean"


def mixup(images, labels, ratio):
    assert images.dim() == 4, f"images have {images.dim()} dimensions"
    assert (ratio >= 0).all(), "ratios must not be negative"
    assert torch.isfinite(images).all()
    order = torch.arange(images.shape[0] - 1, -1, -1)
    share = ratio.view(-1, 1, 1, 1)
    mixed = share * images + (1 - share) * images[order]
    targets = ratio.unsqueeze(-1) * labels + (1 - ratio.unsqueeze(-1)) * labels[order]
    return mixed, targets


compiled = torch.compile(mixup)


def cases():
    g = torch.Generator().manual_seed(44)
    images = torch.rand(3, 1, 2, 2, generator=g)
    labels = torch.eye(3)
    return [
        ((images, labels, torch.tensor([0.1, 0.5, 1.0])), {}),
        ((images,), {"labels": labels, "ratio": torch.zeros(3)}),
    ]
