"""Which other library a call is of: its function or class, or a method of one of its objects."""

from __future__ import annotations

import ast

from tnp_migrate.numpy_facts.libraries import DRAWN_WITH, DRAWS, TELLING, library_of
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.index import Index, Module


def library_called(index: Index, module: Module, call: ast.Call) -> str | None:
    """The key in `LIBRARIES` of the library whose function, class or object's method a call is of."""
    qualified = module.names.of(call.func, module.names.scopes.around(call.func))
    if qualified is not None:
        return library_of(qualified) if not _is_of_project(index, qualified) else None
    if not isinstance(call.func, ast.Attribute):
        return (module.value(call.func) or UNKNOWN).library
    receiver = module.value(call.func.value) or UNKNOWN
    if receiver.library is None and receiver.kind == "unknown" and call.func.attr not in index.methods:
        draws = call.func.attr in DRAWS and any(word.arg in DRAWN_WITH for word in call.keywords)
        return "matplotlib" if draws else TELLING.get(call.func.attr)
    return receiver.library


def _is_of_project(index: Index, qualified: str) -> bool:
    root = qualified.partition(".")[0]
    return any(name.partition(".")[0] == root for name in index.modules)
