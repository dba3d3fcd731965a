"""The line that is asked about, as a person writes it: `filters.py:12`, and what reports print."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.text.cells import Cells
from tnp_migrate.text.discovery import Found

_ADDRESS = re.compile(r"(?P<file>.+?):(?:cell (?P<cell>\d+):)?(?P<line>\d+)(?::\d+)?")
_FORM = "FILE:LINE, as in filters.py:12, or NOTEBOOK:cell N:LINE"


class NoSuchLine(Exception):
    """There is nothing at the place that is asked about; the message says why."""


@dataclass(frozen=True)
class Address:
    """A line of a file, or of a cell in a notebook; counted from 1. A column, as reports print it, does not matter."""

    path: Path
    line: int
    cell: int | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.where}"

    @property
    def where(self) -> str:
        """The line as reports name it."""
        return str(self.line) if self.cell is None else f"cell {self.cell}:{self.line}"

    def line_in(self, cells: Cells | None) -> int:
        """The line of the module that a file is, or that the cells of a notebook are one after the other."""
        if cells is None or self.cell is None:
            return self.line
        part = next((one for one in cells.parts if one.cell.number == self.cell), None)
        if part is None:
            known = ", ".join(str(one.cell.number) for one in cells.parts) or "none"
            raise NoSuchLine(f"{self.path} has no cell {self.cell} with code; cells with code: {known}")
        count = part.cell.source.count("\n") + 1
        if not 0 < self.line <= count:
            raise NoSuchLine(f"cell {self.cell} of {self.path} has {count} lines: there is no line {self.line}")
        return part.start + self.line


def read_address(text: str) -> Address:
    """Take an address apart; raises `NoSuchLine` where it is none, or where there is no such file."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise NoSuchLine(f"{text!r} is no {_FORM}")
    path, cell = Path(found["file"]), found["cell"]
    if not os.path.lexists(path):
        raise NoSuchLine(f"{path}: no such file")
    if not path.is_file():
        raise NoSuchLine(f"{path} is no file; write {_FORM}")
    kind = Found(path, str(path), path)
    if not kind.is_python:
        raise NoSuchLine(f"{path} is no Python file and no notebook")
    if kind.is_notebook != (cell is not None):
        wanted = f"NOTEBOOK:cell N:LINE, as in {path}:cell 3:1" if cell is None else f"FILE:LINE: {path} has no cells"
        raise NoSuchLine(f"{text!r}: write {wanted}")
    return Address(path, int(found["line"]), int(cell) if cell else None)
