"""Functions that are used as values and not only called: what calls them then no text shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.reflection import functions_by_name, pattern_of

# What takes the name of a method, and as which argument.
_ASKED_BY_NAME = {"getattr": 1, "methodcaller": 0}
_CALLED_BY_CLASS = frozenset("__init__ __new__ __post_init__ __init_subclass__".split())


@dataclass(eq=False)
class Uses:
    """Functions, and names of attributes, that are used as values and not only called: what calls them is unknown.

    Functions that are looked up by their names are.
    """

    functions: set[Function] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)

    def is_only_called(self, function: Function | None) -> bool:
        """Whether all that a function returns goes to calls that the project shows, or to callers outside it."""
        if function is None or function in self.functions or function.node.name.startswith("__"):
            return False
        if is_property(function):  # one that can be bound as well may do anything with what it is given
            return function.owner is not None and f"{function.node.name}.setter" not in function.owner.methods
        return not function.node.decorator_list and not (function.owner and function.node.name in self.attributes)


def uses_as_values(index: Index) -> Uses:
    """Functions that are not only called: what calls them then is not known."""
    found = Uses({*functions_by_name(index)})
    for module, node in _read_alone(index):
        value = module.value(node)
        if value is not None and value.kind == "function":
            found.functions.add(value.ref)
        if isinstance(node, ast.Attribute):
            found.attributes.add(node.attr)
    return found


@lru_cache(maxsize=1)
def _read_alone(index: Index) -> list[tuple[Module, ast.Name | ast.Attribute]]:
    """The dotted names that are read and not called, with their modules."""
    found = []
    for module in index.modules.values():
        parent = module.names.scopes.parent
        for use in chain.from_iterable(module.names.scopes.uses.values()):
            above = parent.get(use.node)
            is_called = isinstance(above, ast.Call) and above.func is use.node
            if not is_called and use.node not in index.entries:
                found.append((module, use.node))
    return found


def called_out_of_sight(index: Index) -> Iterator[Function]:
    """The functions that may be called with anything: values, methods that are asked by a name, or that Python runs."""
    uses, (names, asked) = uses_as_values(index), _methods_asked_for(index)
    for function in index.functions():
        name = function.node.name
        by_name = name in names or asked.fullmatch(name) or (name[:2] == "__" and name not in _CALLED_BY_CLASS)
        if (function.owner is not None and by_name) or function in uses.functions:
            yield function


@lru_cache(maxsize=1)
def _methods_asked_for(index: Index) -> tuple[frozenset[str], re.Pattern[str]]:
    """The names that are read at a dot and not called there, and those that a call asks for as a text."""
    names, patterns = set[str](), set[str]()
    for module in index.modules.values():
        for node, above in module.names.scopes.parent.items():
            if isinstance(node, ast.Call):
                patterns.update(_asked_for(node))
            elif isinstance(node, ast.Attribute) and _is_passed_on(node, above):
                names.add(node.attr)
    return frozenset(names), re.compile("|".join(sorted(patterns)) or "(?!)")


def _is_passed_on(node: ast.Attribute, above: ast.AST) -> bool:
    """Whether what an attribute gives is not called at once, nor read for something that it has."""
    is_called = isinstance(above, ast.Call) and above.func is node
    return isinstance(node.ctx, ast.Load) and not is_called and not isinstance(above, ast.Attribute)


def _asked_for(call: ast.Call) -> Iterator[str]:
    """The names of methods that a call asks for, as a pattern."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    position = _ASKED_BY_NAME.get(name)
    if position is not None and len(call.args) > position:
        yield pattern_of(call.args[position]).pattern
