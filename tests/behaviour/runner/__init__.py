"""The behaviour runner: what a case does before a rewrite is held against what it does after.

cli.py       options, selection, jobs, the report
judge.py     one case: fix it, run both files, apply every check
child.py     runs one file in a forked child, eager and compiled
compare.py   two recorded runs side by side
text.py      what must survive in the file's bytes

What a run is seen to do is recorded and compared by src/verify/graphmend_verify, which `graphmend verify` uses too.
"""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "src" / "verify"))

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
sys.dont_write_bytecode = True

import torch

torch.set_num_threads(1)
