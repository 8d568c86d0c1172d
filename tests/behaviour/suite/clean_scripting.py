"""Clean: what stands under is_scripting, is_tracing and a false constant is never traced."""
import torch

ENTRY = "norm"
EXPECT = "clean"

DEBUG = False


def norm(x):
    if torch.jit.is_scripting():
        print("scripting")
    if not torch.jit.is_scripting() and DEBUG:
        print("debugging", x.sum().item())
    if __debug__ and DEBUG:
        assert (x > 0).all(), f"not positive: {x}"
    if False:
        raise ValueError("never")
    return x / x.norm()


compiled = torch.compile(norm)


def cases():
    return [((torch.tensor([3.0, 4.0]),), {})]
