"""Clean: the module's `print` is bound by a `global` statement in another function, to one that only counts."""
import torch

ENTRY = "quiet_sum"
EXPECT = "clean"

NOTES = []


def count(*parts):
    NOTES.append(len(parts))


def mute():
    global print
    print = count


mute()


def quiet_sum(x):
    print("summing", x)
    y = x.sum()
    print("done")
    return y


compiled = torch.compile(quiet_sum)


def observe():
    return NOTES


def cases():
    return [((torch.tensor([1.0, 2.0]),), {})]
