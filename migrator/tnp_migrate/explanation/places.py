"""Places in the user's files: a line of one, or of a cell of a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tnp_migrate.text.cells import Cells


@dataclass(frozen=True, order=True)
class Place:
    """A line, counted from 1; in a notebook that of a cell."""

    path: str
    cell: int
    line: int

    @property
    def where(self) -> str:
        """The line as reports name it."""
        return f"cell {self.cell}:{self.line}" if self.cell else str(self.line)

    def __str__(self) -> str:
        return f"{self.path}:{self.where}"


@dataclass(frozen=True)
class Places:
    """The notebooks of a project by their paths: their lines are known by cells, 0 stands for a file without."""

    cells: Mapping[str, Cells]

    def at(self, path: str, line: int) -> Place:
        """The place of a line of a module."""
        cells = self.cells.get(path)
        if cells is None or not cells.parts:
            return Place(path, 0, line)
        found = cells.place(line, 1)
        return Place(path, found.cell, found.line)
