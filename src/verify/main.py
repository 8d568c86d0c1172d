"""What `graphmend verify` runs in graphmend-host."""

import os
import sys

sys.dont_write_bytecode = True
os.environ.setdefault("OMP_NUM_THREADS", "1")  # sums in the same order on both sides

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from graphmend_verify import sides

sys.path.pop(0)  # the program under test does not see this folder

sys.exit(sides.main(sys.argv[1:]))
