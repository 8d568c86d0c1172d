"""GraphMend: finds and rewrites what breaks TorchDynamo's graph in PyTorch source.

The compiler is a C program, installed beside Python's own scripts; `python -m graphmend` runs it. What rewritten files
import under `--runtime=import` is `graphmend.runtime`, the only part that needs PyTorch.
"""
