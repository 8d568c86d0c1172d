"""pytest inside graphmend-host: `graphmend-host run_pytest.py FILE...`."""

import sys

import pytest

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--import-mode=importlib", *sys.argv[1:]]))
