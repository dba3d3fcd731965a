"""A notebook as one module: the code cells in order, a comment before each; and the module's new text back in cells.

    # %% cell 3
    x = np.zeros(3)

Every line stands for one of the user's, so that a place in the module is a place in a cell. What is no Python has
stand-ins; a cell that cannot be read is a stand-in as a whole.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from tnp_migrate.text.magics import Kept, Masked, NotPython, mask, unmask
from tnp_migrate.text.notebooks import Cell, Notebook
from tnp_migrate.text.source import SourceError

HEAD = "# coding: utf-8\n"  # so that no comment in the first cell is taken for a declaration
_CELL = re.compile(rb"^# ?%%", re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")


def has_cells(body: bytes) -> bool:
    """Whether a module is written in cells."""
    return _CELL.search(body) is not None


def begins_cell(line: str) -> bool:
    """Whether a line is the comment before a cell."""
    return _CELL.match(line.encode()) is not None


@dataclass(frozen=True)
class Place:
    """A place in a notebook: the cell with line and column in it, and line and column in the file; all from 1."""

    cell: int
    line: int
    column: int
    file_line: int
    file_column: int


@dataclass(frozen=True)
class Part:
    """A code cell in the module: the line of its comment, the text that stands for its source, and why it was left."""

    cell: Cell
    start: int
    masked: Masked
    left: NotPython | None = None


@dataclass(frozen=True, eq=False)
class Cells:
    """A notebook and its module; `marker` begins the comments before cells."""

    notebook: Notebook
    marker: str
    parts: tuple[Part, ...]

    @property
    def body(self) -> bytes:
        """The module."""
        texts = (f"{self.marker}{one.cell.number}\n{one.masked.text}\n" for one in self.parts)
        return "".join([HEAD, *texts]).encode()

    @property
    def shown(self) -> bytes:
        """The module with the user's own text in the places of stand-ins: line for line the same."""
        return self._joined({one.cell.number: one.cell.source for one in self.parts})

    def _joined(self, sources: dict[int, str]) -> bytes:
        texts = (f"{self.marker}{number}\n{source}\n" for number, source in sources.items())
        return "".join([HEAD, *texts]).encode("utf-8", "replace")

    def names_kept(self) -> set[str]:
        """The names in what is left as it is, and in timed code, which may be left: imports of them stay."""
        return {name for one in self.parts for text in _untouched(one) for name in _WORD.findall(text)}

    def place(self, line: int, column: int) -> Place:
        """Where a place of the module is."""
        part = self.parts[max(bisect_right([one.start for one in self.parts], line) - 1, 0)]
        row = min(max(line - part.start, 1), part.cell.source.count("\n") + 1)
        old, new = (text.split("\n")[row - 1] for text in (part.masked.text, part.cell.source))
        column = _moved(old, new, column) if line > part.start else 1
        offset = sum(len(one) + 1 for one in part.cell.source.split("\n")[: row - 1]) + column - 1
        return Place(part.cell.number, row, column, *self.notebook.place(part.cell, offset))

    def sources(self, after: bytes) -> tuple[dict[int, str], set[int]]:
        """New sources by the numbers of cells, and the cells in which timed code was left as it is.

        Raises `SourceError` TNP910 where a cell or something that is kept is not to be found in the new text.
        """
        found = self._split(after.decode())
        made: dict[int, str] = {}
        reverted = set()
        for part in self.parts:
            number = part.cell.number
            text = _without_new_names(part.masked, found[number])
            if text != found[number]:
                reverted.add(number)
            try:
                made[number] = part.cell.source if part.left else unmask(text, part.masked.kept)
                if not part.left and not _is_kept(part.masked, mask(made[number], "__kept")):
                    raise _lost(part.masked.kept[0].text if part.masked.kept else "Python")
            except (ValueError, NotPython) as error:
                raise _lost(error) from None
        return made, reverted

    def shown_after(self, sources: dict[int, str]) -> bytes:
        """The module as `shown`, with new sources."""
        return self._joined(sources)

    def _split(self, text: str) -> dict[int, str]:
        pieces = re.split(rf"^{re.escape(self.marker)}(\d+)\n", text, flags=re.MULTILINE)
        numbers = [int(one) for one in pieces[1::2]]
        if pieces[0] != HEAD or numbers != [one.cell.number for one in self.parts]:
            raise _lost("a cell's beginning")
        return {number: piece.removesuffix("\n") for number, piece in zip(numbers, pieces[2::2], strict=True)}


def read_cells(notebook: Notebook) -> Cells:
    """Make a module of a notebook's code cells."""
    cells = [one for one in notebook.cells if one.is_code and notebook.is_python]
    everything = "\n".join(one.source for one in cells)
    marker = next(text for text in (f"# {'%' * count} cell " for count in range(2, 99)) if text not in everything)
    prefix = next(text for text in (f"__kept{'_' * count}" for count in range(1, 99)) if text not in everything)
    parts, line = [], HEAD.count("\n") + 1
    for cell in cells:
        parts.append(_part(cell, line, f"{prefix}{cell.number}_"))
        line += cell.source.count("\n") + 2
    return Cells(notebook, marker, tuple(parts))


def _part(cell: Cell, start: int, prefix: str) -> Part:
    try:
        return Part(cell, start, mask(cell.source, prefix))
    except NotPython as error:
        standin = f"{prefix}0__()" + "\n" * cell.source.count("\n")
        return Part(cell, start, Masked(standin, (Kept(cell.source, standin),)), error)


def _untouched(part: Part) -> Iterator[str]:
    if part.left or part.masked.timed or any(one.timed for one in part.masked.kept):
        yield part.cell.source
    else:
        yield from (one.text for one in part.masked.kept)


def _moved(old: str, new: str, column: int) -> int:
    """The column in the user's line of a column in the line with a stand-in; the same where there is none."""
    if old == new:
        return column
    ahead = 0
    while ahead < min(len(old), len(new)) and old[ahead] == new[ahead]:
        ahead += 1
    if column - 1 <= ahead:
        return column
    return max(column + len(new) - len(old), ahead + 1)


def _is_kept(before: Masked, after: Masked) -> bool:
    """Whether IPython will take for its own what it took before."""
    texts = ([one.text for one in masked.kept] for masked in (before, after))
    return before.timed == after.timed and next(texts) == next(texts)


def _without_new_names(masked: Masked, text: str) -> str:
    """The new text of a cell, with the old one of what is timed and would bind what it reads from the notebook."""
    if masked.timed:
        return masked.text if _binds_anew(masked.text, text) else text
    for one in masked.kept:
        if one.timed and one.standin in text:
            old, new = (next(line for line in it.split("\n") if one.standin in line) for it in (masked.text, text))
            text = text.replace(new, old) if _binds_anew(old.strip(), new.strip()) else text
    return text


def _binds_anew(old: str, new: str) -> bool:
    """Whether new code binds a name that the old one reads from around it."""
    try:
        before, after = ast.parse(old), ast.parse(new)
    except SyntaxError:  # it goes on in other lines
        return True
    return not (_names(after, ast.Store) - _names(before, ast.Store)).isdisjoint(_names(before, ast.Load))


def _names(tree: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, context)}


def _lost(what: object) -> SourceError:
    return SourceError("TNP910", f"internal error, the notebook is left as it was: {what} is not in the new text")
