"""The host's module _graphmend_native in plain Python over torch, for a machine on which the host cannot be built (no
shared libpython, another torch). Its measuring loop runs in Python; a report says with which one it was made.

    bench/run.py --host "python3 bench/plain/run.py"
"""

from __future__ import annotations

import hashlib
import resource
import time
from collections.abc import Callable
from typing import Any

import torch


def checksum(tensor: torch.Tensor) -> int:
    data = tensor.detach().contiguous().reshape(-1).view(torch.uint8).cpu().numpy().tobytes() if tensor.numel() else b""
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def close(a: torch.Tensor, b: torch.Tensor, rtol: float, atol: float) -> tuple[bool, float, float]:
    gap = (a.double() - b.double()).abs()
    size = b.double().abs()
    if not gap.numel():
        return True, 0.0, 0.0
    return bool((gap <= atol + rtol * size).all()), float(gap.max()), float((gap / size.clamp(min=1e-300)).max())


def seed(number: int) -> None:
    torch.manual_seed(number)


def _on_cuda(call: Callable[[], Any]) -> int:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    call()
    end.record()
    end.synchronize()
    return int(start.elapsed_time(end) * 1e6)


def _on_cpu(call: Callable[[], Any]) -> int:
    start = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - start


def measure(
    callable: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], repeats: int, device: str
) -> list[int]:
    clock = _on_cuda if device.startswith("cuda") else _on_cpu
    return [clock(lambda: callable(*args, **kwargs)) for _ in range(repeats)]


def peak_memory() -> dict[str, int]:
    found = {"host": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
    if torch.cuda.is_available():
        free, total = torch.cuda.mem_get_info()
        found.update(cuda_used=total - free, cuda_total=total)
    return found


def cuda_available() -> bool:
    return torch.cuda.is_available()


def cuda_device() -> dict[str, Any]:
    properties = torch.cuda.get_device_properties(0)
    return {
        "name": properties.name,
        "capability": (properties.major, properties.minor),
        "memory": properties.total_memory,
        "runtime": torch.version.cuda,
    }


def cuda_synchronize() -> None:
    torch.cuda.synchronize()
