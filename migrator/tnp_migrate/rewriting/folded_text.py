"""The text of a definition, and edits of it: what is left out, put in, and moved to the left."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Collection, Iterable
from functools import cache

from tnp_migrate.numpy_facts.rulebook import Definition
from tnp_migrate.rewriting.needed_rules import free_names

Edit = tuple[int, int, str]
Span = tuple[int, int]


class UnfoldableError(Exception):
    """A function is written in a way that is not followed here."""


class Body:
    """A definition as it was written, and what its text says without regard to any call."""

    def __init__(self, definition: Definition, names: Collection[str]) -> None:
        """Read the text of a definition; `names` are those of other definitions."""
        node = ast.parse(definition.text).body[0]
        self.node, self.names = node, names
        self.lines = [line.encode() for line in definition.text.splitlines(keepends=True)]
        self.whole = b"".join(self.lines)
        self.starts = [0, *itertools.accumulate(map(len, self.lines))]
        self.texts: list[Span] = []  # the lines of strings
        self.assigned, self.named, bound = set[str](), set[str](), set[str]()
        for one in ast.walk(node):
            if isinstance(one, ast.Name):
                self.assigned |= set() if isinstance(one.ctx, ast.Load) else {one.id}
            elif isinstance(one, ast.arg):
                bound.add(one.arg)
            elif isinstance(one, ast.NamedExpr):
                self.named.add(one.target.id)
            elif isinstance(one, ast.Nonlocal):
                self.named.update(one.names)
            elif isinstance(one, ast.FunctionDef | ast.ClassDef) and one is not node:
                bound.add(one.name)
            elif isinstance(one, ast.Constant) and isinstance(one.value, str):
                self.texts.append((one.lineno, one.end_lineno or 0))
        self.bound = bound | self.assigned if isinstance(node, ast.FunctionDef) else set()
        self.free = free_names(definition.node)
        self.shared = self.free & self.bound & set(names)  # what functions in it bind, and it takes from outside


def body_of(definition: Definition, names: Iterable[str]) -> Body:
    """What a definition says among others: read once for all helper modules that have a copy of it."""
    return _read_body(definition, _words(definition).intersection(names))


@cache
def _read_body(definition: Definition, names: frozenset[str]) -> Body:
    return Body(definition, names)


@cache
def _words(definition: Definition) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", definition.text))


class EditedText:
    """The edits of a definition's text, by its bytes."""

    def __init__(self, body: Body) -> None:
        self.node, self.lines, self.starts, self.whole = body.node, body.lines, body.starts, body.whole
        self.texts = body.texts
        self.edits: list[Edit] = []
        self.indents: dict[int, int] = {}

    def text(self, more: Collection[Edit] = ()) -> str:
        """The text with all edits, and `more` of them."""
        whole = self.whole
        edits = [one for one in (*self.edits, *more) if not any(_is_inside(one, other) for other in more)]
        cut = [(start, end) for start, end, _ in edits]
        for line, width in self.indents.items():
            start = self.starts[line - 1]
            if not any(first <= start < last for first, last in cut):
                edits.append((start, start + width, ""))
        made, place = b"", 0
        for start, end, text in sorted(edits):
            if start < place:
                raise UnfoldableError
            made += whole[place:start] + text.encode()
            place = end
        return (made + whole[place:]).decode()

    def at(self, line: int, column: int) -> int:
        """The byte at a place."""
        return self.starts[line - 1] + column

    def span(self, node: ast.expr | ast.keyword) -> Span:
        """The bytes of an expression."""
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno or 0, node.end_col_offset or 0)

    def cut(self, start: int, end: int, text: str = "") -> None:
        """Leave bytes out, with a text in their place."""
        if start < end or text:
            self.edits.append((start, end, text))

    def cut_lines(self, first: int, last: int, text: str = "") -> None:
        """Leave whole lines out, with a text in their place."""
        self.cut(self.starts[first - 1], self.starts[last], text)

    def indent_of(self, step: ast.stmt) -> str:
        """What a statement is indented by in the end."""
        return " " * (step.col_offset - self.indents.get(step.lineno, 0))

    def header_end(self, first: int, test: ast.expr | None) -> int:
        """The line in which a statement's head ends."""
        line = test.end_lineno if test is not None and test.end_lineno else first
        while not self.lines[line - 1].split(b"#")[0].rstrip().endswith(b":"):
            line += 1
        return line

    def dedent(self, first: int, last: int) -> None:
        """Move lines to the left, which are those of a block."""
        if any(first <= begin < end <= last for begin, end in self.texts):
            raise UnfoldableError
        for line in range(first, last + 1):
            if self.lines[line - 1].strip():
                self.indents[line] = self.indents.get(line, 0) + 4


def _is_inside(one: Edit, other: Edit) -> bool:
    return one != other and other[0] <= one[0] < other[1] and one[1] <= other[1]


def bound_in(node: ast.AST) -> set[str]:
    """The names that a function and those in it bind."""
    found: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif isinstance(one, ast.arg):
            found.add(one.arg)
        elif isinstance(one, ast.FunctionDef | ast.ClassDef) and one is not node:
            found.add(one.name)
    return found
