"""torch.where gives an expanded or strided tensor other strides, and the program looks at them."""
import torch

ENTRY, EXPECT = "layout", "declined"


def layout(x, y):
    wide = x[:1].expand(4) if x.sum() > 0 else y[:1].expand(4)
    step = x[::2] if x.sum() > 0 else y[::2]
    turned = x.reshape(2, 2).t() if x.sum() > 0 else y.reshape(2, 2).t()
    return wide.stride(), step.stride(), turned.stride(), turned.is_contiguous(), wide + step.sum() + turned.sum()


compiled = torch.compile(layout)


def cases():
    x, y = torch.tensor([0.5, -1.0, 2.0, 3.0]), torch.tensor([1.0, 2.0, 3.0, 4.0])
    return [((x, y), {}), ((-x, y), {})]
