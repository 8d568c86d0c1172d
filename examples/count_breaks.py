"""Runs files under torch.compile, each in a process of its own, and says where TorchDynamo broke their graphs.

    python count_breaks.py encoder.py fixed/encoder.py

A file offers example(), which returns a module, its arguments and keyword arguments; a copy of transformers'
modeling_t5.py, which has none, is put in the place of the installed one and called through a small model.
"""

from __future__ import annotations

import importlib.util
import logging
import re
import subprocess
import sys
from types import ModuleType

import torch

T5 = "transformers.models.t5.modeling_t5"


def load(path: str, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def t5_example(path: str):
    import transformers.models.t5 as package
    from transformers import T5Config

    modeling = load(path, T5)
    package.modeling_t5 = modeling
    torch.manual_seed(0)
    config = T5Config(vocab_size=100, d_model=32, d_kv=8, d_ff=32, num_layers=2, num_heads=4)
    model = modeling.T5ForConditionalGeneration(config).half().eval()
    tokens = torch.randint(1, 99, (2, 8))
    return model, (), {"input_ids": tokens, "decoder_input_ids": tokens[:, :6]}


class Breaks(logging.Handler):
    """Collects the break events that Dynamo logs (TORCH_LOGS=graph_breaks)."""

    def __init__(self):
        super().__init__()
        self.places: dict[str, str] = {}

    def emit(self, record: logging.LogRecord) -> None:
        event = re.search(r"in user code at (.*)\n(?s:.*?)(.*)\n +Explanation:", record.getMessage())
        if event:  # the same place is logged again where Dynamo gives the whole frame up
            self.places[event[1]] = event[2].removeprefix("Graph Break Reason: ")


def count(path: str) -> None:
    model, arguments, keywords = t5_example(path) if "modeling_t5" in path else load(path, "example").example()
    breaks = Breaks()
    torch._logging.set_logs(graph_breaks=True)
    log = logging.getLogger("torch._dynamo")
    log.handlers = [breaks]
    log.propagate = False
    graphs = 0

    def backend(graph: torch.fx.GraphModule, inputs):
        nonlocal graphs
        graphs += 1
        return graph.forward

    with torch.no_grad():
        torch.compile(model, backend=backend)(*arguments, **keywords)
    print(f"{path}: {len(breaks.places)} graph breaks, {graphs} graphs")
    for place, reason in breaks.places.items():
        print(f"    {place}: {reason}")


def main() -> None:
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        count(sys.argv[2])
        return
    for path in sys.argv[1:]:
        subprocess.run([sys.executable, __file__, "--one", path], check=True)


if __name__ == "__main__":
    main()
