"""Statements as instructions and edges between blocks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tnp_migrate.ir.decided import outcome
from tnp_migrate.ir.instructions import Block
from tnp_migrate.ir.loops import loop
from tnp_migrate.ir.patterns import match
from tnp_migrate.ir.state import Final, Lowering
from tnp_migrate.ir.targets import bind_target, constant_key
from tnp_migrate.program.scopes import all_arguments


def _expression(low: Lowering, node: ast.Expr) -> None:
    low.expression(node.value)


def _nothing(low: Lowering, node: ast.stmt) -> None:
    pass


def _assign(low: Lowering, node: ast.Assign) -> None:
    target, value = node.targets[0], node.value
    if (
        len(node.targets) == 1
        and isinstance(target, ast.Tuple)
        and isinstance(value, ast.Tuple)
        and _pair(target, value)
    ):
        given = [low.expression(one) for one in value.elts]
        for one, register in zip(target.elts, given, strict=True):
            bind_target(low, one, register)
        return
    register = low.expression(value)
    for one in node.targets:
        bind_target(low, one, register)


def _pair(target: ast.Tuple, value: ast.Tuple) -> bool:
    """Whether each target gets one item as it is written, so that no tuple need be made."""
    starred = any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts))
    return len(target.elts) == len(value.elts) and not starred


def _annotated(low: Lowering, node: ast.AnnAssign) -> None:
    if node.value is not None:
        bind_target(low, node.target, low.expression(node.value))


def _augmented(low: Lowering, node: ast.AugAssign) -> None:
    target, operator = node.target, type(node.op).__name__
    if isinstance(target, ast.Name):
        before = low.load(target.id, target)
        made = low.emit("augmented", (before, low.expression(node.value)), operator, node)
        low.store(target.id, made, target)
    elif isinstance(target, ast.Attribute):
        holder = low.expression(target.value)
        before = low.emit("attribute", (holder,), target.attr, target)
        made = low.emit("augmented", (before, low.expression(node.value)), operator, node)
        low.emit("set_attribute", (holder, made), target.attr)
    else:
        holder, key = low.expression(target.value), low.expression(target.slice)
        before = low.emit("item", (holder, key), constant_key(target.slice), target)
        made = low.emit("augmented", (before, low.expression(node.value)), operator, node)
        low.emit("set_item", (holder, key, made), constant_key(target.slice))


def _return(low: Lowering, node: ast.Return) -> None:
    if node.value is not None:
        low.emit("return", (low.expression(node.value),), None, node)
    low.leave_body()


def _if(low: Lowering, node: ast.If) -> None:
    low.asked(node.test)
    decided = outcome(low.body, node.test)
    if decided is not None:
        low.statements(node.body if decided else node.orelse)
        return
    test = low.build.current
    low.build.follow(test)
    low.statements(node.body)
    behind_body = low.build.current
    low.build.current = test
    if node.orelse:
        low.build.follow(test)
        low.statements(node.orelse)
    low.join(behind_body, low.build.current)


def _for(low: Lowering, node: ast.For | ast.AsyncFor) -> None:
    iterator = low.emit("iterate", (low.expression(node.iter),), None)

    def turn() -> None:
        bind_target(low, node.target, low.emit("next", (iterator,), None, node))
        low.statements(node.body)

    loop(low, lambda: None, turn, node.orelse)


def _while(low: Lowering, node: ast.While) -> None:
    loop(low, lambda: low.asked(node.test), lambda: low.statements(node.body), node.orelse)


def _break(low: Lowering, _: ast.Break) -> None:
    low.leave(low.loops[-1].behind, low.loops[-1].finals)


def _continue(low: Lowering, _: ast.Continue) -> None:
    low.leave(low.loops[-1].head, low.loops[-1].finals)


def _raise(low: Lowering, node: ast.Raise) -> None:
    for one in (node.exc, node.cause):
        if one is not None:
            low.emit("raise", (low.expression(one),), None, node)
    low.build.current = None


def _try(low: Lowering, node: ast.Try) -> None:
    build = low.build
    before = build.current if build.current is not None else build.follow()
    final = Final(build.block()) if node.finalbody else None
    if final is not None:
        low.finals.append(final)
    handler = _guarded(low, before, node.body)
    ends: list[Block | None] = []
    if build.current is not None:
        build.follow(build.current)
        low.statements(node.orelse)
        ends.append(build.current)
    build.seal(handler)
    for one in node.handlers:
        build.follow(handler)
        _handler(low, one)
        ends.append(build.current)
    if final is None:
        low.join(*ends)
        return
    low.finals.pop()
    _finally(low, node, final, [handler, *ends])


def _finally(low: Lowering, node: ast.Try, final: Final, ends: list[Block | None]) -> None:
    """Lower a `finally` behind all ways into it; it leads on to where they led."""
    for end in ends:
        if end is not None:
            low.build.link(end, final.block)
    low.build.seal(final.block)
    low.build.current = final.block
    low.statements(node.finalbody)
    behind = low.build.current
    for target in final.onward if behind is not None else ():
        low.leave(target, 0 if not low.finals else len(low.finals) - 1)
        low.build.current = behind
    if low.finals and behind is not None:
        low.build.link(behind, low.finals[-1].block)  # what was returned or raised goes on outwards


def _handler(low: Lowering, node: ast.ExceptHandler) -> None:
    if node.type is not None:
        low.expression(node.type)
    if node.name:
        low.store(node.name, low.emit("exception", (), None, node), node)
    low.statements(node.body)


def _with(low: Lowering, node: ast.With | ast.AsyncWith) -> None:
    managers = []
    for one in node.items:
        manager = low.expression(one.context_expr)
        managers.append(manager)
        entered = low.emit("enter", (manager,), None, one)
        if one.optional_vars is not None:
            bind_target(low, one.optional_vars, entered)
    if isinstance(node.body[-1], ast.Raise):  # behind which a manager may go on
        before = low.build.current if low.build.current is not None else low.build.follow()
        handler = _guarded(low, before, node.body)
        low.build.seal(handler)
        low.build.follow(handler)
    else:
        low.statements(node.body)
    for manager in reversed(managers):
        low.emit("exit", (manager,), None, None)


def _guarded(low: Lowering, before: Block, body: list[ast.stmt]) -> Block:
    """Lower a body that a handler may take over from; give the handler's block, which is not sealed yet."""
    build = low.build
    handler = build.block()
    build.link(before, handler)
    build.handlers.append(handler)
    build.follow(before)
    low.statements(body)
    build.handlers.pop()
    return handler


def _function(low: Lowering, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    decorators = [low.expression(one) for one in node.decorator_list]
    for annotation in (*(one.annotation for one in all_arguments(node.args)), node.returns):
        if annotation is not None and any(isinstance(one, ast.Call) for one in ast.walk(annotation)):
            low.expression(annotation)  # others run nothing
    made = low.function(node)
    for register in reversed(decorators):
        made = low.emit("decorated", (register, made), None, None)
    low.store(node.name, made, node)


def _class(low: Lowering, node: ast.ClassDef) -> None:
    decorators = [low.expression(one) for one in node.decorator_list]
    bases = tuple(low.expression(one) for one in (*node.bases, *(word.value for word in node.keywords)))
    made = low.emit("class", bases, node, node)
    scope, around = low.module.scopes.of[node], low.scope
    low.classes[scope], low.scope = made, scope
    low.statements(node.body)
    low.scope = around
    del low.classes[scope]
    for register in reversed(decorators):
        made = low.emit("decorated", (register, made), None, None)
    low.store(node.name, made, node)


def _import(low: Lowering, node: ast.Import) -> None:
    for alias in node.names:
        name = alias.asname or alias.name.split(".")[0]
        qualified = alias.name if alias.asname else name
        low.store(name, low.emit("import", (), qualified, alias), alias)


def _import_from(low: Lowering, node: ast.ImportFrom) -> None:
    for alias in node.names:
        if alias.name != "*":
            qualified = f"{'.' * node.level}{node.module or ''}.{alias.name}"
            low.store(alias.asname or alias.name, low.emit("import", (), qualified, alias), alias)


def _delete(low: Lowering, node: ast.Delete) -> None:
    for target in node.targets:
        _forget(low, target)


def _forget(low: Lowering, target: ast.expr) -> None:
    if isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            _forget(low, one)
    elif isinstance(target, ast.Subscript):
        holder, key = low.expression(target.value), low.expression(target.slice)
        low.emit("delete_item", (holder, key), constant_key(target.slice), target)
    elif isinstance(target, ast.Attribute):
        low.emit("delete_attribute", (low.expression(target.value),), target.attr, target)
    elif isinstance(target, ast.Name):
        low.store(target.id, low.emit("constant", (), None, None), target)


def _assert(low: Lowering, node: ast.Assert) -> None:
    low.asked(node.test)
    if node.msg is not None:
        low.expression(node.msg)


LOWERED: dict[type[ast.stmt], Callable[[Any, Any], None]] = {
    ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated, ast.AugAssign: _augmented,
    ast.Return: _return, ast.If: _if, ast.For: _for, ast.AsyncFor: _for, ast.While: _while, ast.Break: _break,
    ast.Continue: _continue, ast.Raise: _raise, ast.Try: _try, ast.With: _with, ast.AsyncWith: _with,
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class, ast.Import: _import,
    ast.ImportFrom: _import_from, ast.Delete: _delete, ast.Assert: _assert, ast.Match: match, ast.Pass: _nothing,
    ast.Global: _nothing, ast.Nonlocal: _nothing,
}  # fmt: skip
for _name, _handled in (("TryStar", _try), ("TypeAlias", _nothing)):  # of Python 3.11 and 3.12
    if hasattr(ast, _name):
        LOWERED[getattr(ast, _name)] = _handled
