"""Where does TorchDynamo break the graphs of Hugging Face transformers models?

One small random-weight model for each architecture, built by recipes.py (made for transformers 4.52.4), is run eagerly
and under torch.compile on the CPU in a forked child. Each result is one JSON line. The transformers that is imported is
surveyed, so a patched package has to come first on PYTHONPATH; real.py does all that.

A line holds: architecture, status ("ok" or why not), fullgraph (did fullgraph=True pass), graphs, breaks (one entry for
each logged break event in the default mode: file, line, function, source line, GB id, category, whether the rest of the
frame was given up), and, with --lines, the transformers lines that eager execution visited. --save DIR keeps outputs,
logs, warnings, printed text and (in --train) gradients for difference.py.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import time
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TRANSFORMERS_VERBOSITY="info")

import torch

torch.set_num_threads(1)
# PyPI's torchvision is a CUDA build whose operators do not load beside a CPU torch; declaring them lets imports pass.
_nms = torch.library.Library("torchvision", "DEF")
for _name in ("nms", "qnms"):
    with contextlib.suppress(RuntimeError):
        _nms.define(_name + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

import torch._dynamo
from architectures import SITE, Architecture, call, known, prepare
from observe import BREAKS, Lines, observed, record_breaks, tensors


def _measure(architecture: Architecture, options: argparse.Namespace, result: dict[str, Any]) -> None:
    model, inputs = prepare(architecture, options.dtype, options.train)
    result["inputs"] = {key: list(v.shape) if hasattr(v, "shape") else type(v).__name__ for key, v in inputs.items()}
    result["status"] = "compile unfinished"
    state = {key: value.clone() for key, value in model.state_dict().items()}
    keep: dict[str, Any] = {"site": SITE}

    def run(label: str, function: Any) -> None:
        model.load_state_dict(state)
        model.zero_grad()
        with observed() as seen:
            output = call(function, inputs, options.train)
        kept = [t.detach().clone() for t in tensors(output)]
        if options.train:
            loss = sum(t.float().sum() for t in tensors(output) if t.requires_grad)
            if torch.is_tensor(loss):
                loss.backward()
            seen["gradients"] = {key: p.grad.clone() for key, p in model.named_parameters() if p.grad is not None}
        keep[label] = dict(seen, outputs=kept)

    if options.lines:
        lines = Lines()
        sys.settrace(lines)
        call(model, inputs, options.train)
        sys.settrace(None)
        result["lines"] = {file: sorted(seen) for file, seen in sorted(lines.seen.items())}
    run("eager", model)
    graphs: list[Any] = []

    def backend(graph: torch.fx.GraphModule, _: Any) -> Any:
        graphs.append(graph)
        return graph.forward

    for label, fullgraph in (("default", False), ("fullgraph", True)):
        torch._dynamo.reset()
        graphs.clear()
        BREAKS.clear()
        error = None
        try:
            run(label, torch.compile(model, backend=backend, fullgraph=fullgraph))
        except Exception as raised:
            error = f"{type(raised).__name__}: {str(raised)[:600]}"
            result[label + "_error"] = error
        if fullgraph:
            result["fullgraph"] = error is None
        else:
            result.update(compiles=error is None, graphs=len(graphs), breaks=list(BREAKS))
    result["status"] = "ok"
    if options.save:
        os.makedirs(options.save, exist_ok=True)
        torch.save(keep, os.path.join(options.save, architecture.name + ".pt"))


def _child(architecture: Architecture, options: argparse.Namespace, path: str) -> None:
    result: dict[str, Any] = dict(
        model_type=architecture.model_type,
        arch=architecture.name,
        head=architecture.head,
        train=options.train,
        dtype=options.dtype,
    )
    start = time.time()
    try:
        _measure(architecture, options, result)
    except BaseException as error:
        result.setdefault("status", "could not run")
        result["error"] = f"{type(error).__name__}: {str(error)[:800]}"
    result["seconds"] = round(time.time() - start, 1)
    with open(path, "w") as file:
        file.write(json.dumps(result) + "\n")


def _in_child(architecture: Architecture, options: argparse.Namespace) -> str:
    """The JSON line of one architecture."""
    path = f"{options.out}.{os.getpid()}.part"
    start = time.time()
    pid = os.fork()
    if pid == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        _child(architecture, options, path)
        os._exit(0)
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.time() - start > options.timeout:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            break
        time.sleep(0.02)
    if not os.path.exists(path):
        lost = dict(model_type=architecture.model_type, arch=architecture.name, status="timed out or died")
        return json.dumps(lost) + "\n"
    with open(path) as file:
        line = file.read()
    os.remove(path)
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", help="model types or class names, comma-separated")
    parser.add_argument("--dtype", choices=("float32", "float16"), default="float32")
    parser.add_argument("--train", action="store_true", help="training mode with gradients")
    parser.add_argument("--heads", action="store_true", help="task classes too")
    parser.add_argument("--lines", action="store_true", help="record executed lines")
    parser.add_argument("--save", help="folder for outputs, logs and gradients")
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--part", default="0/1", help="i/n: the i-th of n shares")
    options = parser.parse_args()
    todo = known(options.heads)
    if options.only:
        wanted = set(options.only.split(","))
        todo = [a for a in todo if a.model_type in wanted or a.name in wanted]
    share, shares = map(int, options.part.split("/"))
    todo = todo[share::shares]
    record_breaks()
    for number, architecture in enumerate(todo, 1):
        line = _in_child(architecture, options)
        with open(options.out, "a") as file:
            file.write(line)
        result = json.loads(line)
        print(
            f"[{number}/{len(todo)}] {architecture.name}: {result['status']}, graphs {result.get('graphs')},"
            f" breaks {len(result.get('breaks', []))}, fullgraph {result.get('fullgraph')}"
            f" {result.get('error', '')[:120]}",
            flush=True,
        )


if __name__ == "__main__":
    main()
