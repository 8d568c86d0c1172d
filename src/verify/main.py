"""What `graphmend verify` runs in graphmend-host: `main.py record ...` once a side, then `main.py judge ...`."""

import os
import sys

sys.dont_write_bytecode = True
os.environ.setdefault("OMP_NUM_THREADS", "1")  # sums in the same order on both sides

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from graphmend_verify import judge, record

sys.path.pop(0)  # the program under test does not see this folder

command = {"record": record, "judge": judge}[sys.argv[1]]
sys.exit(command.main(sys.argv[2:]))
