#!/usr/bin/env python
"""Judges a rewriter on the cases of a folder, original against patched, eager and compiled; see README.md."""

from runner.cli import main

if __name__ == "__main__":
    main()
