"""The only binding of a name moves into an arm; elsewhere the name must not become a global, of which there is one."""
import torch

ENTRY, EXPECT = "mix", "declined"
scale = 100.0


def mix(x, flag):
    if flag:
        if x.sum() > 0:
            scale = x.mean()
        else:
            print("negative")
        x = x + 1
    elif x.max() > 4:
        x = x * scale
    return x


compiled = torch.compile(mix)


def cases():
    x = torch.tensor([0.5, -1.0, 2.0])
    return [((x, True), {}), ((-x, True), {}), ((x * 5, False), {}), ((x, False), {})]
