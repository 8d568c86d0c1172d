"""rows.json: the published rows and totals, and that each builder can be built from what it says."""

from __future__ import annotations

import pytest
from builders import builders_inputs
from registry import VARIANTS, registry_load

REGISTRY = registry_load()
KINDS = {"ids", "normal", "ones", "zeros", "true"}


def test_published_totals() -> None:
    rows = REGISTRY.rows
    assert len(rows) == 27 and len({row.name for row in rows}) == 27
    assert [sum(row.paper[i] for row in rows) for i in (0, 1)] == [147, 40]
    assert [sum(row.artifact[i] for row in rows) for i in (0, 1)] == [122, 34]


def test_rows_that_must_be_whole() -> None:
    whole = [row.builder for row in REGISTRY.rows if row.whole]
    counts = {name: whole.count(name) for name in whole}
    singles = ("marian", "biogpt", "blenderbot", "pegasus", "layoutlmv3", "phi")
    assert counts == {"t5": 5, "whisper": 3, "bart": 3} | dict.fromkeys(singles, 1)


def test_every_builder_has_rows_and_every_row_a_builder() -> None:
    assert {row.builder for row in REGISTRY.rows} == REGISTRY.builders.keys()
    assert all(row.counted in VARIANTS and row.full for row in REGISTRY.rows)


@pytest.mark.parametrize("name", REGISTRY.builders)
def test_inputs(name: str) -> None:
    builder = REGISTRY.builders[name]
    shapes = [row.full_inputs for row in REGISTRY.rows_of(name)]
    for recipes in (builder["inputs"], *shapes):
        assert recipes.keys() == builder["inputs"].keys()
        assert all(len(KINDS & recipe.keys()) == 1 for recipe in recipes.values())
    inputs = builders_inputs(builder["inputs"], "float16", "cpu")
    for argument, recipe in builder["inputs"].items():
        (kind,) = KINDS & recipe.keys()
        assert list(inputs[argument].shape) == recipe[kind]
        assert str(inputs[argument].dtype) == {"normal": "torch.float16", "true": "torch.bool"}.get(kind, "torch.int64")


@pytest.mark.parametrize("row", REGISTRY.rows, ids=lambda row: row.name)
def test_full_sizes_are_options_of_the_configuration(row) -> None:
    """A misspelt name would be taken and ignored by transformers."""
    import importlib
    import inspect

    builder = REGISTRY.builders[row.builder]
    config = getattr(importlib.import_module(builder["module"]), builder["class"]).config_class
    known = inspect.signature(config.__init__).parameters.keys() | config.__dict__.get("attribute_map", {}).keys()
    general = {
        "is_decoder",
        "is_encoder_decoder",
        "tie_word_embeddings",
        "pad_token_id",
        "bos_token_id",
        "eos_token_id",
    }
    for sizes in (builder["small"], row.full):
        assert sizes.keys() <= known | general, sizes.keys() - known - general
