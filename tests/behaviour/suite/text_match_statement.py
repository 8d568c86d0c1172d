"""Text: guards and prints inside a match on static values; names that are soft keywords."""
import torch

ENTRY = "activate"
EXPECT = "fixed"


def activate(x, kind, type=None):
    match = x.abs()
    match kind:
        case "relu" | "relu6":
            print("rectified", kind)
            y = x.relu()
        case {"leaky": slope} if slope > 0:
            if match.max() > 100:
                raise OverflowError("too large for a leak", slope)
            y = torch.where(x > 0, x, x * slope)
        case [first, *rest]:
            print("chain", first, *rest)
            y = x.tanh() * len(rest)
        case _:
            y = x
    case = match.sum()
    return y + case


compiled = torch.compile(activate)


def cases():
    x = torch.tensor([1.0, -2.0])
    return [
        ((x, "relu"), {}),
        ((x, {"leaky": 0.1}), {}),
        ((x * 99, {"leaky": 0.1}), {}),
        ((x, ["tanh", 1, 2]), {}),
        ((x, None), {}),
    ]
