"""Tests that known arguments decide: `if copy:` in a body that is lowered for calls which pass `copy=False`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from tnp_migrate.ir.instructions import Body

_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Is: operator.is_, ast.IsNot: operator.is_not, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_OPEN = object()


def outcome(body: Body, test: ast.expr) -> bool | None:
    """What a test gives, whose names have been read, if the constants of a body say so."""
    if not body.constants:
        return None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inside = outcome(body, test.operand)
        return None if inside is None else not inside
    if isinstance(test, ast.BoolOp):
        return _joined([outcome(body, one) for one in test.values], by=isinstance(test.op, ast.Or))
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _COMPARED:
        left, right = _value(body, test.left), _value(body, test.comparators[0])
        by_identity = isinstance(test.ops[0], ast.Is | ast.IsNot)
        if left is _OPEN or right is _OPEN or (by_identity and not isinstance(right, bool | None)):
            return None
        return bool(_COMPARED[type(test.ops[0])](left, right))
    value = _value(body, test) if isinstance(test, ast.Name) else _OPEN
    return None if value is _OPEN else bool(value)


def _joined(parts: list[bool | None], *, by: bool) -> bool | None:
    """What `or` gives, by True, or `and`, by False."""
    if by in parts:
        return by
    return None if None in parts else not by


def _value(body: Body, node: ast.expr) -> object:
    """A constant, or what a parameter is known to be that has not been bound anew."""
    if isinstance(node, ast.Constant):
        return node.value
    register = body.registers.get(node) if isinstance(node, ast.Name) else None
    if register is None:
        return _OPEN
    given = body.behind_copies(register)
    return body.constants.get(str(given.detail), _OPEN) if given.operation == "parameter" else _OPEN
