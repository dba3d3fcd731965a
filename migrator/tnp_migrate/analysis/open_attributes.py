"""Attributes and variables that are bound without being named at a dot, or at all: the text shows not all they hold.

`setattr(self, name, value)`, `self.__dict__.update(more)` and `vars(x)[name] = value` bind any attribute of the
object; `setattr(x, "n", value)` binds `n` of any. Of a module that are its variables, as by `globals()[name] = value`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from tnp_migrate.analysis.reflection import module_meant
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Class, Index, Module
from tnp_migrate.program.namespaces import names_asked_of, object_of
from tnp_migrate.program.nodes import text_in

_OF_RECORDS = frozenset("namedtuple NamedTuple make_dataclass SimpleNamespace Namespace type".split())
_REPLACING = frozenset({"replace", "_replace", "__replace__", "evolve"})  # of dataclasses, `copy`, named tuples, attrs


def is_open(index: Index, owner: Class, attribute: str) -> bool:
    """Whether an attribute of a class may hold what nothing at a dot binds to it."""
    names, owners = _open(index)
    return attribute in names or owner in owners


def is_open_variable(index: Index, module: Module, name: str) -> bool:
    """Whether a variable of a module may hold what no statement binds to it."""
    names, owners = _open(index)
    return name in names or module in owners


def may_be_replaced(index: Index, module: Module, name: str) -> bool:
    """Whether something may be bound in the place of a module's function: `module.step = f`, `globals()[name] = f`."""
    return name in index.attribute_stores or is_open_variable(index, module, name)


@lru_cache(maxsize=1)
def _open(index: Index) -> tuple[frozenset[str], frozenset[Class | Module]]:
    """The names that are bound on any object, and the classes of whose objects, and modules of which any name is."""
    names: set[str] = set()
    owners: set[Class | Module] = set()
    for module in index.modules.values():
        for node in module.names.scopes.parent:
            for holder, name in _bound(module, node):
                if name is not None:
                    names.add(name)
                else:
                    owners.update(_owners(index, module, holder))
    return frozenset(names), frozenset(owners)


@lru_cache(maxsize=1)
def attributes_without_class(index: Index) -> frozenset[str]:
    """The attributes of what no class in the text defines: of modules, named tuples, namespaces, what `type` makes."""
    found: set[str] = set()
    for module in index.modules.values():
        found.update(module.names.scopes.module.bound)
        for call in module.names.scopes.parent:
            if isinstance(call, ast.Call) and getattr(call.func, "attr", getattr(call.func, "id", "")) in _OF_RECORDS:
                found.update(word.arg for word in call.keywords if word.arg is not None)
                for node in ast.walk(call):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        found.update(node.value.replace(",", " ").split())
    return frozenset(found)


def _bound(module: Module, node: ast.AST) -> Iterator[tuple[ast.expr, str | None]]:
    """The objects of which a node binds an attribute that stands at no dot, and its name where that is written out."""
    if isinstance(node, ast.Call) and len(node.args) > 1:
        if getattr(node.func, "id", "") == "setattr":
            yield node.args[0], text_in(node.args[1])
            return
        if isinstance(node.func, ast.Attribute) and node.func.attr == "__setattr__":  # of `object`, of `super()`
            yield node.args[0] if len(node.args) > 2 else node.func.value, text_in(node.args[-2])
            return
    if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _REPLACING:
        yield from ((node, word.arg) for word in node.keywords if word.arg is not None)
        return
    above = module.names.scopes.parent.get(node)
    holder = object_of(node)
    if holder is None and isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("globals", "vars"):
        holder = node
    stored = isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Store)
    if holder is not None and (stored or (isinstance(above, ast.Attribute) and above.attr in traits.KEEPING_METHODS)):
        names = names_asked_of(module, node)
        yield from ((holder, name) for name in (names if names is not None else [None]))


def _owners(index: Index, module: Module, holder: ast.expr) -> Iterator[Class | Module]:
    """The module that an object is, or the classes that it may be of: those whose `self` it is, else all."""
    scope = module.names.scopes.around(holder)
    meant = module_meant(index, module, scope, holder) or index.modules.get(module.names.of(holder, scope) or "")
    method = module.function_around(holder)
    name = getattr(holder, "id", None)
    if meant is not None:
        yield meant
    elif method is not None and method.owner is not None and method.takes_self and method.parameters[:1] == [name]:
        yield from method.owner.kin
    else:
        for one in index.modules.values():
            yield from one.classes.values()
