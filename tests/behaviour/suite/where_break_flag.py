"""A solver stops when it is near enough; what its last turns bind is read afterwards, and each turn logs and prints."""
import logging

import torch

ENTRY, EXPECT = "solve", "fixed"
logger = logging.getLogger("solver")


def solve(x, tolerance=1e-3, quiet=False):
    error = torch.zeros(())
    for step in range(4):
        guess = 0.5 * (x + 2.0 / x)
        error = (guess - x).abs().max()
        if not quiet:
            print("step", step, error)
        if error < tolerance and not torch.isnan(guess).any():
            logger.warning("near after %d", step)
            break
        x = guess
        logger.info("at %s", x.mean())
    return x, error, guess


compiled = torch.compile(solve)


def cases():
    return [
        ((torch.tensor([1.0, 3.0]),), {}),
        ((torch.tensor([1.4142, 1.4142]),), {}),
        ((torch.tensor([50.0, 80.0]),), {"quiet": True}),
        ((torch.tensor([1.0, 3.0]),), {"tolerance": 10.0}),
    ]
