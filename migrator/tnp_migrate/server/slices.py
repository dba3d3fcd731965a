"""The part of a file that says something about an edit: edited definitions, and what they refer to, in their places.

A file of thousands of lines takes seconds to look at, a definition of it a fraction. In a slice every other line is a
comment, so that lines keep their numbers, in messages too.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tnp_migrate.server.lines import whole_lines_of

_MOST = 80  # lines beside the edited ones: the nearest definitions first
_COMPOUND = (ast.If, ast.Try, ast.With, ast.For, ast.While)


@dataclass(frozen=True)
class Slice:
    """A text with what matters for lines `first` to `last` (from 1, `last` excluded), which are whole definitions.

    `functions` are the names of those that these lines define.
    """

    text: str
    first: int
    last: int
    functions: frozenset[str] = frozenset()


@dataclass(eq=False)
class _Unit:
    """Lines that are kept together: a statement of the module, the head of a class, a method of it."""

    first: int
    last: int
    nodes: list[ast.AST]
    name: str = ""  # of the class
    owner: _Unit | None = None  # of a method, the class's head
    methods: dict[str, list[_Unit]] = field(default_factory=dict)  # of a class's head
    holes: list[_Unit] = field(default_factory=list)  # the methods between the lines of a class's head

    @property
    def lines(self) -> set[int]:
        """Its lines, without those of its methods."""
        return set(range(self.first, self.last)) - {line for one in self.holes for line in range(one.first, one.last)}

    @property
    def functions(self) -> Iterator[str]:
        """What reports call the functions in it."""
        around = f"{self.name}." if self.name else ""
        return (around + one.name for one in self.nodes if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))


@lru_cache(maxsize=8)  # the text before is the same for many edits of a function
def slice_around(text: str, first: int, last: int) -> Slice | None:
    """Cut out what matters for some lines; None where the text does not parse. No lines where no statement is there."""
    units = _units_of(text)
    if units is None:
        return None
    edited = [
        one for one in units if one.first < last and first < one.last and any(first <= n < last for n in one.lines)
    ]
    return _cut(text, units, edited) if edited else Slice("", first, first)


def slices_of_functions(text: str, line: int) -> Iterator[Slice]:
    """What an edit of one function of a text cuts out, for each: those nearest to a line first."""
    units = _units_of(text) or []
    functions = [one for one in units if any(one.functions)]
    functions.sort(key=lambda one: max(one.first - line, line - one.last))
    return (_cut(text, units, [one]) for one in functions)


@lru_cache(maxsize=2)  # of the text before, and of the one after
def _units_of(text: str) -> list[_Unit] | None:
    """The statements of a text, classes by their methods; None where it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return [unit for statement in tree.body for unit in _units(statement)]


def _cut(text: str, units: list[_Unit], edited: list[_Unit]) -> Slice:
    kept = {line for one in _reached(units, edited) for line in one.lines}
    lines = whole_lines_of(text)
    cut = (line if number in kept else f"#{number}\n" for number, line in enumerate(lines, 1))
    names = frozenset(name for one in edited for name in one.functions)
    return Slice("".join(cut), min(one.first for one in edited), max(one.last for one in edited), names)


def _units(statement: ast.stmt) -> Iterator[_Unit]:
    first, last = _extent(statement)
    if not isinstance(statement, ast.ClassDef):
        yield _Unit(first, last, [statement])
        return
    methods = [one for one in statement.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    apart = [one for one in methods if one is not statement.body[0]]  # a class without a body does not parse
    own = [one for one in ast.iter_child_nodes(statement) if one not in apart]
    head = _Unit(first, last, own, statement.name)
    for one in apart:
        unit = _Unit(*_extent(one), [one], statement.name, head)
        head.holes.append(unit)
        head.methods.setdefault(one.name, []).append(unit)
    yield head
    yield from head.holes


def _extent(statement: ast.stmt) -> tuple[int, int]:
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)]), (statement.end_lineno or statement.lineno) + 1


def _reached(units: Iterable[_Unit], edited: list[_Unit]) -> set[_Unit]:
    """The edited units, and those that they refer to by name, directly or not, as far as there is room."""
    binding: dict[str, list[_Unit]] = {}
    for one in units:
        for name in () if one.owner is not None else [one.name] if one.name else _bound(one.nodes):
            binding.setdefault(name, []).append(one)
    kept: set[_Unit] = set()
    room = _MOST
    pending = deque(edited)
    while pending:
        one = pending.popleft()
        size = 0 if one in edited else len(one.lines)
        if one in kept or size > room:
            continue
        kept.add(one)
        room -= size
        if one.owner is not None:
            pending.appendleft(one.owner)
        pending += one.methods.get("__init__", ())
        names, attributes = _named(one.nodes)
        pending += (unit for name in names for unit in binding.get(name, ()))
        head = one.owner or one
        pending += (unit for name in attributes for unit in head.methods.get(name, ()))
    return kept


def _bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that statements of a module bind."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, _COMPOUND):
            yield from _bound(ast.iter_child_nodes(node))
        else:
            yield from (
                one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            )


def _named(nodes: Iterable[ast.AST]) -> tuple[list[str], list[str]]:
    """The names and the attributes that stand in nodes, each once."""
    names: dict[str, None] = {}
    attributes: dict[str, None] = {}
    for node in nodes:
        for one in ast.walk(node):
            if isinstance(one, ast.Name):
                names[one.id] = None
            elif isinstance(one, ast.Attribute):
                attributes[one.attr] = None
    return list(names), list(attributes)
