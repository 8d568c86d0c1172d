"""Runs a script as graphmend-host does, with the module beside this one in the place of the built-in one."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
