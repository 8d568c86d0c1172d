"""Trap: the guards are in functions defined inside the compiled one; one of them reads an enclosing variable."""
import torch

ENTRY = "resample"
EXPECT = "fixed"


def resample(signal, rate, wanted):
    length = signal.shape[-1]

    def positions(step):
        if step.isnan().any():
            raise ValueError("step is not a number")

        def inside(p):
            if (p > 10 * length).any():
                raise IndexError(f"position behind a signal of {length}")
            return p.clamp_max(length - 1)

        return inside(torch.arange(wanted) * step)

    where = positions(rate)
    low = where.floor()
    weight = where - low
    return weight * signal.mean() + (1 - weight) * signal.sum() + low


compiled = torch.compile(resample)


def cases():
    s = torch.arange(6.0)
    return [
        ((s, torch.tensor(0.5), 4), {}),
        ((s, torch.tensor(float("nan")), 4), {}),
        ((s, torch.tensor(100.0), 4), {}),
        ((s,), {"rate": torch.tensor(2.0), "wanted": 3}),
    ]
