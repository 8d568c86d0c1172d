"""Where, declined: the tests compare Python numbers read from tensors; in float32 0.1 is not Python's 0.1."""
import torch

ENTRY = "gate"
EXPECT = "declined"


def gate(x, w):
    if x.max().item() > 0.1:
        y = x * 2
    else:
        y = x * 3
    if float(w.sum()) == 0.3:
        y = y + 1
    z = y if x.max().item() <= 0.1 else -y
    if int(w[0] * 10) == 1:
        z = z * 5
    return y, z


compiled = torch.compile(gate)


def cases():
    edge = torch.tensor([0.1, 0.05])
    return [((edge, torch.tensor([0.1, 0.2])), {}), ((edge * 2, torch.tensor([0.3, 0.0])), {}), ((-edge, edge), {})]
