"""Break events, graphs and behaviour of one model, in each variant: eager, compiled, compiled with fullgraph=True.

The backend runs each graph as it is, so that the same kernels compute everywhere and processes can be held against each
other bit for bit: tensors are kept as checksums.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import _graphmend_native as native
import torch
from builders import builders_inputs, builders_model
from observe import BREAKS, observed, record_breaks, tensors

SEED = 7


def _digest(tensor: torch.Tensor) -> list[Any]:
    return [list(tensor.shape), str(tensor.dtype), native.checksum(tensor.detach())]


def _gradients(model: torch.nn.Module, output: Any) -> dict[str, Any]:
    loss = sum(t.float().sum() for t in tensors(output) if t.requires_grad)
    if torch.is_tensor(loss):
        loss.backward()
    return {
        name: None if parameter.grad is None else _digest(parameter.grad)
        for name, parameter in model.named_parameters()
    }


class Runner:
    """Calls one model in one mode and says all that can be seen of the call."""

    def __init__(self, model: torch.nn.Module, inputs: dict[str, torch.Tensor], train: bool) -> None:
        self.model, self.inputs, self.train = model, inputs, train
        self.state = {name: value.clone() for name, value in model.state_dict().items()}

    def run(self, function: Callable[..., Any]) -> dict[str, Any]:
        self.model.load_state_dict(self.state)
        self.model.zero_grad()
        native.seed(SEED)
        found: dict[str, Any] = {"outputs": [], "gradients": {}, "exception": None}
        with observed() as seen:
            try:
                with torch.set_grad_enabled(self.train):
                    output = function(**self.inputs)
                found["outputs"] = [_digest(tensor) for tensor in tensors(output)]
                if self.train:
                    found["gradients"] = _gradients(self.model, output)
            except Exception as error:
                found["exception"] = [type(error).__name__, str(error)[:600]]
        found["state"] = {name: _digest(value) for name, value in self.model.named_buffers()}
        return found | seen


def _variant(job: dict[str, Any], dtype: str, mode: str) -> dict[str, Any]:
    train = mode == "train"
    model = builders_model(job["builder"], job["sizes"], dtype, train, job["device"])
    runner = Runner(model, builders_inputs(job["inputs"], dtype, job["device"]), train)
    answer: dict[str, Any] = {"runs": {"eager": runner.run(model)}}
    if answer["runs"]["eager"]["exception"]:
        return answer
    graphs = 0

    def backend(graph: torch.fx.GraphModule, _: Any) -> Any:
        nonlocal graphs
        graphs += 1
        return graph.forward

    for label, fullgraph in (("default", False), ("fullgraph", True)):
        torch._dynamo.reset()
        graphs = 0
        BREAKS.clear()
        answer["runs"][label] = runner.run(torch.compile(model, backend=backend, fullgraph=fullgraph))
        if not fullgraph:
            answer.update(graphs=graphs, breaks=[{k: v for k, v in b.items() if k != "reason"} for b in BREAKS])
    answer["fullgraph"] = answer["runs"]["fullgraph"]["exception"] is None
    if not answer["fullgraph"]:
        del answer["runs"]["fullgraph"]  # what a refused compilation says differs with the source
    return answer


def measure(job: dict[str, Any]) -> dict[str, Any]:
    record_breaks()
    if job["device"] == "cuda":  # two processes are to compute the same bits
        torch.use_deterministic_algorithms(True, warn_only=True)
    return {"variants": {f"{dtype}-{mode}": _variant(job, dtype, mode) for dtype, mode in job["variants"]}}
