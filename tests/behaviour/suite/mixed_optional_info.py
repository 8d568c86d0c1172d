"""A branch on the input reads what may be None: Qwen-Audio's shape. Where both hold, the original raises, and so must this."""
import torch
from torch import nn

ENTRY, EXPECT = "build()", "declined"


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(6, 4)

    def forward(self, ids, info=None):
        hidden = self.words(ids)
        if torch.any(ids == 5):
            sounds = info["sounds"]
            print("sounds", tuple(sounds.shape))
            hidden = hidden + sounds
        return hidden * 2


def build():
    torch.manual_seed(2)
    return Model().eval().requires_grad_(False)


compiled = torch.compile(build())


def cases():
    text, sound = torch.tensor([[0, 1]]), torch.tensor([[5, 1]])
    info = {"sounds": torch.ones(1, 2, 4)}
    return [((text,), {}), ((sound, info), {}), ((sound,), {}), ((text, info), {}), ((sound, {}), {})]
