"""Loops over the rows of arrays: `for row in a`, `for x, y in zip(a, b)`, with and without `enumerate`."""

from __future__ import annotations

import ast
from typing import Literal

from tnp_migrate.analysis.writes import writes
from tnp_migrate.functional.access_paths import Path
from tnp_migrate.functional.unique_holder import computes
from tnp_migrate.functional.unit import Unit
from tnp_migrate.program.nodes import walk

Loop = ast.For | ast.AsyncFor
Kind = Literal["view", "item", ""]  # a row, a row or a number, a number


def rows_of(unit: Unit, node: Loop) -> tuple[list[tuple[ast.Name, Path, Kind]], str | None] | None:
    """The loop's variables with the arrays whose rows they take, and the counter that it has, if it has one.

    None for other loops, and where the body binds the counter or an array anew.
    """
    given = _iterated(unit, node)
    if given is None:
        return None
    found, counter = given
    if _meet(found):
        return None
    pairs: list[tuple[ast.Name, Path, Kind]] = []
    for leaf, one in found:
        path = unit.path(one)
        if path is not None and isinstance(leaf, ast.Name) and unit.value(one).kind in ("array", "unknown"):
            if _is_row(node, leaf, unit.rank(one)):
                pairs.append((leaf, path, "view"))
            elif is_array(unit, one):
                pairs.append((leaf, path, "" if unit.value(one).rank == 1 else "item"))
    bound = _bound_in(node)
    kept = [pair for pair in pairs if pair[1][0] not in bound]
    return (kept, counter) if kept and counter not in bound else None


def _meet(found: list[tuple[ast.expr, ast.expr]]) -> bool:
    """Whether a loop goes over an array and over something made of it, which may be a view: `zip(m, m[::-1])`."""
    texts = {ast.unparse(one) for _, one in found}
    names = [name for _, one in found for name in {each.id for each in ast.walk(one) if isinstance(each, ast.Name)}]
    return len(texts) > 1 and any(names.count(name) > 1 for name in texts.intersection(names))


def lists_of(unit: Unit, node: Loop) -> tuple[list[tuple[ast.Name, Path]], str | None] | None:
    """The variables of a loop over lists, with the lists, and the counter that it has, if it has one.

    None where the body does anything with a list but take items, or binds the counter anew.
    """
    given = _iterated(unit, node)
    if given is None or given[1] in _bound_in(node):
        return None
    pairs: list[tuple[ast.Name, Path]] = []
    for leaf, one in given[0]:
        path = unit.path(one) if unit.value(one).kind == "list" else None
        loose = unit.function is not None and getattr(one, "id", "") in unit.function.unknown  # a tuple, say
        if path is not None and isinstance(leaf, ast.Name) and not loose and _only_items(unit, node, one):
            pairs.append((leaf, path))
        elif unit.may_be_array(leaf):
            return None
    return (pairs, given[1]) if pairs else None


def _only_items(unit: Unit, node: Loop, given: ast.expr) -> bool:
    """Whether a loop's body does nothing with a list but take items; an attribute's no call of it may reach, either."""
    if not isinstance(given, ast.Name):
        return all(computes(unit, one) for one in node.body) and _keeps(node, given)
    parent, name = unit.module.names.scopes.parent, given.id
    for one in [one for statement in node.body for one in ast.walk(statement)]:
        above = parent.get(one)
        item = isinstance(above, ast.Subscript) and above.value is one and isinstance(above.ctx, ast.Load)
        counted = isinstance(above, ast.Call) and isinstance(above.func, ast.Name) and above.func.id == "len"
        if isinstance(one, ast.Name) and one.id == name and not item and not counted:
            return False
    return True


def _keeps(node: Loop, given: ast.expr) -> bool:
    """Whether a loop's body has nothing to do with an attribute of a variable, nor binds that anew."""
    if not isinstance(given, ast.Attribute) or not isinstance(given.value, ast.Name):
        return False
    names = {one.attr for statement in node.body for one in ast.walk(statement) if isinstance(one, ast.Attribute)}
    return given.attr not in names and given.value.id not in _bound_in(node)


def _iterated(unit: Unit, node: Loop) -> tuple[list[tuple[ast.expr, ast.expr]], str | None] | None:
    """The targets of a loop with what each goes over, and the counter that it has; None for a target that has parts."""
    iterated, target, counter = node.iter, node.target, None
    inside = _argument(unit, iterated, "enumerate")
    if inside is not None:
        if len(inside) != 1 or not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        first = target.elts[0]
        if not isinstance(first, ast.Name):
            return None
        if any(isinstance(one, ast.AugAssign) and _is_named(one.target, first.id) for one in ast.walk(node)):
            return None  # it does not count the turns
        counter, iterated, target = first.id, inside[0], target.elts[1]
    zipped = _argument(unit, iterated, "zip")
    arrays = [iterated] if zipped is None else zipped
    leaves = [target] if zipped is None else target.elts if isinstance(target, ast.Tuple) else []
    if len(arrays) != len(leaves):
        return None
    return list(zip(leaves, arrays, strict=True)), counter


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def is_array(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression is an array, by what made it or by how this function uses it."""
    return unit.value(node).is_array or (isinstance(node, ast.Name) and unit.is_array_by_use(node.id))


def writes_ahead(unit: Unit, node: Loop, array: ast.expr, counter: str | None) -> bool:
    """Whether a loop's body writes to an array by its name, other than to the row that the loop is at."""
    wanted = ast.unparse(array)
    for one in (inside for statement in node.body for inside in ast.walk(statement)):
        written = [target for target, _, sure in writes(unit.summary, one) if sure and _root(target) == wanted]
        if written and not (isinstance(one, ast.Assign | ast.AugAssign) and _stores_at(one, wanted, counter)):
            return True
    return False


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node)


def _stores_at(node: ast.Assign | ast.AugAssign, array: str, counter: str | None) -> bool:
    """Whether an assignment stores into one row of an array, which a counter names."""
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    if not isinstance(target, ast.Subscript) or (isinstance(node, ast.Assign) and len(node.targets) > 1):
        return False
    return ast.unparse(target.value) == array and row_of(target) == counter


def row_of(target: ast.Subscript) -> str:
    """The variable that picks the row of `a[i] = v` and `a[i, j] = v`."""
    first = target.slice.elts[0] if isinstance(target.slice, ast.Tuple) and target.slice.elts else target.slice
    return first.id if isinstance(first, ast.Name) else ""


def _is_row(node: Loop, leaf: ast.Name, rank: int | None) -> bool:
    """Whether a variable is an array, not a number: it comes from one of two axes or more, or the body indexes it."""
    if rank is not None:
        return rank > 1
    inside = (one for statement in node.body for one in walk(statement))
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
        for one in walk(statement):
            if isinstance(one, ast.AugAssign):
                in_place.add(one.target)
            elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one not in in_place:
                found.add(one.id)
    return found
