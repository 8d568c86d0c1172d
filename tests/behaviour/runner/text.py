"""What has to survive in the bytes of a file, as its TEXT constant says."""

from __future__ import annotations

import re
from typing import Any

BOM = b"\xef\xbb\xbf"
COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=]")


def text_faults(spec: dict[str, Any] | None, after: bytes) -> list[str]:
    """TEXT holds: newline "crlf", bom, cookie, eof_newline False, encoding, keep [pieces that must still be there]."""
    if not spec:
        return []
    faults = []
    if spec.get("newline") == "crlf" and after.count(b"\n") != after.count(b"\r\n"):
        faults.append("text: LF line in a CRLF file")
    if spec.get("bom") and not after.startswith(BOM):
        faults.append("text: BOM lost")
    if spec.get("cookie") and not any(COOKIE.match(line) for line in after.removeprefix(BOM).split(b"\n")[:2]):
        faults.append("text: coding cookie not in the first two lines")
    if spec.get("eof_newline") is False and after.endswith(b"\n"):
        faults.append("text: newline added at end of file")
    encoding = spec.get("encoding", "utf-8")
    for piece in spec.get("keep", ()):
        if piece.encode(encoding) not in after:
            faults.append(f"text: {piece!r} is gone")
    return faults
