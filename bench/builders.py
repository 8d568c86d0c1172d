"""Makes a model and its inputs as rows.json describes them, with random weights from a fixed seed."""

from __future__ import annotations

import copy
import importlib
from typing import Any

import torch


def _expand(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"repeat", "times"}:
            return [value["repeat"]] * value["times"]
        return {key: _expand(item) for key, item in value.items()}
    return value


def _tensor(recipe: dict[str, Any], device: str) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    if "ids" in recipe:
        made = torch.randint(recipe.get("from", 0), recipe["below"], recipe["ids"], generator=generator)
    elif "normal" in recipe:
        made = torch.randn(recipe["normal"], generator=generator)
    elif "true" in recipe:
        made = torch.ones(recipe["true"], dtype=torch.bool)
    else:
        made = torch.ones(recipe["ones"], dtype=torch.long) if "ones" in recipe else torch.zeros(recipe["zeros"]).long()
    return made.to(device)


def builders_model(
    builder: dict[str, Any], sizes: dict[str, Any], dtype: str, train: bool, device: str
) -> torch.nn.Module:
    cls = getattr(importlib.import_module(builder["module"]), builder["class"])
    config = cls.config_class(**copy.deepcopy(_expand(sizes)))
    torch.manual_seed(0)
    with torch.device(device):
        model = cls(config)
    return model.to(device=device, dtype=getattr(torch, dtype)).train(train)


def builders_inputs(recipes: dict[str, Any], dtype: str, device: str) -> dict[str, torch.Tensor]:
    inputs = {name: _tensor(recipe, device) for name, recipe in recipes.items()}
    return {n: t.to(getattr(torch, dtype)) if t.is_floating_point() else t for n, t in inputs.items()}
