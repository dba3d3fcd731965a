"""Which branches of the project's functions have run: a byte for each, which the branch itself sets.

`if a: x()` is compiled as `if a: __tnp_migrate_taken__[7] = 1; x()`. A call is told from others by what it has run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

NAME = "__tnp_migrate_taken__"
TAKEN = bytearray()
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def put_probes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int]:
    """Have each branch of a function say that it runs; the place of the first one's byte, and how many there are.

    Functions inside are left as they are: a local function is known again by its code.
    """
    first = len(TAKEN)
    for body in list(_branches(function)):
        place = ast.Subscript(ast.Name(NAME, ast.Load()), ast.Constant(len(TAKEN)), ast.Store())
        probe = ast.Assign([place], ast.Constant(1))
        for one in ast.walk(probe):
            ast.copy_location(one, body[0])
        body.insert(0, probe)
        TAKEN.append(0)
    return first, len(TAKEN) - first


def _branches(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _INNER):
            continue
        yield from _branches(child)
        if isinstance(child, (ast.If, ast.For, ast.AsyncFor, ast.While)):
            yield child.body
        if isinstance(child, (ast.ExceptHandler, ast.match_case)):
            yield child.body
        otherwise = getattr(child, "orelse", None)
        if isinstance(otherwise, list) and otherwise:
            yield otherwise


def begin(branches: tuple[int, int]) -> bytes:
    """A call begins: what its function has run so far, to be given to `end`, as calls may be within each other."""
    first, count = branches
    before = bytes(TAKEN[first : first + count])
    TAKEN[first : first + count] = bytes(count)
    return before


def end(branches: tuple[int, int], before: bytes) -> frozenset[int]:
    """A call ends: the branches that it has run, by their number in the function."""
    first, count = branches
    own = TAKEN[first : first + count]
    TAKEN[first : first + count] = bytes(map(max, own, before))
    return frozenset(place for place, one in enumerate(own) if one)


def taken(branches: tuple[int, int]) -> frozenset[int]:
    """The branches that have run in any call."""
    first, count = branches
    return frozenset(place for place in range(count) if TAKEN[first + place])
