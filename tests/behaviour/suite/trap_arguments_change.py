"""Trap: the exception carries a tensor, a list and a dict, all of which change after the check."""
import torch

ENTRY = "power_norm"
EXPECT = "fixed"


class Diverged(ArithmeticError):
    def __init__(self, label, value, trail):
        super().__init__(label, value, trail)
        self.value = value


def power_norm(x, steps=2):
    trail = []
    info = {"steps": 0}
    state = x * 1.0
    for i in range(steps):
        state.mul_(state)
        trail.append(i)
        if state.max() > 1e3:
            raise Diverged("state", state, trail)
        info["steps"] += 1
        if state.min() == 0:
            raise ZeroDivisionError(f"zero after {info}", state)
        state.div_(2)
    trail.clear()
    info.clear()
    return state.zero_() + x


compiled = torch.compile(power_norm)


def cases():
    return [((torch.tensor(v),), {}) for v in ([1.0, 2.0], [9.0, 40.0], [1.0, 10.0], [0.0, 2.0])]
