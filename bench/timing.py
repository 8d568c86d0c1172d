"""How long one variant of one model takes under torch.compile with inductor, and what that needs.

The first call is split by Dynamo's own clocks: Dynamo (tracing, guards, byte code), backend (AOTAutograd and inductor,
with the backward graph's), and what is left, the first run. Whether that was a cold or a warm start is a matter of the
cache folder in the job's environment. Steady state comes from native.measure(), whose loop runs in C. On CUDA one call
is profiled for launches of kernels and of CUDA graphs.
"""

from __future__ import annotations

import contextlib
import fcntl
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import _graphmend_native as native
import torch
from builders import builders_inputs, builders_model
from observe import tensors

SEED, WARM_UP, REPEATS = 7, 3, (5, 200)


def _step(function: Callable[..., Any], train: bool) -> Callable[..., Any]:
    """One call; in training with its backward pass."""

    def training(**inputs: Any) -> Any:
        output = function(**inputs)
        sum(t.float().sum() for t in tensors(output) if t.requires_grad).backward()
        return output

    return training if train else function


def _synchronise(device: str) -> None:
    if device == "cuda":
        native.cuda_synchronize()


def _cpu_seconds() -> float:
    """Of this process and of the compilers that it has run."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _timed(function: Callable[..., Any], inputs: dict[str, Any], device: str) -> tuple[float, Any]:
    _synchronise(device)
    start = time.perf_counter()
    output = function(**inputs)
    _synchronise(device)
    return time.perf_counter() - start, output


def _split(first: float) -> dict[str, float]:
    from torch._dynamo.utils import calculate_time_spent

    spent = calculate_time_spent()
    frames, backward = spent.get("entire_frame_compile", 0.0), spent.get("entire_backward_compile", 0.0)
    backend = spent.get("backend_compile", 0.0)
    return {
        "dynamo": frames - backend,
        "backend": backend + backward,
        "first_run": max(0.0, first - frames - backward),
    }


@contextlib.contextmanager
def _held(lock: str, operation: int) -> Iterator[None]:
    """The lock of that file, shared (LOCK_SH) or not (LOCK_EX)."""
    with open(lock, "w") as file:
        fcntl.flock(file, operation)
        yield


def _steady(function: Callable[..., Any], inputs: dict[str, Any], device: str, seconds: float) -> list[int]:
    native.measure(function, (), inputs, WARM_UP, device)
    once = native.measure(function, (), inputs, 1, device)[0] / 1e9
    repeats = min(max(REPEATS[0], int(seconds / max(once, 1e-6))), REPEATS[1])
    return native.measure(function, (), inputs, repeats, device)


def _launches(function: Callable[..., Any], inputs: dict[str, Any]) -> dict[str, int]:
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled:
        function(**inputs)
        native.cuda_synchronize()
    names = [event.name for event in profiled.events()]
    return {
        "kernels": sum(name.startswith(("cudaLaunchKernel", "cuLaunchKernel")) for name in names),
        "graphs": sum(name.startswith("cudaGraphLaunch") for name in names),
    }


def _error(output: Any, eager: list[torch.Tensor]) -> float:
    """The largest absolute difference between the outputs of compiled and eager code."""
    pairs = zip(tensors(output), eager, strict=True)
    return max((native.close(a.detach(), b, 0.0, 0.0)[1] for a, b in pairs if a.is_floating_point()), default=0.0)


def _batch(inputs: dict[str, torch.Tensor]) -> int:
    return next(iter(inputs.values())).shape[0]


def measure(job: dict[str, Any]) -> dict[str, Any]:
    (dtype, mode), device = job["variant"], job["device"]
    train = mode == "train"
    model = builders_model(job["builder"], job["sizes"], dtype, train, device)
    inputs = builders_inputs(job["inputs"], dtype, device)
    compiled = torch.compile(model, mode=job["compile_mode"])
    step = _step(compiled, train)
    with torch.set_grad_enabled(train):
        native.seed(SEED)
        cpu = _cpu_seconds()
        with _held(job["pair_lock"], fcntl.LOCK_SH):
            first, output = _timed(step, inputs, device)
        answer: dict[str, Any] = {"first_call": first, "first_call_cpu": _cpu_seconds() - cpu, **_split(first)}
        counters = torch._dynamo.utils.counters["inductor"]
        answer["cache"] = {"hits": counters["fxgraph_cache_hit"], "misses": counters["fxgraph_cache_miss"]}
        native.seed(SEED)
        outputs = [tensor.detach().clone() for tensor in tensors(output)]
        eager = [tensor.detach().clone() for tensor in tensors(model(**inputs))]
        answer["distance"] = None if train else _error(outputs, eager)  # dropout draws differently under inductor
        # Neither while the other side still compiles nor beside another steady state.
        with _held(job["pair_lock"], fcntl.LOCK_EX), _held(job["steady_lock"], fcntl.LOCK_EX):
            times = _steady(step, inputs, device, job["steady_seconds"])
        answer["steady"] = [t / 1e9 for t in times]
        answer["throughput"] = _batch(inputs) / statistics.median(answer["steady"])
        if device == "cuda":
            answer["launches"] = _launches(step, inputs)
            answer["cuda_peak"] = torch.cuda.max_memory_allocated()
    answer["memory"] = native.peak_memory()
    return answer
