"""What the statements of a body say of its variables."""

from __future__ import annotations

import ast
from collections.abc import Mapping

_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def terms(node: ast.expr) -> list[ast.Name]:
    """The variables that a sum or product is made of."""
    if isinstance(node, ast.BinOp):
        return terms(node.left) + terms(node.right)
    return [node] if isinstance(node, ast.Name) else []


def is_ellipsis(node: ast.expr) -> bool:
    """Whether an index is `...`, as it is written."""
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def has_ellipsis(node: ast.AST) -> bool:
    """Whether a subscript has an ellipsis: it gives an array even where it picks one element."""
    if not isinstance(node, ast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(is_ellipsis(part) for part in parts)


def is_truth(node: ast.expr | None) -> bool:
    """Whether an expression gives a truth value, as it is written."""
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def compared(test: ast.expr) -> set[str]:
    """The variables that a test asks whether they are less or more than a whole number."""
    if not isinstance(test, ast.Compare) or not all(isinstance(one, _ORDERED) for one in test.ops):
        return set()
    sides = [test.left, *test.comparators]
    whole = any(isinstance(one, ast.Constant) and isinstance(one.value, int) for one in sides)
    return {one.id for one in sides if isinstance(one, ast.Name)} if whole else set()


def assigned(target: ast.AST, parent: Mapping[ast.AST, ast.AST]) -> ast.expr | None:
    """The value that an assignment gives a target, which may be one of several; None for other bindings."""
    above = parent.get(target)
    around = parent.get(above) if isinstance(above, ast.Tuple) else above
    if not isinstance(around, ast.Assign):
        return None
    found = (value for one in around.targets for leaf, value in pairs(one, around.value) if leaf is target)
    return next(found, None)


def pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment with the values that they get, or the whole value."""
    if not isinstance(target, ast.Tuple | ast.List):
        return [(target, value)]
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(one, value) for one in target.elts]
