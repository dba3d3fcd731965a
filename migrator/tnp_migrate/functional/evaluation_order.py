"""The order in which Python evaluates: the expressions of a statement, and the parts of an expression.

`f(a, k=b)[i] = v` evaluates `v`, `f`, `a`, `b`, the call, and then `i`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.program.nodes import COMPREHENSIONS, children, walk

Part = tuple[ast.expr, bool]  # an expression, and whether it may be evaluated never or many times


def parts_of(node: ast.AST) -> list[Part]:
    """The parts of an expression, in order."""
    if isinstance(node, ast.IfExp):
        return [(node.test, False), (node.body, True), (node.orelse, True)]
    if isinstance(node, ast.BoolOp):
        return [(one, position > 0) for position, one in enumerate(node.values)]
    if isinstance(node, ast.Compare):
        return [(node.left, False), *((one, position > 0) for position, one in enumerate(node.comparators))]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return [(one, False) for pair in pairs for one in pair if one is not None]
    if isinstance(node, ast.Lambda):
        defaults = [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
        return [*((one, False) for one in defaults), (node.body, True)]
    if isinstance(node, ast.NamedExpr):
        return [(node.value, False)]
    if isinstance(node, COMPREHENSIONS):
        ends = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        inner = [one for part in node.generators for one in (part.iter, *part.ifs)][1:]
        return [(node.generators[0].iter, False), *((one, True) for one in [*inner, *ends])]
    found = [one.value if isinstance(one, ast.keyword) else one for one in children(node)]
    return [(one, False) for one in found if isinstance(one, ast.expr)]


def roots_of(node: ast.stmt) -> list[ast.expr]:
    """The expressions that a statement itself evaluates, in order; those of its body are left out."""
    if isinstance(node, ast.Assign):
        return [node.value, *node.targets]
    if isinstance(node, ast.AnnAssign):
        return [node.value, node.target] if node.value is not None else []
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.For | ast.AsyncFor):
        return [node.iter, node.target]
    if isinstance(node, ast.If | ast.While):
        return [node.test]
    if isinstance(node, ast.With | ast.AsyncWith):
        return [one for item in node.items for one in (item.context_expr, item.optional_vars) if one is not None]
    if isinstance(node, ast.Match):
        return [node.subject]
    if isinstance(node, ast.Expr | ast.Return | ast.Assert | ast.Raise | ast.Delete):
        return [one for one in children(node) if isinstance(one, ast.expr)]
    return []


def calls_in(node: ast.expr) -> Iterator[tuple[ast.Call, bool]]:
    """The calls of an expression in the order of evaluation; True where one may run never or many times."""
    yield from ((one, maybe) for one, maybe in acts_in(node) if isinstance(one, ast.Call))


def acts_in(node: ast.expr, *, sometimes: bool = False) -> Iterator[tuple[ast.Call | ast.NamedExpr, bool]]:
    """The calls of an expression, and what binds a name in it, in order; True where one may run never or often."""
    for part, maybe in parts_of(node):
        yield from acts_in(part, sometimes=sometimes or maybe)
    if isinstance(node, ast.Call | ast.NamedExpr):
        yield node, sometimes


def earlier(roots: list[ast.expr], node: ast.expr) -> Iterator[ast.expr]:
    """The largest expressions that are evaluated before another one and are no part of it, in order."""
    for root in roots:
        if not holds(root, node):
            yield root
            continue
        if root is not node:
            yield from earlier([part for part, _ in parts_of(root)], node)
        return


def holds(node: ast.AST, part: ast.expr) -> bool:
    """Whether an expression has another one in it, or is it."""
    return any(one is part for one in walk(node))
