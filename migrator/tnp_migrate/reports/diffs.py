"""`--diff`: a patch for programs, a view for people.

In a pipe it is a patch, byte for byte, which `git apply` takes; hunks of a notebook name the cell. On a terminal a
helper module is one line, of a notebook the cells are compared, lines have colours and control characters are escaped.
"""

from __future__ import annotations

import os
import re
from bisect import bisect
from collections.abc import Iterator
from difflib import diff_bytes, unified_diff
from pathlib import Path
from typing import Protocol

from tnp_migrate.rewriting.helpers import FILE_NAME
from tnp_migrate.text.notebooks import SUFFIX, read_notebook

_COLOURS = {b"---": "1", b"+++": "1", b"@@": "36", b"-": "31", b"+": "32"}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Changed(Protocol):
    """New contents by path, with what stood there before and how a report names it: `tnp_migrate.state.Project`."""

    outputs: dict[Path, bytes]

    def before(self, path: Path) -> bytes | None:
        """The text that an output takes the place of; None where there is none."""

    def shown(self, path: Path) -> str:
        """The path of an output as the report names it."""


def patch(project: Changed) -> Iterator[bytes]:
    """The lines of a patch: the user's files first, then the helper modules."""
    for path in _order(project):
        yield from _diff(project, path)


def view(project: Changed, *, colour: bool) -> Iterator[str]:
    """The lines of a diff for a person's eyes."""
    for path in _order(project):
        if path.name == FILE_NAME:
            lines = project.outputs[path].count(b"\n")
            is_new = project.before(path) is None
            yield f"{_escaped(project.shown(path))}: {'new' if is_new else 'changed'}, {lines} lines"
            continue
        for line in _cells(project, path) if path.suffix == SUFFIX else _diff(project, path):
            text = _escaped(line.decode("utf-8", "backslashreplace").rstrip("\r\n"))
            code = next((code for start, code in _COLOURS.items() if line.startswith(start)), None)
            yield f"\x1b[{code}m{text}\x1b[0m" if colour and code else text


def wants_colour() -> bool:
    """Whether the user's terminal may be sent colours: https://no-color.org says how not to."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _order(project: Changed) -> list[Path]:
    return sorted(project.outputs, key=lambda path: (path.name == FILE_NAME, path))


def _diff(project: Changed, path: Path) -> Iterator[bytes]:
    before, shown = project.before(path), os.fsencode(project.shown(path))
    old, new = (re.findall(rb"[^\n]*\n|[^\n]+", text) for text in (before or b"", project.outputs[path]))
    origin = b"/dev/null" if before is None else b"a/" + shown
    lines = diff_bytes(unified_diff, old, new, origin, b"b/" + shown)
    for line in _with_cells(lines, before) if path.suffix == SUFFIX and before is not None else lines:
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def _with_cells(lines: Iterator[bytes], before: bytes) -> Iterator[bytes]:
    """Name the cell that the first changed line of a hunk is in, where a patch may have a heading."""
    cells = read_notebook(before).cells
    starts = [before.decode().count("\n", 0, one.span.start) + 1 for one in cells]
    for line in lines:
        hunk = re.fullmatch(rb"(@@ -(\d+)[^@]*@@)\n", line)
        yield hunk[1] + b" cell %d\n" % bisect(starts, int(hunk[2]) + 3) if hunk else line


def _cells(project: Changed, path: Path) -> Iterator[bytes]:
    """The lines of a notebook's diff, cell by cell."""
    before, after = (read_notebook(text) for text in (project.before(path) or b"", project.outputs[path]))
    for old, new in zip(before.cells, after.cells, strict=True):
        name = f"{project.shown(path)}:cell {old.number}"
        left, right = (one.source.split("\n") for one in (old, new))
        for line in unified_diff(left, right, f"a/{name}", f"b/{name}", lineterm=""):
            yield os.fsencode(line)


def _escaped(text: str) -> str:
    """Text without characters that move a terminal's cursor, change its colours or the order of what is shown."""
    return _CONTROL.sub(lambda found: repr(found.group())[1:-1], text)
