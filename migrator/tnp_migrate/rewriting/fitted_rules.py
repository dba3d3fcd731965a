"""Definitions of rules as a helper module has them: without what no call of the migrated code reaches."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from tnp_migrate.numpy_facts.rule_lints import declarations
from tnp_migrate.numpy_facts.rulebook import Rulebook
from tnp_migrate.rewriting.call_shapes import Shape, name_of, read_shape
from tnp_migrate.rewriting.known_arguments import Fitting
from tnp_migrate.rewriting.needed_rules import needed_definitions

if TYPE_CHECKING:
    from tnp_migrate.numpy_facts.rulebook import Definition


# What a helper module with compiled functions is asked for where they have loops.
_LOOPS = "ROLLED_LOOPS"
# What it has the names of the functions in that the migrated code calls.
_CALLED = "CALLED"


def fitted_definitions(definitions: Iterable[Definition], shapes: Collection[str]) -> list[Definition]:
    """Cut definitions to what these shapes of calls reach; what is used comes first."""
    plain = {one.name: plain_definition(one) for one in definitions}
    roots: dict[str, list[Shape | None]] = {}
    for shape in sorted(shapes):
        if name_of(shape) in plain:
            roots.setdefault(name_of(shape), []).append(read_shape(shape))
    rolled = _LOOPS in roots or None in roots.get("compiled", ())
    called = ast.Set([ast.Constant(name) for name in sorted(roots)])
    roots.pop(_LOOPS, None)
    known = {name: [one for one in several if one is not None] for name, several in roots.items()}
    fitting = Fitting(
        plain,
        {name: [] if None in roots[name] else several for name, several in known.items()},
        {_LOOPS: ast.Constant(rolled), **({_CALLED: called} if None not in roots.get("compiled", ()) else {})},
    )
    made = {name: _with_text(plain[name], text) for name, text in fitting.fitted().items()}
    return needed_definitions(Rulebook({}, made), roots)


@cache
def plain_definition(definition: Definition) -> Definition:
    """The definition without the decorators that make it a rule, and with the first paragraph of its docstring."""
    return replace(definition, text="".join(_plain_lines(definition)))


def _with_text(definition: Definition, text: str) -> Definition:
    return definition if text == definition.text else replace(definition, text=text, node=ast.parse(text).body[0])


def _plain_lines(definition: Definition) -> list[str]:
    """What a docstring says beyond its first paragraph is in the rule that the function is a copy of."""
    node, lines = definition.node, definition.text.splitlines(keepends=True)
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    if '"""' in definition.text and "\n\n" in definition.text:
        for one in reversed(list(ast.walk(node))):
            if isinstance(one, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(one) is not None:
                _shorten(lines, one.body[0].lineno - first, (one.body[0].end_lineno or 0) - first + 1)
    drop: set[int] = set()
    for _, mark in declarations(node):
        drop |= set(range(mark.lineno - first, (mark.end_lineno or mark.lineno) - first + 1))
    return [line for position, line in enumerate(lines) if position not in drop]


def _shorten(lines: list[str], first: int, last: int) -> None:
    blank = next((place for place in range(first, last) if not lines[place].strip()), None)
    if blank is not None:
        lines[first:last] = [*lines[first : blank - 1], f'{lines[blank - 1].rstrip()}"""\n']
