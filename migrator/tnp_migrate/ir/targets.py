"""What an assignment binds: names, attributes, items, and what is taken apart."""

from __future__ import annotations

import ast

from tnp_migrate.ir.state import Lowering


def bind_target(low: Lowering, target: ast.expr, value: int) -> None:
    """Bind a target to a register."""
    if isinstance(target, ast.Name):
        low.store(target.id, value, target)
    elif isinstance(target, ast.Attribute):
        low.emit("set_attribute", (low.expression(target.value), value), target.attr, target)
    elif isinstance(target, ast.Subscript):
        holder = low.expression(target.value)
        low.emit("set_item", (holder, low.expression(target.slice), value), constant_key(target.slice), target)
    elif isinstance(target, ast.Tuple | ast.List):
        _take_apart(low, target, value)
    elif isinstance(target, ast.Starred):
        bind_target(low, target.value, value)


def _take_apart(low: Lowering, target: ast.Tuple | ast.List, value: int) -> None:
    behind_star = False
    for position, one in enumerate(target.elts):
        if isinstance(one, ast.Starred):
            behind_star = True
            bind_target(low, one.value, low.emit("display", (value,), ("list", ("*",)), one))
        else:
            given = low.emit("unpack", (value,), None if behind_star else position, None)
            bind_target(low, one, given)


def constant_key(node: ast.expr) -> int | str | None:
    """The key or position that a subscript writes out; None for any other."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None
