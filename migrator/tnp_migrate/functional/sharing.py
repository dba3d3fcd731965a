"""Attributes whose arrays others may hold: they cannot be bound anew without being seen to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tnp_migrate.attributes import attribute_name
from tnp_migrate.index import Class, Function, Index, Module
from tnp_migrate.memory import Summary
from tnp_migrate.values import UNKNOWN

Summaries = dict[Function | Module, Summary]


@dataclass(eq=False)
class Uses:
    """Functions, and names of attributes, that are used as values and not only called: what calls them is unknown."""

    functions: set[Function] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)

    def is_only_called(self, function: Function | None) -> bool:
        """Whether all that a function returns goes to calls that the project shows, or to callers outside it."""
        if function is None or function in self.functions or function.node.name.startswith("__"):
            return False
        return not function.node.decorator_list and not (function.owner and function.node.name in self.attributes)


def uses_as_values(index: Index) -> Uses:
    """Functions that are not only called: what calls them then is not known."""
    found = Uses()
    for module in index.modules.values():
        for uses in module.names.scopes.uses.values():
            for use in uses:
                above = module.names.scopes.parent.get(use.node)
                if (isinstance(above, ast.Call) and above.func is use.node) or use.node in index.entries:
                    continue
                value = module.value(use.node)
                if value is not None and value.kind == "function":
                    found.functions.add(value.ref)
                if isinstance(use.node, ast.Attribute):
                    found.attributes.add(use.node.attr)
    return found


def shared_attributes(index: Index, summaries: Summaries, uses: Uses) -> dict[str, str]:
    """Attributes whose arrays someone else may hold, by name."""
    found: dict[str, str] = {}
    for summary in summaries.values():
        place = summary.function.name if summary.function else "a module"
        for kind, name in summary.returned:
            if kind == "attribute" and not _is_of_locals(summary, name) and not uses.is_only_called(summary.function):
                found.setdefault(name, f"`{place}` returns it")
        for kind, name in summary.escaped:
            if kind == "attribute":
                found.setdefault(name, f"`{place}` keeps it elsewhere")
        for key, held in summary.aliases.items():
            if key.startswith(".") and held:
                found.setdefault(key[1:], f"`{place}` takes it from its caller or from elsewhere")
    for module in index.modules.values():
        for owner in module.classes.values():
            for name in _bound_by_class(owner):
                found.setdefault(f"{owner.family}:{name}", f"all objects of `{owner.node.name}` have it")
    return found


def _bound_by_class(owner: Class) -> Iterator[str]:
    """The attributes that a class has an array for itself, which its objects share."""
    for statement in owner.node.body:
        if isinstance(statement, ast.Assign):
            kind = (owner.module.value(statement.value) or UNKNOWN).kind
            names = [one.id for one in statement.targets if isinstance(one, ast.Name)]
            yield from names if kind in ("array", "list", "dict", "unknown") else ()


def _is_of_locals(summary: Summary, attribute: str) -> bool:
    """Whether a function returns an attribute of its own local objects only: nobody writes to it afterwards."""
    parameters = summary.function.parameters if summary.function else []
    owners = [
        node.value
        for statement in summary.nodes
        if isinstance(statement, ast.Return) and statement.value is not None
        for node in ast.walk(statement.value)
        if isinstance(node, ast.Attribute) and node.attr == attribute_name(attribute)
    ]
    return bool(owners) and all(
        isinstance(one, ast.Name) and one.id not in parameters and summary.scope.owner(one.id) is summary.scope
        for one in owners
    )
