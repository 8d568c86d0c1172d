"""Clean: async functions and async generators are nobody's graph; the compiled function beside them has no break."""
import asyncio

import torch

ENTRY = "encode"
EXPECT = "clean"


async def fetch(x):
    print("fetching")
    if x.isnan().any():
        raise ValueError("NaN fetched")
    await asyncio.sleep(0)
    return x


async def stream(x):
    for row in x:
        print("row")
        yield row


def encode(x):
    return x.tanh() * 2


compiled = torch.compile(encode)


async def main(x):
    total = compiled(await fetch(x))
    async for row in stream(x):
        total = total + compiled(row)
    return total


def cases():
    return [((torch.tensor([[1.0, 2.0]]),), {})]
