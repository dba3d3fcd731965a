"""The functions of the project's files as the recorder counts them: of modules and classes, not those in functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.proof.recording import Key

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Defined:
    """A function where it is defined: its key in a recording, the line of its `def`, and its first and last line."""

    key: Key
    line: int
    first: int
    last: int


def functions_of(base: Path, files: Sequence[Path]) -> list[Defined]:
    """All functions of some files; files that do not parse have none, which the translator reports."""
    found = []
    for file in files:
        place = file.relative_to(base).as_posix()
        try:
            tree = ast.parse(file.read_bytes())
        except (OSError, SyntaxError, ValueError):
            continue
        found += list(_of_body(tree, place, ""))
    return found


def _of_body(node: ast.AST, place: str, prefix: str) -> Iterator[Defined]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _DEFINITIONS):
            names = {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in _called(child)}
            role = next((one for one in ("setter", "deleter") if one in names), "")
            first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
            yield Defined((place, prefix + child.name, role), child.lineno, first, child.end_lineno or child.lineno)
        elif isinstance(child, ast.ClassDef):
            yield from _of_body(child, place, f"{prefix}{child.name}.")
        else:
            yield from _of_body(child, place, prefix)


def _called(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    return [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
