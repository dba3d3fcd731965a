"""The first line of the user's at which the translation has other values than the original has."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from tnp_migrate.proof.inside.form_names import CUT, RAISED

CLOSE = 1e-9  # relative; what rounding does is not where results part
CLOSE_SINGLE = 1e-4
ALIKE = 0.5  # as much two lines of a changed block have in common that are one line before and after
PAIRS = 2500  # of lines of a changed block that are compared
Steps = Sequence[Sequence[Any]]
_Values = Mapping[str, Any]
_Place = tuple[int, int, int]  # a frame, a line of the original in it, and the how manieth time it is come to


def first_line(original: Steps, translated: Steps, before: str, after: str) -> int | None:
    """The line of the original whose effect is the first to differ; None where the traces do not tell.

    That is the last line before the first step at which a variable holds something else, or to which the translation
    does not come though its text has the line; or the line at which it raises something else. The traces are those of
    `inside.divergence`, the texts are of the file before and after the translation.
    """
    lines = lines_between(after, before)
    counted = Counter(lines.values())
    theirs = dict(_places(translated, lines))
    managed = _managed(before)
    is_whole = bool(translated) and translated[-1][0] != CUT
    last: int | None = None
    for place, values in _places(original):
        other = theirs.get(place)
        is_missed = is_whole and other is None and counted[place[1]] == 1
        if is_missed or (other is not None and _differ(values, other)):
            return last if last is not None else place[1]
        last = last if last in managed.get(place[1], ()) else place[1]
    if is_whole and translated[-1][0] == RAISED:
        return next((lines.get(line) for line, *_ in reversed(translated[:-1])), None)
    return None


def _places(steps: Steps, lines: Mapping[int, int] | None = None) -> Iterator[tuple[_Place, _Values]]:
    """The steps of a trace by where they are in the original, each with all that variables hold before it.

    Several lines of the translation that stand for one are one step, the first of them.
    """
    known: dict[int, dict[str, Any]] = {}
    visits: Counter[tuple[int, int]] = Counter()
    former: dict[int, tuple[int, int]] = {}
    for line, changed, frame in steps:
        if line <= 0:
            return
        known[frame] = {**known.get(frame, {}), **changed}
        own = line if lines is None else lines.get(line)
        if own is None:
            continue
        before, before_own = former.get(frame, (line, 0))
        former[frame] = (line, own)
        if lines is not None and own == before_own and line > before:
            continue
        visits[frame, own] += 1
        yield (frame, own, visits[frame, own]), known[frame]


def _managed(text: str) -> dict[int, range]:
    """By the line of each `with` the lines of its body: Python comes back to the line when it leaves the body."""
    found = [one for one in ast.walk(ast.parse(text)) if isinstance(one, (ast.With, ast.AsyncWith))]
    return {one.lineno: range(one.body[0].lineno, (one.end_lineno or one.lineno) + 1) for one in found}


def _differ(values: _Values, other: _Values) -> bool:
    """Whether two steps hold something else; what only one of them has under a name may be called otherwise there."""
    if ("return" in values) != ("return" in other):
        return True
    return any(_apart(value, other[name]) for name, value in values.items() if name in other)


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
    """Lines of the text after by the lines before them; added ones have none.

    In a changed block of other length the lines that are most alike belong together, in their order; what is left
    belongs to the line that the one above it belongs to.
    """
    new, old = after.splitlines(), before.splitlines()
    found = {}
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, new, old, autojunk=False).get_opcodes():
        if tag == "delete":
            continue
        pairs = {step: step for step in range(i2 - i1)} if i2 - i1 == j2 - j1 else _alike(new[i1:i2], old[j1:j2])
        own = 0
        for step in range(i2 - i1):
            own = pairs.get(step, own)
            found[i1 + step + 1] = j1 + own + 1
    return found


def _alike(new: Sequence[str], old: Sequence[str]) -> dict[int, int]:
    """Which of some lines were which: the pairs in order that have most in common together."""
    if len(new) * len(old) > PAIRS:
        return {}
    best: list[list[tuple[float, Any]]] = [[(0.0, None)] * (len(old) + 1)]
    for i, one in enumerate(new):
        row: list[tuple[float, Any]] = [(0.0, None)]
        for j, other in enumerate(old):
            ratio = SequenceMatcher(None, one.strip(), other.strip(), autojunk=False).ratio()
            above, pairs = best[i][j]
            joined = (above + ratio, ((i, j), pairs)) if ratio > ALIKE else (0.0, None)
            row.append(max(best[i][j + 1], row[j], joined, key=lambda one: one[0]))
        best.append(row)
    found, pairs = {}, best[-1][-1][1]
    while pairs is not None:
        (i, j), pairs = pairs
        found[i] = j
    return found
