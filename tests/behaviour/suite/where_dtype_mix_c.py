"""One branch gives integers and the other floats; promotion would change one of them."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "bucket", "declined", True


def bucket_fn(x, edges):
    steps = (x / edges).floor()
    if (steps > 3).any():
        out = torch.bucketize(x, edges)
    else:
        out = steps * 0.5
    return out + 1


bucket = torch.compile(bucket_fn)


def cases():
    e = torch.tensor([1.0, 2.0, 3.0])
    return [((torch.tensor([1.0, 2.0, 3.0]), e), {}), ((torch.tensor([9.0, 2.0, 3.0]), e), {})]
