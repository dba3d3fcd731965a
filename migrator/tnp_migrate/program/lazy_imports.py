"""The names that a package gives when they are asked for, by `lazy_loader`: `attach_stub` reads them from its stub."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tnp_migrate.program.names import Names
from tnp_migrate.program.nodes import text_in


def lazy_names(modules: Mapping[str, Names], module: str) -> dict[str, str]:
    """The names that a module has by `__getattr__, __dir__, __all__ = lazy_loader.attach(...)`, and what they are."""
    names = modules[module]
    call = _attached(names)
    if call is None:
        return {}
    if (names.of(call.func, names.scopes.module) or "").endswith(".attach"):
        return _listed(module, call)
    stub = modules.get(f"{module}.__init__-stub") or modules.get(f"{module}-stub")
    if stub is None:
        return {}
    scope = stub.scopes.module
    imported = [one for one, bound in scope.bound.items() if any(isinstance(node, ast.alias) for node in bound)]
    roots = {one: stub.root(one, scope) for one in imported}
    return {one: root for one, root in roots.items() if isinstance(root, str)}


def _attached(names: Names) -> ast.Call | None:
    """The call of `lazy_loader` that makes a module's `__getattr__`."""
    for node in names.scopes.module.bound.get("__getattr__", ()):
        above = names.scopes.parent.get(node)
        assigned = names.scopes.parent.get(above) if isinstance(above, ast.Tuple) else above
        value = assigned.value if isinstance(assigned, ast.Assign) else None
        if isinstance(value, ast.Call) and (names.of(value.func, names.scopes.module) or "").startswith("lazy_loader."):
            return value
    return None


def _listed(module: str, call: ast.Call) -> dict[str, str]:
    """The names that stand in the call: `attach(__name__, ["files"], {"filters": ["mel"]})`."""
    words = {word.arg: word.value for word in call.keywords}
    given = dict(zip(("package_name", "submodules", "submod_attrs"), call.args, strict=False)) | words
    submodules, attributes = given.get("submodules"), given.get("submod_attrs")
    found = {one: f"{module}.{one}" for one in _texts(submodules)}
    if isinstance(attributes, ast.Dict):
        for key, value in zip(attributes.keys, attributes.values, strict=True):
            home = text_in(key) if key is not None else None
            found |= {one: f"{module}.{home}.{one}" for one in _texts(value) if home is not None}
    return found


def _texts(node: ast.AST | None) -> list[str]:
    parts = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    return [text for one in parts if (text := text_in(one)) is not None]
