"""Notebooks as bytes: `.ipynb` in, its cells with the places of their sources out, and new sources put back.

Only the lines of a source that change are written anew: every other byte of the JSON stays, its indentation, the order
of its keys, ids, metadata and outputs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tnp_migrate.text.json_places import characters, elements, members, whole
from tnp_migrate.text.source import Edit, SourceError, Span

SUFFIX = ".ipynb"
_NO_NOTEBOOK = "cannot be read: it is not a notebook of format 4"


@dataclass(frozen=True)
class Cell:
    """One cell: its number in the notebook, from 1 and with cells of text counted, and its source.

    `span` is the value of the source in the JSON, in characters; `parts` are those of its other members.
    """

    number: int
    is_code: bool
    source: str
    span: Span
    parts: Mapping[str, Span]


@dataclass(frozen=True, eq=False)
class Notebook:
    """A notebook: its JSON as text, whether Python runs it, and its cells."""

    text: str
    is_python: bool
    cells: tuple[Cell, ...]

    def place(self, cell: Cell, offset: int) -> tuple[int, int]:
        """Line and column in the file, both from 1, of a character of a cell's source."""
        written = self.written(cell)
        at = written[offset].start if offset < len(written) else written[-1].end if written else cell.span.start
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)

    def written(self, cell: Cell) -> list[Span]:
        """Where each character of a cell's source stands in the JSON."""
        return [one for string in _strings(self.text, cell.span) for one in characters(self.text, string)]

    def with_sources(self, sources: Mapping[int, str], *, clear_outputs: bool = False) -> bytes:
        """Give the notebook with other sources of some cells, named by their numbers.

        With `clear_outputs` the outputs of all its code cells, which are those of the old sources, go as well where a
        source changes.
        """
        edits = [
            Edit(cell.span, self._source(cell, sources[cell.number]))
            for cell in self.cells
            if sources.get(cell.number, cell.source) != cell.source
        ]
        if edits and clear_outputs:
            edits += self._without_outputs()
        pieces, reached = [], 0
        for edit in sorted(edits, key=lambda one: one.span):
            pieces += [self.text[reached : edit.span.start], edit.text]
            reached = edit.span.end
        return "".join([*pieces, self.text[reached:]]).encode()

    def _without_outputs(self) -> Iterator[Edit]:
        for cell in self.cells:
            for key, empty in (("outputs", "[]"), ("execution_count", "null")):
                if cell.is_code and key in cell.parts:
                    yield Edit(cell.parts[key], empty)

    def _source(self, cell: Cell, source: str) -> str:
        """The JSON of a new source, laid out as the old one; lines that stay are written as they were."""
        old = self.text[cell.span.start : cell.span.end]
        kept = dict(self._written_lines(cell))
        lines = [kept.get(line) or self._quoted(line) for line in _lines(source)]
        if old.startswith('"'):
            return f'"{"".join(lines)}"'
        strings = elements(self.text, cell.span)
        opening = self.text[cell.span.start : strings[0].start] if strings else "["
        closing = self.text[strings[-1].end : cell.span.end] if strings else "]"
        between = self.text[strings[0].end : strings[1].start] if len(strings) > 1 else self._between(opening)
        return opening + between.join(f'"{line}"' for line in lines) + closing

    def _between(self, opening: str) -> str:
        """What stands between two strings, where the source has one only."""
        blanks = opening.removeprefix("[")
        return f",{blanks}" if blanks or '": ' not in self.text else ", "

    def _written_lines(self, cell: Cell) -> Iterator[tuple[str, str]]:
        written = [self.text[one.start : one.end] for one in self.written(cell)]
        reached = 0
        for line in _lines(cell.source):
            yield line, "".join(written[reached : reached + len(line)])
            reached += len(line)

    def _quoted(self, line: str) -> str:
        return json.dumps(line, ensure_ascii=self._escapes)[1:-1]

    @cached_property
    def _escapes(self) -> bool:
        """Whether the file writes what is not ASCII as escapes."""
        return self.text.isascii() and "\\u" in self.text


def read_notebook(data: bytes) -> Notebook:
    """Read a notebook of format 4; raises `SourceError` TNP911 for anything else."""
    try:
        text = data.decode()
        parts = members(text, whole(text)) if text.lstrip(" \t\r\n").startswith("{") else {}
        cells = [members(text, one) for one in elements(text, parts["cells"])]
        metadata = json.loads(text[parts["metadata"].start : parts["metadata"].end]) if "metadata" in parts else {}
        return Notebook(text, _is_python(metadata), tuple(_cells(text, cells)))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise SourceError("TNP911", _NO_NOTEBOOK) from None


def _cells(text: str, cells: Iterable[Mapping[str, Span]]) -> Iterator[Cell]:
    for number, parts in enumerate(cells, 1):
        kind, source = (json.loads(text[parts[key].start : parts[key].end]) for key in ("cell_type", "source"))
        yield Cell(number, kind == "code", "".join(source), parts["source"], parts)


def _is_python(metadata: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether the kernel is Python's, as far as the notebook says; one that says nothing is."""
    named = [metadata.get("language_info", {}).get("name"), metadata.get("kernelspec", {}).get("language")]
    known = [name.lower() for name in named if name]
    return not known or known[0] in ("python", "ipython")


def _strings(text: str, span: Span) -> list[Span]:
    """The strings of a source: an array of them, or one."""
    return elements(text, span) if text[span.start] == "[" else [span]


def _lines(source: str) -> list[str]:
    """Lines with their ends, as nbformat lists them: form feeds and the like end lines as well."""
    return source.splitlines(keepends=True)
