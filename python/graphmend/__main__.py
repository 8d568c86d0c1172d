"""`python -m graphmend`: the C program that this package installed, in place of this process."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


def find_program() -> str:
    """The program among the scripts of this environment, the user's, or those beside a `pip install --target`."""
    folders = [sysconfig.get_path("scripts")]
    user = f"{os.name}_user"
    if user in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", scheme=user))
    folders.append(str(Path(__file__).resolve().parent.parent / "bin"))
    for folder in folders:
        path = Path(folder) / "graphmend"
        if path.is_file():
            return str(path)
    raise SystemExit(f"graphmend: error: the program is in none of {', '.join(folders)}")


if __name__ == "__main__":
    program = find_program()
    os.execv(program, [program, *sys.argv[1:]])
