"""The behaviour runner: what a case does before a rewrite is held against what it does after.

cli.py       options, selection, jobs, the report
judge.py     one case: fix it, run both files, apply every check
child.py     runs one file in a forked child, eager and compiled
recording.py what the child hooks: text, log records, warnings, graph breaks; and how values become comparable data
compare.py   two recorded runs side by side
places.py    which statement a line belongs to
text.py      what must survive in the file's bytes
"""

import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
sys.dont_write_bytecode = True

import torch

torch.set_num_threads(1)
