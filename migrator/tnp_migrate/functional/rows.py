"""Loops over the rows of arrays: `for row in a`, `for x, y in zip(a, b)`, with and without `enumerate`."""

from __future__ import annotations

import ast

from tnp_migrate.functional.paths import Path
from tnp_migrate.functional.unit import Unit

Loop = ast.For | ast.AsyncFor


def rows_of(unit: Unit, node: Loop) -> tuple[list[tuple[ast.Name, Path]], str | None] | None:
    """The loop's variables with the arrays whose rows they take, and the counter that it has, if it has one.

    None for other loops, and where the body binds the counter or an array anew.
    """
    iterated, target, counter = node.iter, node.target, None
    inside = _argument(unit, iterated, "enumerate")
    if inside is not None:
        if len(inside) != 1 or not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        first = target.elts[0]
        if not isinstance(first, ast.Name):
            return None
        counter, iterated, target = first.id, inside[0], target.elts[1]
    zipped = _argument(unit, iterated, "zip")
    arrays = [iterated] if zipped is None else zipped
    leaves = [target] if zipped is None else target.elts if isinstance(target, ast.Tuple) else []
    if len(arrays) != len(leaves):
        return None
    pairs: list[tuple[ast.Name, Path]] = []
    for leaf, one in zip(leaves, arrays, strict=True):
        path = unit.path(one)
        if path is not None and isinstance(leaf, ast.Name) and unit.value(one).kind in ("array", "unknown"):
            rank = unit.rank(one)
            pairs += [(leaf, path)] if _is_row(node, leaf, rank) else []
    bound = _bound_in(node)
    kept = [(leaf, path) for leaf, path in pairs if path[0] not in bound]
    return (kept, counter) if kept and counter not in bound else None


def list_of(unit: Unit, node: Loop) -> tuple[ast.Name, Path, str | None] | None:
    """The variable of a loop over a list, the list, and the counter that it has, if it has one.

    None where the body does anything with the list but take items, or binds the counter anew.
    """
    iterated, target, counter = node.iter, node.target, None
    inside = _argument(unit, iterated, "enumerate")
    if inside is not None and len(inside) == 1 and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        iterated, first, target = inside[0], target.elts[0], target.elts[1]
        counter = first.id if isinstance(first, ast.Name) else ""
    path = unit.path(iterated) if isinstance(iterated, ast.Name) else None
    if path is None or not isinstance(target, ast.Name) or counter == "" or unit.value(iterated).kind != "list":
        return None
    if unit.function is not None and path[0] in unit.function.unknown:
        return None  # some call may pass a tuple
    parent = unit.module.names.scopes.parent
    names = [one for statement in node.body for one in ast.walk(statement) if isinstance(one, ast.Name)]
    for one in names:
        above = parent.get(one)
        item = isinstance(above, ast.Subscript) and above.value is one and isinstance(above.ctx, ast.Load)
        if one.id == path[0] and not item and not (isinstance(above, ast.Call) and ast.unparse(above.func) == "len"):
            return None
    return None if counter in _bound_in(node) else (target, path, counter)


def _is_row(node: Loop, leaf: ast.Name, rank: int | None) -> bool:
    """Whether a variable is an array, not a number: it comes from one of two axes or more, or the body indexes it."""
    if rank is not None:
        return rank > 1
    inside = (one for statement in node.body for one in ast.walk(statement))
    return any(
        isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name) and one.value.id == leaf.id for one in inside
    )


def _argument(unit: Unit, node: ast.expr, builtin: str) -> list[ast.expr] | None:
    """The arguments of a call of a builtin function."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != builtin:
        return None
    return None if node.keywords or unit.scope.owner(builtin) is not None else node.args


def _bound_in(node: Loop) -> set[str]:
    """The variables that a loop's body binds, other than by operations in place."""
    found: set[str] = set()
    in_place: set[ast.AST] = set()
    for statement in node.body:
        for one in ast.walk(statement):
            if isinstance(one, ast.AugAssign):
                in_place.add(one.target)
            elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one not in in_place:
                found.add(one.id)
    return found
