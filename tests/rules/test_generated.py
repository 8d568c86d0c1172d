"""The generated tables are what generate.py makes of the installed torch, and what is written by hand is consistent."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

RULES = pathlib.Path(__file__).parents[2] / "rules"


def load(name: str):
    return json.loads((RULES / name).read_text())


@pytest.mark.parametrize("name", ["torch_ops.json", "gb_registry.json"])
def test_tables_match_the_installed_torch(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("yaml")
    version = torch.__version__.partition("+")[0]
    if version != load("torch_ops.json")["torch"]:
        pytest.fail(f"tables were made from torch {load('torch_ops.json')['torch']}, installed is {version}")
    out = tmp_path_factory.mktemp("generated")
    subprocess.run([sys.executable, str(RULES / "generate.py"), "--out", str(out)], check=True)
    assert (out / name).read_text() == (RULES / name).read_text()


def test_rules_name_registered_ids() -> None:
    registry = load("gb_registry.json")
    for rule in load("rules.json"):
        for gb_id in rule["gb_ids"]:
            assert gb_id in registry, (rule["code"], gb_id)


def test_rules_are_complete_and_unique() -> None:
    rules = load("rules.json")
    categories = dict(zip("1234569", ["branch", "guard", "output", "scalar", "shape", "call", "tool"]))
    for rule in rules:
        assert re.fullmatch(r"GM[1-69]\d\d", rule["code"])
        assert rule["category"] == categories[rule["code"][2]], rule["code"]
        assert rule["summary"].endswith(".") and rule["help"], rule["code"]
    for key in ("code", "name"):
        values = [rule[key] for rule in rules]
        assert len(values) == len(set(values)) and values == (sorted(values) if key == "code" else values)


def test_reasons_are_unique() -> None:
    ids = [reason["id"] for reason in load("reasons.json")]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", reason) for reason in ids)


def test_names_belong_to_one_kind() -> None:
    """A conventional name or an annotation of two kinds would make the order of the file matter."""
    names = load("names.json")
    for table in ("annotations", "external_calls", "tensor_attributes"):
        seen: dict[str, str] = {}
        for kind, words in names[table].items():
            for word in words.split():
                assert word not in seen, (table, word, kind, seen.get(word))
                seen[word] = kind
