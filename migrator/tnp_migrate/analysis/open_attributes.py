"""Attributes that are bound without being named at a dot: what the text binds to them is not all that they hold.

`setattr(self, name, value)`, `self.__dict__.update(more)` and `vars(x)[name] = value` bind any attribute of the
object; `setattr(x, "n", value)` binds `n` of any.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Class, Index, Module
from tnp_migrate.program.nodes import text_in


def is_open(index: Index, owner: Class, attribute: str) -> bool:
    """Whether an attribute of a class may hold what nothing at a dot binds to it."""
    names, classes = _open(index)
    return attribute in names or owner in classes


@lru_cache(maxsize=1)
def _open(index: Index) -> tuple[frozenset[str], frozenset[Class]]:
    """The names that are bound on any object, and the classes of whose objects any name is bound."""
    names: set[str] = set()
    classes: set[Class] = set()
    for module in index.modules.values():
        for node in module.names.scopes.parent:
            for holder, name in _bound(module, node):
                if name is not None:
                    names.add(name)
                else:
                    classes.update(_classes(index, module, holder))
    return frozenset(names), frozenset(classes)


def _bound(module: Module, node: ast.AST) -> Iterator[tuple[ast.expr, str | None]]:
    """The objects of which a node binds an attribute that stands at no dot, and its name where that is written out."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setattr" and len(node.args) > 1:
        yield node.args[0], text_in(node.args[1])
        return
    above = module.names.scopes.parent.get(node)
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        holder = node.value
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "vars" and node.args:
        holder = node.args[0]
    else:
        return
    stored = isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Store)
    if stored or (isinstance(above, ast.Attribute) and above.attr in traits.KEEPING_METHODS):
        yield holder, None


def _classes(index: Index, module: Module, holder: ast.expr) -> Iterator[Class]:
    """The classes that an object may be of: those of the method whose `self` it is, else all."""
    method = module.function_around(holder)
    name = getattr(holder, "id", None)
    if method is not None and method.owner is not None and method.takes_self and method.parameters[:1] == [name]:
        yield from method.owner.kin
    else:
        for one in index.modules.values():
            yield from one.classes.values()
