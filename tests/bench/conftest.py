"""The benchmark's modules lie beside each other in bench/, and are imported from there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
