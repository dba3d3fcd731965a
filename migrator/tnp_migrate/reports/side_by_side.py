"""Two versions of a file side by side as an HTML table, far unchanged lines folded, notes under their lines."""

from __future__ import annotations

import difflib
import io
import tokenize
from collections.abc import Iterator
from html import escape

from tnp_migrate.text.cells import begins_cell

CONTEXT = 3  # unchanged lines shown around a change or a note


def side_by_side(before: bytes, after: bytes, notes: dict[int, list[str]], *, in_cells: bool = False) -> str:
    """Write the table. `notes` are HTML by line of `before`; lines are compared whole, as `difflib` does.

    Where a notebook is shown `in_cells`, lines are counted from the beginning of each cell.

    `difflib.HtmlDiff` compares within lines too, which takes minutes on files of thousands of lines.
    """
    left, right = _lines(before), _lines(after)
    rows = list(_pairs(left, right))
    near = _near(rows, left, right, notes)
    shown = [_numbered(lines, in_cells=in_cells) for lines in (left, right)]
    cells: list[str] = []
    folded = 0
    for place, (old, new) in enumerate(rows):
        if place not in near:
            folded += 1
            continue
        cells += _gap(folded)
        folded = 0
        cells.append(_row(old, new, *shown))
        under = notes.get(old + 1, []) if old is not None else []
        cells += [f'<tr class="note"><td></td><td colspan="3">{note}</td></tr>' for note in under]
    columns = '<col class="num"><col><col class="num"><col>'
    return f'<table class="diff"><colgroup>{columns}</colgroup>{"".join([*cells, *_gap(folded)])}</table>'


def _lines(text: bytes) -> list[str]:
    """Decode as Python would, for show: bytes that do not fit become the replacement character."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(text).readline)
    except SyntaxError:
        encoding = "utf-8"
    return text.decode(encoding, errors="replace").replace("\r\n", "\n").split("\n")


def _pairs(left: list[str], right: list[str]) -> Iterator[tuple[int | None, int | None]]:
    """Pair line numbers from 0; None where one side has no line."""
    for tag, start, end, new_start, new_end in difflib.SequenceMatcher(None, left, right).get_opcodes():
        for step in range(max(end - start, new_end - new_start)):
            old = start + step if start + step < end else None
            new = new_start + step if new_start + step < new_end else None
            yield (old, new) if tag != "equal" else (start + step, new_start + step)


def _near(
    rows: list[tuple[int | None, int | None]], left: list[str], right: list[str], notes: dict[int, list[str]]
) -> set[int]:
    """Pick the rows to show: changed or noted ones, and `CONTEXT` rows around them."""
    near: set[int] = set()
    for place, (old, new) in enumerate(rows):
        same = old is not None and new is not None and left[old] == right[new]
        if not same or (old is not None and old + 1 in notes):
            near.update(range(place - CONTEXT, place + CONTEXT + 1))
    return near


def _numbered(lines: list[str], *, in_cells: bool) -> list[tuple[str, str]]:
    """Each line with its number; the comment before a cell has none."""
    found, number = [], 0
    for line in lines:
        heads = in_cells and begins_cell(line)
        number = 0 if heads else number + 1
        found.append(("" if heads else str(number), line))
    return found


def _row(old: int | None, new: int | None, left: list[tuple[str, str]], right: list[tuple[str, str]]) -> str:
    if old is not None and new is not None and left[old][1] == right[new][1]:
        return f"<tr>{_cell(old, left, '')}{_cell(new, right, '')}</tr>"
    return f"<tr>{_cell(old, left, 'del')}{_cell(new, right, 'add')}</tr>"


def _cell(row: int | None, lines: list[tuple[str, str]], kind: str) -> str:
    if row is None:
        return "<td></td><td></td>"
    marked = f' class="{kind}"' if kind else ""
    number, line = lines[row]
    return f'<td class="num">{number}</td><td{marked}>{escape(line)}</td>'


def _gap(folded: int) -> list[str]:
    return [f'<tr class="gap"><td colspan="4">{folded} unchanged lines</td></tr>'] if folded else []
