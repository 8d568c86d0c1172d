"""Small checks that run inside the transformers under test; the answer is JSON on the last line of stdout.

python probes.py imports       imports every transformers.models.*.modeling_* module
python probes.py deformable    GroundingDino's deformable attention on good and on wrong spatial shapes
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TRANSFORMERS_VERBOSITY="error")

import torch

torch.set_num_threads(1)
import transformers

SITE = os.path.dirname(os.path.dirname(os.path.abspath(transformers.__file__))) + "/"


def imports() -> dict[str, str]:
    """Each modeling module, and "" or the error with which its import fails."""
    warnings.simplefilter("ignore")
    models = Path(SITE) / "transformers" / "models"
    found = {}
    for path in sorted(models.rglob("modeling_*.py")):
        name = ".".join(path.relative_to(SITE).with_suffix("").parts)
        try:
            importlib.import_module(name)
            found[name] = ""
        except BaseException as error:
            found[name] = f"{type(error).__name__}: {str(error)[:300]}".replace(SITE, "")
    return found


def _digest(tensors: tuple[torch.Tensor, ...]) -> str:
    return hashlib.sha1(b"".join(t.detach().numpy().tobytes() for t in tensors)).hexdigest()


def deformable() -> dict[str, list[str]]:
    """For each way to run and each input: ["output", digest] or [exception, text]."""
    from transformers.models.grounding_dino import modeling_grounding_dino as dino

    config = transformers.GroundingDinoConfig(d_model=32, num_feature_levels=2)
    torch.manual_seed(0)
    module = dino.GroundingDinoMultiscaleDeformableAttention(config, num_heads=4, n_points=2).eval()
    shapes = [(4, 3), (2, 2)]
    length = sum(h * w for h, w in shapes)

    def inputs(spatial_shapes: torch.Tensor, shapes_list: list[tuple[int, int]]) -> dict[str, Any]:
        generator = torch.Generator().manual_seed(1)
        return dict(
            hidden_states=torch.randn(2, 5, 32, generator=generator),
            encoder_hidden_states=torch.randn(2, length, 32, generator=generator),
            reference_points=torch.rand(2, 5, 2, 2, generator=generator),
            spatial_shapes=spatial_shapes,
            spatial_shapes_list=shapes_list,
            level_start_index=torch.tensor([0, 12]),
        )

    right, wrong = torch.tensor(shapes), torch.tensor([[4, 3], [2, 3]])
    calls = {
        "right": inputs(right, shapes),
        "wrong": inputs(wrong, shapes),
        "right again": inputs(right, shapes),
        "wrong, and its list too": inputs(wrong, [(4, 3), (2, 3)]),
    }
    found: dict[str, list[str]] = {}
    for mode in ("eager", "default", "fullgraph"):
        torch._dynamo.reset()
        function = module if mode == "eager" else torch.compile(module, backend="eager", fullgraph=mode == "fullgraph")
        for label, arguments in calls.items():
            try:
                with torch.no_grad():
                    found[f"{mode}: {label}"] = ["output", _digest(function(**arguments))]
            except Exception as error:
                found[f"{mode}: {label}"] = [type(error).__name__, str(error).split("\n")[0][:200]]
    return found


if __name__ == "__main__":
    answer = {"imports": imports, "deformable": deformable}[sys.argv[1]]()
    print("\n" + json.dumps(answer))
