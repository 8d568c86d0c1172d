"""Comments everywhere in replaced statements; none is lost."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    # before the guard
    if (  # opening
        x.isnan()  # the call
        .any()
    ):  # colon
        # before raise
        raise ValueError(  # call
            "NaN",  # argument
            # alone
            x.shape,
        )  # closing
        # after raise
    # between
    if w.max() > 1:  # w is large
        # first
        w = w / 2  # halve
        # last of the arm
    else:  # it is not
        # nothing much
        w = w + 1
    # behind
    print(  # opening
        # inside
        x,
        # last
    )  # closing
    y = (  # opening
        x  # first
        # middle
        if x.max() > 1  # test
        else w  # second
    )  # closing
    return y
