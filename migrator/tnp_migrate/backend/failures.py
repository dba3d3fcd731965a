"""Errors that are expected: what NumPy raises as ValueError or IndexError TensorFlow raises as InvalidArgumentError.

Input `with suppress(ValueError):`, output `with suppress(ValueError, tf.errors.InvalidArgumentError):`; which blocks
of a `try` meet such errors is said here for the handlers that `passes.idioms` writes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Decision, Extra
from tnp_migrate.program.index import Function, Module

RAISED = frozenset({"ValueError", "IndexError"})
# What is given exceptions to expect: the position of the first, and whether it takes several, one by one.
_EXPECTING = {
    "contextlib.suppress": (0, True),
    "pytest.raises": (0, False),
    "numpy.testing.assert_raises": (0, False),
    "numpy.testing.assert_raises_regex": (0, False),
}
_EXPECTING_METHODS = frozenset({"assertRaises", "assertRaisesRegex"})


def translate_failures(site: Site) -> Iterator[Extra]:
    """Expect TensorFlow's error wherever one of NumPy's is expected of code that may compute with arrays."""
    for node in site.module.values:
        if isinstance(node, ast.Call) and not site.is_settled(node):
            yield from _expected(site, node)


def _expected(site: Site, node: ast.Call) -> Iterator[Extra]:
    method = isinstance(node.func, ast.Attribute) and node.func.attr in _EXPECTING_METHODS
    known = (0, False) if method else _EXPECTING.get(site.qualified(node.func) or "")
    if known is None or not node.args:
        return
    error, several = site.tf("errors.InvalidArgumentError"), known[1]
    given = node.args if several else node.args[:1]
    names = [one for each in given for one in (each.elts if isinstance(each, ast.Tuple) else [each])]
    plain = [one for one in names if isinstance(one, ast.Name) and one.id in RAISED and not site.is_bound(one)]
    if not plain or any(isinstance(one, ast.Attribute) and one.attr == "InvalidArgumentError" for one in names):
        return
    around = site.parent(node)
    statement = site.parent(around) if isinstance(around, ast.withitem) else None
    body: list[ast.AST] = [*statement.body] if isinstance(statement, ast.With) else [*node.args[1:]]
    if body and not may_fail(site, body):
        return
    span = site.span(plain[-1])
    alone = not several and not isinstance(node.args[0], ast.Tuple)
    text = f"{plain[-1].id}, {error}"
    yield Extra((Decision(span, (f"({text})" if alone else text,), rule="handler"),))


def may_fail(site: Site, body: list[ast.AST]) -> bool:
    """Whether code computes with arrays, refers to NumPy, or calls what it was given or what does so."""
    nodes = {node for statement in body for node in ast.walk(statement)}
    if _computes(site.module, nodes):
        return True
    return any(_calls_what_may_fail(site, node) for node in nodes if isinstance(node, ast.Call))


def _calls_what_may_fail(site: Site, node: ast.Call) -> bool:
    value = site.value(node.func)
    if value.kind == "function":
        function: Function = value.ref
        return _computes(function.module, set(ast.walk(function.node)))
    given = isinstance(node.func, ast.Name) and value.kind == "unknown" and site.is_bound(node.func)
    return given and site.qualified(node.func) is None and bool(site.module.names.references)


def _computes(module: Module, nodes: set[ast.AST]) -> bool:
    if any(module.values[node].is_array for node in nodes if node in module.values):
        return True
    return any(reference.node in nodes for reference in module.names.references if reference.context == "call")
