"""Expressions as instructions, in the order in which Python evaluates them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tnp_migrate.ir.decided import outcome
from tnp_migrate.ir.instructions import CallShape
from tnp_migrate.ir.loops import loop
from tnp_migrate.ir.state import Lowering
from tnp_migrate.ir.targets import bind_target, constant_key

Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_KINDS = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set", ast.ListComp: "list", ast.SetComp: "set"}


def unknown(low: Lowering, node: ast.expr) -> int:
    """Lower an expression of which nothing is known but what it is made of."""
    parts = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
    return low.emit("unknown", tuple(low.expression(one) for one in parts), None, node)


def _constant(low: Lowering, node: ast.Constant) -> int:
    return low.emit("constant", (), node.value, node)


def _name(low: Lowering, node: ast.Name) -> int:
    return low.load(node.id, node)


def _attribute(low: Lowering, node: ast.Attribute) -> int:
    return low.emit("attribute", (low.expression(node.value),), node.attr, node)


def _subscript(low: Lowering, node: ast.Subscript) -> int:
    holder, key = low.expression(node.value), low.expression(node.slice)
    return low.emit("item", (holder, key), constant_key(node.slice), node)


def _slice(low: Lowering, node: ast.Slice) -> int:
    parts = [one for one in (node.lower, node.upper, node.step) if one is not None]
    return low.emit("slice", tuple(low.expression(one) for one in parts), None, node)


def _binary(low: Lowering, node: ast.BinOp) -> int:
    """Lower a chain such as `a + b + c` without recursion on its left side: sums have thousands of terms."""
    chain = [node]
    while isinstance(chain[-1].left, ast.BinOp):
        chain.append(chain[-1].left)
    register = low.expression(chain[-1].left)
    for one in reversed(chain):
        register = low.emit("operator", (register, low.expression(one.right)), type(one.op).__name__, one)
    return register


def _unary(low: Lowering, node: ast.UnaryOp) -> int:
    given = low.asked(node.operand) if isinstance(node.op, ast.Not) else low.expression(node.operand)
    return low.emit("operator", (given,), type(node.op).__name__, node)


def _compare(low: Lowering, node: ast.Compare) -> int:
    given = tuple(low.expression(one) for one in (node.left, *node.comparators))
    return low.emit("operator", given, type(node.ops[0]).__name__, node)


def _either(low: Lowering, node: ast.BoolOp) -> int:
    """Each value but the first is computed only where those before it do not decide."""
    given = [low.asked(node.values[0])]
    ends = [low.build.current]
    for one in node.values[1:]:
        low.build.follow(ends[-1])
        given.append(low.expression(one) if one is node.values[-1] else low.asked(one))
        ends.append(low.build.current)
    low.build.follow(*ends)
    return low.emit("either", tuple(given), None, node)


def _conditional(low: Lowering, node: ast.IfExp) -> int:
    low.asked(node.test)
    decided = outcome(low.body, node.test)
    if decided is not None:
        return low.emit("either", (low.expression(node.body if decided else node.orelse),), None, node)
    test = low.build.current
    low.build.follow(test)
    first = low.expression(node.body)
    behind_first = low.build.current
    low.build.follow(test)
    second = low.expression(node.orelse)
    low.build.follow(behind_first, low.build.current)
    return low.emit("either", (first, second), None, node)


def _display(low: Lowering, node: ast.List | ast.Tuple | ast.Set) -> int:
    given: list[int] = []
    keys: list[int | str | None] = []
    for position, one in enumerate(node.elts):
        lower = low.asked if isinstance(node, ast.Set) else low.expression
        given.append(low.expression(one.value) if isinstance(one, ast.Starred) else lower(one))
        keys.append("*" if isinstance(one, ast.Starred) else position)
    if "*" in keys:  # positions are not known then
        keys = [one if one == "*" else None for one in keys]
    return low.emit("display", tuple(given), (_KINDS[type(node)], tuple(keys)), node)


def _dict(low: Lowering, node: ast.Dict) -> int:
    given, keys = [], []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            low.asked(key)
        constant = key.value if isinstance(key, ast.Constant) and isinstance(key.value, int | str) else None
        keys.append("*" if key is None else constant)
        given.append(low.expression(value))
    return low.emit("display", tuple(given), ("dict", tuple(keys)), node)


def _call(low: Lowering, node: ast.Call) -> int:
    given = [low.expression(node.func)]
    starred = set()
    for position, one in enumerate(node.args):
        if isinstance(one, ast.Starred):
            starred.add(position)
        given.append(low.expression(one.value if isinstance(one, ast.Starred) else one))
    given += [low.expression(word.value) for word in node.keywords]
    words = tuple(word.arg for word in node.keywords)
    return low.emit("call", tuple(given), CallShape(len(node.args), words, frozenset(starred)), node)


def _lambda(low: Lowering, node: ast.Lambda) -> int:
    return low.function(node)


def _named(low: Lowering, node: ast.NamedExpr) -> int:
    register = low.expression(node.value)
    low.store(node.target.id, register, node.target)
    return register


def _yield(low: Lowering, node: ast.Yield | ast.YieldFrom) -> int:
    low.body.yields = True
    given = (low.expression(node.value),) if node.value is not None else ()
    return low.emit("yield", given, "from" if isinstance(node, ast.YieldFrom) else None, node)


def _await(low: Lowering, node: ast.Await) -> int:
    return low.emit("await", (low.expression(node.value),), None, node)


def _starred(low: Lowering, node: ast.Starred) -> int:
    return low.expression(node.value)


def _text(low: Lowering, node: ast.JoinedStr) -> int:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            low.asked(part.value)
            if part.format_spec is not None:
                low.expression(part.format_spec)
    return low.emit("constant", (), "", node)


def _comprehension(low: Lowering, node: Comprehension) -> int:
    kind = "dict" if isinstance(node, ast.DictComp) else _KINDS.get(type(node), "generator")
    made = low.emit("display", (), (kind, ()), node)
    around, inner = low.scope, low.module.scopes.of[node]

    def collect(rest: list[ast.comprehension]) -> None:
        if not rest:
            if isinstance(node, ast.DictComp):
                low.asked(node.key)
                low.emit("append", (made, low.expression(node.value)), None, None)
            else:
                item = low.asked(node.elt) if isinstance(node, ast.SetComp) else low.expression(node.elt)
                low.emit("append", (made, item), None, None)
            return
        generator = rest[0]
        low.scope = around if generator is node.generators[0] else inner
        iterator = low.emit("iterate", (low.expression(generator.iter),), None)
        low.scope = inner

        def turn() -> None:
            bind_target(low, generator.target, low.emit("next", (iterator,), None, generator))
            behind = [low.build.current]
            for condition in generator.ifs:
                low.asked(condition)
                behind.append(low.build.current)
                low.build.follow(low.build.current)
            collect(rest[1:])
            if generator.ifs:
                low.build.follow(*behind[1:], low.build.current)

        loop(low, lambda: None, turn, [])

    collect(node.generators)
    low.scope = around
    low.body.registers[node] = made
    return made


LOWERED: dict[type[ast.expr], Callable[[Any, Any], int]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute, ast.Subscript: _subscript, ast.Slice: _slice,
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _compare, ast.BoolOp: _either, ast.IfExp: _conditional,
    ast.Tuple: _display, ast.List: _display, ast.Set: _display, ast.Dict: _dict, ast.Call: _call, ast.Lambda: _lambda,
    ast.NamedExpr: _named, ast.Yield: _yield, ast.YieldFrom: _yield, ast.Await: _await, ast.Starred: _starred,
    ast.JoinedStr: _text, ast.ListComp: _comprehension, ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension, ast.DictComp: _comprehension,
}  # fmt: skip
