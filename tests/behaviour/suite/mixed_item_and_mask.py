"""Mixed, declined: Python numbers and data-dependent shapes taken out of tensors steer the rest."""

import torch

ENTRY = "drop_padding"
EXPECT = "declined"


def drop_padding(tokens, lengths, pad=0):
    longest = int(lengths.max())
    tokens = tokens[:, :longest]
    real = tokens[tokens != pad]
    first = torch.where(tokens[0] != pad)[0]
    sizes = lengths.tolist()
    print("sizes", sizes, "of", longest)
    pieces = list(real.split([min(s, longest) for s in sizes]))
    average = real.float().mean().item()
    while longest > 1 and average > 2:
        average /= 2
        longest -= 1
    return pieces, first, average, longest


compiled = torch.compile(drop_padding)


def cases():
    tokens = torch.tensor([[3, 1, 4, 0, 0], [1, 5, 0, 0, 0]])
    return [((tokens, torch.tensor([3, 2])), {}), ((tokens[:, :4] * 9, torch.tensor([3, 2])), {})]
