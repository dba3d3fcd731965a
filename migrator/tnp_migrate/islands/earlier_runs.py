"""What an earlier run of the tool has decided, by the text that it left: another run changes nothing of that.

A module that imports the helper module has been migrated. There a call of NumPy that a rule translates is new, or was
left for a reason; what stands beside names of TensorFlow and of the helpers was written by the tool, or for them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from tnp_migrate.analysis.effects import own_nodes
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.names_table import flagged, kept_reason
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.names import helper_named
from tnp_migrate.program.nodes import walk
from tnp_migrate.text.source import Span

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_OF_ISLANDS = ("_tnp_helpers.received", "_tnp_helpers.written", "_tnp_helpers.island")
_BODIES = (ast.stmt, ast.excepthandler, ast.match_case)


def settled_functions(index: Index, summaries: Mapping[Function | Module, Summary]) -> set[Function]:
    """The functions that an earlier run has decided: what they call is no new reason to stay on NumPy."""
    modules = index.modules.values()
    if not any(map(translated_before, modules)):
        return set()
    untouched = {one for one in modules if not one.is_migrated}
    if any(map(_undecided, untouched)):
        untouched = set()
    return {
        one
        for one in index.functions()
        if one.module in untouched or decided_before(one) or _is_settled(one, summaries)
    }


@lru_cache(maxsize=16)
def translated_before(module: Module) -> bool:
    """Whether an earlier run has translated a module: what the functional stage has made is NumPy's still."""
    return module.is_migrated and _names_ours(module, module.names.scopes.parent)


def left_statements(index: Index) -> Iterator[tuple[Module, ast.AST]]:
    """The modules whose own statements an earlier run has all left on NumPy, with calls of NumPy there."""
    for module in filter(translated_before, index.modules.values()):
        own = list(own_nodes(module.source.tree.body, inside_functions=False))
        used = [module.names.of(one, module.names.scopes.module) or "" for one in own if isinstance(one, ast.Attribute)]
        if not any(_is_ours(name) and not name.endswith(_OF_ISLANDS) for name in used):
            undecided = _undecided(module)
            yield from ((module, one) for one in own if one in undecided)


@lru_cache(maxsize=16)
def _undecided(module: Module) -> frozenset[ast.AST]:
    """Calls of NumPy's functions that a run translates, or keeps with a reason of their place."""
    return frozenset(
        one.node
        for one in module.names.references
        if one.context == "call"
        and flagged(one.name) is None
        and kept_reason(one.name) is None
        and not _is_inside_translated(module, one.node)
    )


def _is_ours(name: str) -> bool:
    """Whether only translated code has a name: the functional stage's is NumPy's still, with the helpers' updates."""
    helper = helper_named(name)
    if helper is not None:
        return helper not in traits.BETWEEN
    return name.startswith("tensorflow.")


def decided_before(function: Function) -> bool:
    """Whether an earlier run has decided a function: its file has the helpers, and it has nothing left to translate."""
    return translated_before(function.module) and _undecided(function.module).isdisjoint(walk(function.node))


def settled_statements(module: Module) -> list[Span]:
    """The bytes of statements that an earlier run has translated, and of the heads of compound ones, in their order.

    There is a name of TensorFlow or of the helpers in them, and no call of NumPy's that is left to translate.
    """
    if not translated_before(module):
        return []
    undecided = _undecided(module)
    found: list[Span] = []
    for node in module.names.scopes.parent:
        if not isinstance(node, ast.stmt) or isinstance(node, _DEFINITIONS):
            continue
        inside = list(_head(node))
        if undecided.isdisjoint(inside) and _names_ours(module, inside):
            body = getattr(node, "body", None)
            span = module.source.span(node)
            found.append(Span(span.start, module.source.span(body[0]).start) if body else span)
    return sorted(found)


def _head(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement that are in no statement of its own."""
    for part in ast.iter_child_nodes(statement):
        if not isinstance(part, _BODIES):
            yield from walk(part)


def _names_ours(module: Module, nodes: Iterable[ast.AST]) -> bool:
    names, scopes = (one for one in nodes if isinstance(one, ast.Name | ast.Attribute)), module.names.scopes
    return any(_is_ours(module.names.of(one, scopes.around(one)) or "") for one in names)


def _is_inside_translated(module: Module, node: ast.AST) -> bool:
    """Whether a call of TensorFlow or a helper is around what NumPy computes, which an earlier run has left so."""
    for above in module.names.scopes.ancestors(node):
        if isinstance(above, ast.stmt):
            return False
        called = module.names.of(above.func, module.names.scopes.around(above)) if isinstance(above, ast.Call) else None
        if called is not None and _is_ours(called):
            return True
    return False


def _is_settled(function: Function, summaries: Mapping[Function | Module, Summary]) -> bool:
    """Whether a function writes to nothing itself, in a project that has been migrated, and an earlier run left it so.

    It has been translated, or has nothing to translate. What it calls is no new reason: that run knew more of it.
    """
    summary = summaries.get(function)
    if summary is not None and any(not site.whole for site in summary.sites):
        return False
    inside = list(walk(function.node))
    if _undecided(function.module).isdisjoint(inside):
        return True
    return translated_before(function.module) and _names_ours(function.module, inside)
