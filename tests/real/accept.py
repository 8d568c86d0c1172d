"""What has to hold of the patched transformers tree, as a list of checks."""

from __future__ import annotations

from pathlib import Path

import difference
from trees import How, Survey, probe, survey_patched, survey_stock

# Breaks of the stock model in the default mode; none may be left.
WHOLE = {
    "T5ForConditionalGeneration": 2,
    "MT5ForConditionalGeneration": 2,
    "LongT5ForConditionalGeneration": 2,
    "BartForConditionalGeneration": 3,
    "MBartForConditionalGeneration": 3,
    "PLBartForConditionalGeneration": 3,
    "BlenderbotForConditionalGeneration": 3,
    "BlenderbotSmallForConditionalGeneration": 3,
    "MarianMTModel": 3,
    "PegasusForConditionalGeneration": 3,
    "M2M100ForConditionalGeneration": 3,
    "BioGptForCausalLM": 2,
    "WhisperForConditionalGeneration": 3,
    "LayoutLMv3Model": 2,
}
# Where some breaks are beyond a guard or an output: breaks of the stock model, and graphs - 1 of the patched one, which
# is how published figures count (a break that ends a frame leaves no graph behind it, so Dynamo logs one more).
PARTLY = {"GroundingDinoModel": (16, 7)}
MODELS = [*WHOLE, *PARTLY]

DEFORMABLE_GUARD = "if (spatial_shapes[:, 0] * spatial_shapes[:, 1]).sum() != sequence_length:"
DEFORMABLE_ERROR = [
    "ValueError",
    "Make sure to align the spatial shapes with the sequence length of the encoder hidden states",
]


def _breaks(survey: Survey, name: str) -> int:
    return len(survey.results[name].get("breaks", []))


def stock_faults(stock: Survey) -> list[str]:
    """Is the stock tree what the checks below take it for?"""
    faults = []
    for name, wanted in {**WHOLE, **{name: before for name, (before, _) in PARTLY.items()}}.items():
        result = stock.results.get(name, {"status": "not surveyed"})
        if result["status"] != "ok":
            faults.append(f"stock {name}: {result['status']} {result.get('error', '')[:200]}")
        elif _breaks(stock, name) != wanted:
            faults.append(f"stock {name}: {_breaks(stock, name)} breaks, {wanted} expected")
    if not any(DEFORMABLE_GUARD == b["source_line"] for b in stock.results["GroundingDinoModel"].get("breaks", [])):
        faults.append("stock GroundingDinoModel: the guard of the deformable attention is no break")
    return faults


def _first_line(text: str) -> str:
    return text.split("\n")[0][:300]


def model_faults(name: str, stock: Survey, patched: Survey) -> list[str]:
    old, new = stock.results[name], patched.results.get(name, {"status": "not surveyed"})
    if new["status"] != "ok":
        return [f"{new['status']} {_first_line(new.get('error', ''))}"]
    faults = []
    if not new["compiles"]:
        faults.append("does not compile: " + _first_line(new.get("default_error", "")))
    sites = sorted({f"{b['file']}:{b['line']} {b['gb_type']}" for b in new["breaks"]})
    allowed = PARTLY[name][1] if name in PARTLY else 0
    left = new["graphs"] - 1 if name in PARTLY else len(new["breaks"])
    if left > allowed:
        faults.append(f"{left} breaks left, {allowed} allowed: {sites}")
    if name in WHOLE:
        if new["graphs"] != 1:
            faults.append(f"{new['graphs']} graphs")
        if not new["fullgraph"]:
            faults.append("fullgraph=True fails: " + _first_line(new.get("fullgraph_error", "")))
    if any(b["source_line"] == DEFORMABLE_GUARD for b in new["breaks"]):
        faults.append("the guard of the deformable attention still breaks the graph")
    if old["compiles"] or new["compiles"]:
        runs = [difference.load_saved(survey.saved, name) for survey in (stock, patched)]
        if runs[0] is None or runs[1] is None:
            faults.append("nothing was saved to compare")
        else:
            faults += difference.behaviour(runs[0], runs[1])
    return faults


def deformable_faults(patched: Path) -> tuple[list[str], list[str]]:
    """Faults, and notes on what is measured but not required."""
    stock, found = probe("deformable", None), probe("deformable", patched)
    faults, notes = [], []
    for mode in ("eager", "default", "fullgraph"):
        for label in ("right", "right again"):
            if found[f"{mode}: {label}"] != stock[f"eager: {label}"]:
                faults.append(f"{mode}, {label} shapes: {found[f'{mode}: {label}']}")
        if found[f"{mode}: wrong"] != DEFORMABLE_ERROR:
            faults.append(f"{mode}, wrong shapes: {found[f'{mode}: wrong']}")
        both = found[f"{mode}: wrong, and its list too"]
        if both != DEFORMABLE_ERROR:
            (faults if mode == "eager" else notes).append(f"{mode}, wrong shapes in tensor and list: {both}")
    return faults, notes


def accept(patched: Path) -> bool:
    """Runs and prints every check; True if all hold."""
    how = How()
    stock, after = survey_stock(MODELS, how), survey_patched(patched, MODELS, how)
    outcome = {"stock tree": stock_faults(stock)}
    for name in MODELS:
        label = f"{name} {_breaks(stock, name)} -> {_breaks(after, name) if name in after.results else '?'}"
        outcome[label] = model_faults(name, stock, after)
    outcome["deformable attention"], notes = deformable_faults(patched)
    for label, faults in outcome.items():
        print(f"{'fail' if faults else 'pass'} {label}")
        for fault in faults:
            print("     -", fault)
    for note in notes:
        print("note:", note)
    failed = sum(bool(faults) for faults in outcome.values())
    print(f"{len(outcome) - failed} passed, {failed} failed")
    return not failed
