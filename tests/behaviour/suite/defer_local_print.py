"""Clean: `print` and `logger` are the user's own objects here, which only append to a list; nothing breaks."""

import torch

ENTRY = "beam_step"
EXPECT = "clean"


class Notes:
    def __init__(self):
        self.lines = []

    def info(self, text):
        self.lines.append(text)


def beam_step(scores, beams):
    collected = []

    def print(*parts, end=""):
        collected.append(len(parts))

    logger = Notes()
    print("scores", scores.shape)
    flat = scores.flatten()
    logger.info("flattened")
    values, index = flat.topk(beams)
    print(values, index, beams, end="\n")
    return values, index // scores.shape[-1], collected, logger.lines


compiled = torch.compile(beam_step)


def cases():
    g = torch.Generator().manual_seed(38)
    scores = torch.randn(3, 7, generator=g)
    return [((scores, 2), {}), ((scores, 4), {})]
