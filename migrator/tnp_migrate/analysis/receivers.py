"""The classes that `self` may be of in a method, and with them the methods that `self.name` may mean.

An instance of a derived class gets to a method that its class has overridden only by `super()` or by the name of a
class. Where no text goes that way, `self` is of no such class.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from tnp_migrate.ir.instructions import Body
from tnp_migrate.ir.state import ModuleBodies
from tnp_migrate.program.index import Class, Function, Module


@dataclass(eq=False)
class Receivers:
    """The classes of a project as receivers of methods. `by_class` are names that `super()` or a class is asked for."""

    by_class: frozenset[str]
    any_name: bool  # `super()` or a class is asked for a name that is not written out
    _known: dict[tuple[Class, str, Function], list[Function]] = field(default_factory=dict)

    def methods_of(self, owner: Class, name: str, method: Function | None) -> list[Function]:
        """The methods that `name` may be of an instance of `owner`, of `self` in `method` where that is given."""
        if method is None or method.owner is None or self.any_name or method.node.name in self.by_class:
            return owner.methods_of(name)
        known = self._known.get((owner, name, method))
        if known is None:
            classes = [one for one in owner.derived if one.method(method.node.name) is method]
            found = [one.method(name) for one in classes]
            known = self._known[owner, name, method] = list(dict.fromkeys(one for one in found if one is not None))
        return known


def receivers_of(lowered: Mapping[Module, ModuleBodies]) -> Receivers:
    """Read which names classes are asked for."""
    names: set[str] = set()
    any_name = False
    for module, bodies in lowered.items():
        for body in bodies.bodies:
            for one in body.instructions:
                if one.operation == "attribute" and _is_class(module, getattr(one.node, "value", None)):
                    names.add(str(one.detail))
                elif one.operation == "call" and isinstance(one.node, ast.Call):
                    names |= _unbound(body, one.node)
                    any_name |= _asks_class(module, one.node)
    return Receivers(frozenset(names), any_name)


def _unbound(body: Body, call: ast.Call) -> set[str]:
    """The method that is called with `self` as its first argument, on whatever."""
    given, node = call.args[:1], body.node
    names = [] if isinstance(node, ast.Module) else [one.arg for one in (*node.args.posonlyargs, *node.args.args)[:1]]
    is_self = bool(given) and isinstance(given[0], ast.Name) and given[0].id in names
    return {call.func.attr} if is_self and isinstance(call.func, ast.Attribute) else set()


def _asks_class(module: Module, call: ast.Call) -> bool:
    func = call.func
    asks = isinstance(func, ast.Name) and func.id == "getattr" and bool(call.args)
    return asks and _is_class(module, call.args[0])


def _is_class(module: Module, node: ast.AST | None) -> bool:
    """Whether an expression is `super()` or a class, by what is known of it or by its looks."""
    value = module.value(node) if node is not None else None
    if value is not None and value.kind in ("class", "super"):
        return True
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("super", "type")
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) in ("__class__", "cls")
