# Layout that must survive: one-line ifs, semicolons, continuations, comments, odd strings, no final newline.
import torch

ENTRY = "layout"
EXPECT = "fixed"


def layout(x, größe=1):  # a comment with  if x: raise
    """a docstring
    with odd indentation: print("not code")
    """
    y = x + größe
    print(f"{'nested ' + f'{y.shape[0]}'}")
    z = y * 2
    if (z < 0).any():
        raise ValueError("first part, second part")  # why

    # between

    if (top := z.max()) > 5:
        z = z - top
    return z


compiled = torch.compile(layout)


def cases():
    return [((torch.tensor(v),), {}) for v in ([1.0, 2.0], [-9.0, 2.0], [5.0, 7.0])]
