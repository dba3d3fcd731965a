"""The lines of a text, as Python and editors count them, and where two texts have the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """The lines of a text, without their ends.

    `str.splitlines` ends lines at form feeds and other signs as well: the lines below have other numbers then than the
    parser and the editor give them.
    """
    lines = _END.split(text)
    return lines if lines[-1] else lines[:-1]


def whole_lines_of(text: str) -> list[str]:
    """The lines of a text with their ends."""
    return _LINE.findall(text)


def alike_before(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines two texts begin with alike."""
    most = min(len(old), len(new))
    return next((n for n in range(most) if old[n] != new[n]), most)


def alike_after(old: Sequence[str], new: Sequence[str], before: int) -> int:
    """How many lines two texts end with alike, those aside with which they begin alike."""
    most = min(len(old), len(new)) - before
    return next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
