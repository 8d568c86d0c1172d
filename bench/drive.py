"""Runs one job of the benchmark inside graphmend-host, in a process of its own.

    graphmend-host bench/drive.py JOB.json

A job says what to import from (`root`: the folder of a patched tree, or nothing), what to build, and which measurement
to make: "breaks" (breaks.py), "time" (timing.py) or "headers" (headers.py). The answer is written to the job's `answer`
as JSON. A measurement that fails writes {"error": ...}; only a crash leaves no answer.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

STARTED = time.monotonic()
HERE = Path(__file__).resolve().parent


def _set_up(job: dict[str, Any]) -> None:
    """Before torch is imported: where modules come from, and how many threads there are."""
    sys.path[:0] = [str(HERE), str(HERE.parent / "tests" / "real")]
    if job["root"]:
        sys.path.insert(0, job["root"])
    os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", OMP_NUM_THREADS=str(job["threads"]))
    os.environ.update(job["environment"])


def _measure(job: dict[str, Any]) -> dict[str, Any]:
    import torch

    torch.set_num_threads(job["threads"])
    import observe

    folder = Path(job["root"]) if job["root"] else HERE
    observe.observe_package("models", str(folder))
    measurement = __import__({"breaks": "breaks", "time": "timing", "headers": "headers"}[job["task"]])
    answer = measurement.measure(job)
    answer["sources"] = sorted(
        path
        for path in (getattr(module, "__file__", None) for module in list(sys.modules.values()))
        if path and observe.is_ours(path)
    )
    answer["folders"] = observe.PACKAGES
    return answer


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    _set_up(job)
    try:
        answer = _measure(job)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {str(error)[:2000]}"}
    answer["process_seconds"] = time.monotonic() - STARTED
    part = Path(job["answer"] + ".part")
    part.write_text(json.dumps(answer))
    part.rename(job["answer"])


if __name__ == "__main__":
    main()
