"""The first line of the user's at which the translation has other values than the original has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

CLOSE = 1e-9  # relative; what rounding does is not where results part
CLOSE_SINGLE = 1e-4
Steps = Sequence[Sequence[Any]]


def first_line(original: Steps, translated: Steps, before: str, after: str) -> int | None:
    """The line of the original whose effect is the first to differ; None where the traces do not tell.

    A trace has a step before each line: the line, and by name the shape, numbers and dtype of variables. The texts are
    of the file before and after the translation.
    """
    lines = lines_between(after, before)
    theirs: dict[tuple[int, int], Mapping[str, Any]] = {}
    visits: dict[int, int] = {}
    for line, values in translated:
        own = lines.get(line)
        if own is not None:
            visits[own] = visits.get(own, 0) + 1
            theirs.setdefault((own, visits[own]), values)
    last: int | None = None
    visits = {}
    for line, values in original:
        visits[line] = visits.get(line, 0) + 1
        other = theirs.get((line, visits[line]))
        if other is not None and _differ(values, other):
            return last if last is not None else line
        if line:
            last = line
    return None


def _differ(values: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return any(_apart(value, other[name]) for name, value in values.items() if value and other.get(name))


def _apart(one: Sequence[Any], other: Sequence[Any]) -> bool:
    (shape, numbers, dtype), (their_shape, theirs, their_dtype) = one, other
    if shape != their_shape or dtype != their_dtype:
        return True
    close = CLOSE_SINGLE if dtype == "float32" else CLOSE
    scale = max((abs(number) for number in numbers if math.isfinite(number)), default=0.0)
    return any(not _same(x, y, close * scale) for x, y in zip(numbers, theirs, strict=True))


def _same(x: float, y: float, within: float) -> bool:
    return x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= within


def lines_between(after: str, before: str) -> dict[int, int]:
    """Lines of the text after by the lines before them: unchanged ones, and changed ones of blocks of the same length.

    Of a longer block all lines belong to the first line of the block before.
    """
    new, old = after.splitlines(), before.splitlines()
    found = {}
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, new, old, autojunk=False).get_opcodes():
        if tag == "delete":
            continue
        for step, place in enumerate(range(i1, i2)):
            found[place + 1] = (j1 + step if i2 - i1 == j2 - j1 else min(j1, j2 - 1)) + 1
    return found
