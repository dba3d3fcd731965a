"""The heads of loops: which variable goes over what, through `zip` and `enumerate`, and what counts the turns."""

from __future__ import annotations

import ast
from functools import partial

from tnp_migrate.functional.unit import Unit
from tnp_migrate.program.nodes import gone_over, walk


def parts_of_loop(unit: Unit, node: ast.For) -> list[tuple[ast.expr, ast.expr]]:
    """The variables of a loop with what each goes over, through `zip` and `enumerate`."""
    return [*gone_over(node.target, node.iter, partial(builtin_called, unit))]


def builtin_called(unit: Unit, node: ast.expr) -> str:
    """The builtin function that an expression is a call of; "" where it is none."""
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return name if name and unit.scope.owner(name) is None else ""


def counter_of(unit: Unit, node: ast.For | ast.AsyncFor) -> str | None:
    """The variable that counts the turns of a loop from 0, if it has one that nothing else binds."""
    call, target = node.iter, node.target
    args, words = getattr(call, "args", ()), getattr(call, "keywords", ())
    if builtin_called(unit, call) != "enumerate" or not isinstance(target, ast.Tuple | ast.List):
        return None
    first = target.elts[0]
    names = [one for part in node.body for one in walk(part) if isinstance(one, ast.Name)]
    bound = {one.id for one in names if not isinstance(one.ctx, ast.Load)}
    counts = isinstance(first, ast.Name) and first.id not in bound and len(args) == 1 and not words
    return first.id if counts and isinstance(first, ast.Name) else None
