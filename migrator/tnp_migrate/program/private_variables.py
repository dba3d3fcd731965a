"""Variables of a module that its own statements alone read and bind: to these they are what locals are to a function.

`state = np.zeros(3)` and `history = [state]` of a script: no function of it and no other module names them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tnp_migrate.program.index import Index, Module
from tnp_migrate.program.scopes import Scope, Scopes

_SEES_ALL = frozenset("globals locals vars dir exec eval __dict__ __all__".split())
_RUNS_MODULES = re.compile(rb"\b(?:importlib|__import__|runpy|__main__\b(?![\"']))")


def private_variables(index: Index) -> dict[Module, frozenset[str]]:
    """By its module the variables that are none of another module's or a function's business."""
    modules = [*index.modules.values()]
    if any(_RUNS_MODULES.search(one.source.body) for one in modules):
        return {}
    imported = {one: frozenset(_imported(one.names.scopes)) for one in modules}
    found: dict[Module, frozenset[str]] = {}
    for module in modules:
        name = module.name.rpartition(".")[2]
        if not any(name in names or "*" in names for one, names in imported.items() if one is not module):
            found[module] = frozenset(_private(module.names.scopes))
    return found


def _imported(scopes: Scopes) -> Iterator[str]:
    """The parts of the names that a module imports, and of those of modules that it imports from."""
    for node, _ in scopes.imports:
        for alias in node.names:
            yield from alias.name.split(".")
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")


def _private(scopes: Scopes) -> set[str]:
    modules_asked = any("modules" in use.attributes or not use.attributes for use in scopes.uses.get("sys", ()))
    if modules_asked or _SEES_ALL & scopes.uses.keys():
        return set()
    own = scopes.module
    bound = [name for name, places in own.bound.items() if all(isinstance(one, ast.Name) for one in places)]
    plain = {name for name in bound if name[:2] != "__" and all(_is_stored(one) for one in own.bound[name])}
    elsewhere = {name for scope in scopes.of.values() if _is_function(scope) for name in scope.globals}
    used = {name for name in plain if any(_of_functions(use.scope) for use in scopes.uses.get(name, ()))}
    return plain - used - elsewhere


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _is_function(scope: Scope) -> bool:
    return scope.kind not in ("module", "comprehension")


def _of_functions(scope: Scope | None) -> bool:
    """Whether a scope is a function, a class or a generator, or in one."""
    while scope is not None and scope.kind != "module":
        if _is_function(scope) or isinstance(scope.node, ast.GeneratorExp):
            return True
        scope = scope.parent
    return False
