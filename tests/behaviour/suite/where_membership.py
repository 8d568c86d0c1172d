"""Where, declined: `in` asks whether a tensor holds a value, `not in` whether it does not; of a list it compares tensors."""
import torch

ENTRY = "mask_special"
EXPECT = "declined"


def mask_special(ids, x):
    if 0 in ids:
        x = x * 0.5
    else:
        x = x + 1
    y = x if 7 not in ids else -x
    if ids.max() in [3, 7]:
        y = y * 2
    return y


compiled = torch.compile(mask_special)


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((torch.tensor(ids), x), {}) for ids in ([0, 3], [1, 7], [2, 5], [0, 7])]
