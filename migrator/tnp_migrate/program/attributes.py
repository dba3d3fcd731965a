"""Attributes of instances, told apart by the classes that an object may be of.

`self.x` in `class Filter` of `pkg.kalman` is `pkg.kalman.Filter:x`, and `pkg.kalman.Linear|pkg.kalman.Extended:x` if
those derive from it; the `x` of something unknown is `x`, and meets all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import Scope


def attribute_key(module: Module, scope: Scope, node: ast.Attribute) -> str | None:
    """The key of an attribute; None for a name of a library, which is no instance's."""
    receiver = module.value(node.value) or UNKNOWN
    if receiver.kind in ("instance", "class"):
        return f"{receiver.ref.family}:{node.attr}"
    if receiver.kind != "module" and module.names.of(node, scope) is not None:
        return None
    return node.attr


def attribute_name(key: str) -> str:
    """The bare name of an attribute."""
    return key.rpartition(":")[2]


def family_of(key: str) -> str:
    """The classes that have an attribute; empty where they are unknown."""
    return key.rpartition(":")[0]


def attributes_bound_by(function: Function) -> Iterator[str]:
    """The keys of the attributes that a function itself binds anew; a constructor's are its new object's."""
    parent = function.module.names.scopes.parent
    own = function.positional[:1] if function.node.name == "__init__" and function.takes_self else []
    for node in function.nodes:
        if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
            continue
        of_own = isinstance(node.value, ast.Name) and node.value.id in own
        if not of_own and not isinstance(parent.get(node), ast.AugAssign):
            yield attribute_key(function.module, function.scope, node) or node.attr


def meets(one: str, other: str) -> bool:
    """Whether two keys may be of one attribute."""
    (name, classes), (other_name, other_classes) = _parts(one), _parts(other)
    return name == other_name and (not classes or not other_classes or not classes.isdisjoint(other_classes))


@cache
def _parts(key: str) -> tuple[str, frozenset[str]]:
    """The bare name, and the classes; none where they are unknown."""
    family, _, name = key.rpartition(":")
    return name, frozenset(family.split("|")) if family else frozenset()


def meeting(key: str, keys: Iterable[str]) -> str | None:
    """The first of some keys that may be of the same attribute."""
    return next((one for one in keys if meets(one, key)), None)


class Attributes:
    """Keys, entered by names and classes: whether one of many meets another key is found without going through all."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._names: set[str] = set()
        self._classes: set[tuple[str, str]] = set()  # with names; an empty one where it is unknown
        for key in keys:
            name, classes = _parts(key)
            self._names.add(name)
            self._classes |= {(name, one) for one in classes or ("",)}

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._names)

    def meet(self, key: str) -> bool:
        """Whether one of the keys may be of the same attribute."""
        name, classes = _parts(key)
        if name not in self._names or not classes:
            return name in self._names
        return (name, "") in self._classes or any((name, one) in self._classes for one in classes)


def is_variable(index: Index, name: str) -> bool:
    """Whether the project binds an attribute of a name to other than a method, as `self.f = f` does."""
    return name in index.attribute_stores or name in _class_variables(index)


@lru_cache(maxsize=1)
def _class_variables(index: Index) -> frozenset[str]:
    """The names that the statements of classes bind to other than methods."""
    classes = [one for module in index.modules.values() for one in module.classes.values()]
    return frozenset(name for one in classes for name in one.scope.bound if name not in one.methods)


def is_dict_by_name(index: Index, name: str) -> bool:
    """Whether all that the project binds to attributes of a name, and all that properties of that name give, are dicts.

    Something unknown that has an array there all the same raises, should that be a tensor which is stored into.
    """
    kinds = [_kind_bound(module, node) for module, node in index.attribute_stores.get(name, ())]
    kinds += [_kind_given(one) for one in index.methods.get(name, ())]
    for owner in (one for module in index.modules.values() for one in module.classes.values()):
        kinds += [
            _kind_bound(owner.module, node) for node in owner.scope.bound.get(name, ()) if name not in owner.methods
        ]
    return "dict" in kinds and set(kinds) <= {"dict", "none"}


def _kind_bound(module: Module, node: ast.AST) -> str:
    above = module.names.scopes.parent.get(node)
    if isinstance(above, ast.Delete):
        return "none"
    value = above.value if isinstance(above, ast.Assign | ast.AnnAssign) else None
    return (module.value(value) or UNKNOWN).kind if value is not None else "unknown"


def _kind_given(method: Function) -> str:
    """What a property gives; "none" where that is the same attribute of another object."""
    given = [one.value for one in walk(method.node) if isinstance(one, ast.Return)]
    if all(isinstance(one, ast.Attribute) and one.attr == method.node.name for one in given):
        return "none"
    return (method.returns or UNKNOWN).kind
