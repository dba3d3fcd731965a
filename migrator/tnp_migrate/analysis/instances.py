"""What classes and methods do with the attributes of instances that may hold arrays."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from tnp_migrate.numpy_facts.values import UNKNOWN, Value, element_of
from tnp_migrate.program.index import Class, Function

_MAY_HOLD = frozenset({"array", "unknown", "list", "tuple", "dict"})
_CHANGES = frozenset("append extend insert update setdefault add pop clear".split())


@dataclass(eq=False)
class Instances:
    """What is known so far of the attributes of instances, by class and by method."""

    uses: dict[Function, Uses] = field(default_factory=dict)
    bound: dict[Class, set[str]] = field(default_factory=dict)

    def class_arrays(self, owner: Class) -> set[str]:
        """The attributes that a class itself binds to what may be an array, or holds some."""
        if owner not in self.bound:
            self.bound[owner] = {
                target.id
                for node in owner.node.body
                if isinstance(node, ast.Assign) and _may_hold_array(owner.module.value(node.value) or UNKNOWN)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
        return self.bound[owner]

    def uses_of(self, method: Function) -> Uses:
        """What a method does with the attributes of its instance."""
        if method not in self.uses:
            self.uses[method] = _uses_of(method)
        return self.uses[method]


@dataclass(eq=False)
class Uses:
    """The attributes of its instance that a method reads and stores, as far as they may hold arrays."""

    read: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)


def _may_hold_array(value: Value) -> bool:
    return value.kind in ("array", "unknown") or element_of(value).is_array


def _uses_of(function: Function) -> Uses:
    found = Uses()
    if not function.takes_self or function.owner is None or not function.node.args.args:
        return found
    receiver = function.node.args.args[0].arg
    parent = function.module.names.scopes.parent
    for node in function.nodes:
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == receiver):
            continue
        kind = (function.module.value(node) or UNKNOWN).kind
        if function.owner.method(node.attr) is None and kind in _MAY_HOLD:
            if not isinstance(node.ctx, ast.Store) or isinstance(parent.get(node), ast.AugAssign):
                found.read.add(node.attr)
            if _is_stored(node, parent):
                found.stored.add(node.attr)
    return found


def _is_stored(node: ast.expr, parent: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether an attribute is bound, or an item or member of what it holds is."""
    above = parent.get(node)
    while isinstance(above, ast.Subscript | ast.Attribute) and isinstance(node, ast.expr) and above.value is node:
        if isinstance(above, ast.Attribute) and above.attr in _CHANGES and isinstance(parent.get(above), ast.Call):
            return True
        node, above = above, parent.get(above)
    return isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
