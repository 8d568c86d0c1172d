"""Makes width_table.h: the code points that take no column or two on a terminal, from Python's own Unicode data."""

from __future__ import annotations

import sys
import unicodedata


def width(code: int) -> int:
    char = chr(code)
    category = unicodedata.category(char)
    if code == 0xAD:  # a soft hyphen is shown
        return 1
    if category in ("Mn", "Me", "Cf") or 0x1160 <= code <= 0x11FF:  # the latter: Hangul vowels and finals combine
        return 0
    wide_planes = 0x20000 <= code <= 0x2FFFD or 0x30000 <= code <= 0x3FFFD
    return 2 if wide_planes or unicodedata.east_asian_width(char) in "WF" else 1


def ranges(wanted: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for code in range(0x300, sys.maxunicode + 1):
        unassigned = unicodedata.category(chr(code)) in ("Cn", "Co", "Cs")
        if width(code) != wanted or (unassigned and wanted == 0):
            continue
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def show(name: str, rows: list[tuple[int, int]]) -> None:
    print(f"static const Range {name}[] = {{")
    cells = [f"{{0x{first:X}, 0x{last:X}}}," for first, last in rows]
    for at in range(0, len(cells), 5):
        print("    " + " ".join(cells[at : at + 5]))
    print("};")


print(f"// Made by width_table.py from Unicode {unicodedata.unidata_version}; not to be edited. Sorted.")
print("// clang-format off")
show("combining", ranges(0))
show("wide", ranges(2))
print("// clang-format on")
