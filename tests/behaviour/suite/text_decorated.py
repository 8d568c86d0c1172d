"""Text: decorated functions (one decorator takes arguments), a lambda and a closure with nonlocal state."""

import functools

import torch

ENTRY = "voxel_features"
EXPECT = "fixed"


def scaled(factor):
    def wrap(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            return function(*args, **kwargs) * factor

        return inner

    return wrap


@torch.no_grad()
@scaled(
    0.5,
)
def voxel_features(points, extent=2.0):
    calls = 0
    bound = lambda t: t.clamp(-extent, extent)  # noqa: E731

    def check(t, label):
        nonlocal calls
        calls += 1
        if torch.isnan(t).any():
            raise ValueError(f"{label} has NaN (check {calls})")
        print("check", calls, label)
        return bound(t)

    near = check(points, "points")
    offset = near - near.mean(dim=0)
    offset = check(offset.sqrt() if extent > 3 else offset.square(), "offset")
    return torch.cat((near, offset), dim=-1) + calls


compiled = torch.compile(voxel_features)


def cases():
    g = torch.Generator().manual_seed(57)
    p = torch.randn(4, 3, generator=g) * 2
    bad = p.clone()
    bad[3, 1] = float("nan")
    return [((p,), {}), ((bad,), {}), ((p, 0.5), {}), ((p,), {"extent": 4.0})]
