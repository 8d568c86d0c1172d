"""Several processes of one side in one summary."""

from __future__ import annotations

from speed import speed_summary


def start(kind: str, first: float, steady: list[float]) -> dict:
    parts = {
        "first_call": first,
        "first_call_cpu": first,
        "dynamo": first / 2,
        "backend": first / 4,
        "first_run": first / 4,
    }
    rest = {"throughput": 1 / steady[0], "memory": {"host": int(first)}, "distance": 0.0}
    return {"kind": kind, "steady": steady, "cache": {"hits": 0, "misses": 1}, **parts, **rest}


def test_medians_of_starts_and_of_all_calls() -> None:
    starts = [start("cold", 30, [1, 2]), start("cold", 10, [3, 4]), start("cold", 20, [5]), start("warm", 4, [6, 7])]
    found = speed_summary([*starts, {"kind": "cold", "error": "stopped after 1 s"}])
    assert found["cold"]["first_call"] == 20 and found["cold"]["dynamo"] == 10 and found["cold"]["processes"] == 3
    assert found["warm"]["first_call"] == 4
    assert found["steady"] == {"median": 4, "tenth": 1, "ninetieth": 7, "calls": 7}
    assert found["memory"] == 30


def test_nothing_but_errors() -> None:
    assert speed_summary([{"kind": "cold", "error": "stopped after 1 s"}]) == {"error": "stopped after 1 s"}
    assert speed_summary([]) == {"error": "not measured"}
