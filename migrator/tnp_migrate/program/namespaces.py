"""Which attributes a text asks of an object by its namespace: `x.__dict__["a"]`, `vars(x).update(a=made)`."""

from __future__ import annotations

import ast

from tnp_migrate.program.index import Module
from tnp_migrate.program.nodes import text_in

_BY_KEY = frozenset({"get", "pop", "setdefault", "__getitem__", "__setitem__"})


def object_of(node: ast.AST | None) -> ast.expr | None:
    """The object whose namespace an expression is."""
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return node.value
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "vars" and node.args:
        return node.args[0]
    return None


def names_asked_of(module: Module, namespace: ast.AST | None) -> list[str] | None:
    """The attributes that are read or bound by a namespace, where the text names them all."""
    parent = module.names.scopes.parent
    above = parent.get(namespace) if namespace is not None else None
    if isinstance(above, ast.Subscript) and above.value is namespace:
        name = text_in(above.slice)
        return [name] if name is not None else None
    call = parent.get(above) if isinstance(above, ast.Attribute) else None
    if not isinstance(above, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not above:
        return None
    if above.attr == "update" and not call.args:
        words = [word.arg for word in call.keywords]
        return [word for word in words if word is not None] if None not in words else None
    name = text_in(call.args[0]) if above.attr in _BY_KEY and call.args else None
    return [name] if name is not None else None
