"""Which functions run under `tf.function`: decorated with it, passed to it, Keras' `call`, or called by one that is.

`@tf.function def step(x): return x + noise()` makes `step` and the project's `noise` traced.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from tnp_migrate.program.index import Class, Function, Index, Module

_TRACING = frozenset({"tensorflow.function", "tensorflow.compat.v2.function"})


@lru_cache(maxsize=1)
def find_traced(index: Index) -> frozenset[ast.AST]:
    """The definitions and lambdas of the project that are traced."""
    found: set[ast.AST] = set()
    pending: list[tuple[Module, ast.AST]] = []
    for module in index.modules.values():
        if b"tensorflow" in module.source.body:
            pending += _marked(module)
    while pending:
        module, node = pending.pop()
        if node not in found:
            found.add(node)
            pending += _called(module, node)
    return frozenset(found)


def _marked(module: Module) -> Iterator[tuple[Module, ast.AST]]:
    for function in module.functions.values():
        if any(_is_tracing(module, function, one) for one in function.node.decorator_list):
            yield module, function.node
    for one in module.classes.values():
        if "call" in one.methods and any(_is_keras(base) for base in one.lineage):
            yield module, one.methods["call"].node
    scopes = module.names.scopes
    for uses in scopes.uses.values():
        for use in uses:
            above = scopes.parent.get(use.node)
            if not isinstance(above, ast.Call) or above.func is not use.node or not above.args:
                continue
            if module.names.of(use.node, use.scope) in _TRACING:
                yield from _passed(module, above.args[0])


def _is_keras(one: Class) -> bool:
    """Whether a class derives from one of Keras, which traces `call`."""
    names = [one.module.names.of(base, one.scope.parent or one.scope) or "" for base in one.node.bases]
    return any(re.match(r"(tensorflow\.|tf_)?keras\.", name) for name in names)


def _is_tracing(module: Module, function: Function, decorator: ast.expr) -> bool:
    """`@tf.function`, `@tf.function(...)`, `@partial(tf.function, ...)`."""
    parts = [decorator]
    if isinstance(decorator, ast.Call):
        parts = [decorator.func, *decorator.args[:1]]
    return any(module.names.of(one, function.outer) in _TRACING for one in parts)


def _passed(module: Module, argument: ast.expr) -> Iterator[tuple[Module, ast.AST]]:
    value = module.value(argument)
    if isinstance(argument, ast.Lambda):
        yield module, argument
    elif value is not None and value.kind == "function":
        yield value.ref.module, value.ref.node


def _called(module: Module, node: ast.AST) -> Iterator[tuple[Module, ast.AST]]:
    for call in ast.walk(node):
        value = module.value(call.func) if isinstance(call, ast.Call) else None
        if value is not None and value.kind == "function":
            yield value.ref.module, value.ref.node
