"""Functions that are used as values and not only called: what calls them then no text shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from tnp_migrate.analysis.reflection import functions_by_name, pattern_of
from tnp_migrate.program.index import Class, Function, Index, Module

# What takes the name of a method, and as which argument.
_ASKED_BY_NAME = {"getattr": 1, "methodcaller": 0}
_CALLED_BY_CLASS = frozenset(
    "__init__ __new__ __post_init__ __attrs_pre_init__ __attrs_post_init__ __init_subclass__".split()
)
_ASKING = frozenset("isinstance issubclass super cast".split())


@dataclass(eq=False)
class Uses:
    """Functions, and names of attributes, that are used as values and not only called: what calls them is unknown.

    Functions that are looked up by their names are.
    """

    functions: set[Function] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


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
    uses, asked = uses_as_values(index), _methods_asked_for(index)
    for function in index.functions():
        name = function.node.name
        is_run = name[:2] == "__" and name not in _CALLED_BY_CLASS
        is_asked = function.owner is not None and (is_run or asked.may_be(function.owner, name))
        if is_asked or function in uses.functions:
            yield function
    for owner in classes_as_values(index):
        makers = (owner.method(name) for name in _CALLED_BY_CLASS)
        yield from (one for one in makers if one is not None)


def classes_as_values(index: Index) -> dict[Class, None]:
    """The classes that are not only called or asked about: what makes objects of them no text shows."""
    found: dict[Class, None] = {}
    for module, node in _read_alone(index):
        value = module.value(node)
        if value is not None and value.kind == "class" and not _is_asked_about(module, node):
            found |= dict.fromkeys([value.ref] if value.sure else value.ref.derived)
    return found


def _is_asked_about(module: Module, node: ast.AST) -> bool:
    """Whether a class is named to say what something is: in an annotation, a base, a test, an exception."""
    parent = module.names.scopes.parent
    above = parent.get(node)
    while isinstance(above, ast.Tuple | ast.Subscript | ast.BinOp):
        node, above = above, parent.get(above)
    if isinstance(above, ast.Call):
        return getattr(above.func, "id", "") in _ASKING and node is not above.func
    if isinstance(above, ast.AnnAssign):
        return above.annotation is node
    if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
        return above.returns is node  # else it decorates the function
    if isinstance(above, ast.ClassDef):
        return node in above.bases
    return isinstance(above, ast.arg | ast.Compare | ast.ExceptHandler | ast.MatchClass)


@dataclass(eq=False)
class Asked:
    """What methods are asked for by: names that are read at a dot and not called there, and texts that calls give.

    What `getattr(self, name)` asks for is a method of a class that the object may be of.
    """

    names: set[str] = field(default_factory=set)
    of_any: set[str] = field(default_factory=set)  # patterns
    of_classes: dict[Class, set[str]] = field(default_factory=dict)
    _compiled: dict[Class, re.Pattern[str]] = field(default_factory=dict)

    def may_be(self, owner: Class, name: str) -> bool:
        """Whether a method of a class may be asked for, once all texts are known."""
        if owner not in self._compiled:
            patterns = self.of_any | self.of_classes.get(owner, set())
            self._compiled[owner] = re.compile("|".join(sorted(patterns)) or "(?!)")
        return name in self.names or self._compiled[owner].fullmatch(name) is not None


@lru_cache(maxsize=1)
def _methods_asked_for(index: Index) -> Asked:
    asked = Asked()
    for module in index.modules.values():
        for node, above in module.names.scopes.parent.items():
            if isinstance(node, ast.Call):
                for receiver, pattern in _asked_for(node):
                    owner = _class_of_self(module, receiver)
                    for each in owner.kin if owner is not None else ():
                        asked.of_classes.setdefault(each, set()).add(pattern)
                    if owner is None and not _has_no_methods(index, module, receiver):
                        asked.of_any.add(pattern)
            elif isinstance(node, ast.Attribute) and _is_passed_on(node, above):
                asked.names.add(node.attr)
    return asked


def _class_of_self(module: Module, receiver: ast.expr | None) -> Class | None:
    """The class whose method something is the `self` or `cls` of, and is never bound to anything else."""
    method = module.function_around(receiver) if isinstance(receiver, ast.Name) else None
    if method is None or method.owner is None or not method.takes_self or not isinstance(receiver, ast.Name):
        return None
    is_own = method.parameters[:1] == [receiver.id] and len(method.scope.bound.get(receiver.id, ())) == 1
    return method.owner if is_own else None


def _has_no_methods(index: Index, module: Module, receiver: ast.expr | None) -> bool:
    """Whether something is a library, or a module of the project, whose functions are looked for elsewhere."""
    if receiver is None:
        return False
    names = module.names
    return names.is_of_library(receiver) or names.within(receiver, names.scopes.module) in index.modules


def _is_passed_on(node: ast.Attribute, above: ast.AST) -> bool:
    """Whether what an attribute gives is not called at once, nor read for something that it has."""
    is_called = isinstance(above, ast.Call) and above.func is node
    return isinstance(node.ctx, ast.Load) and not is_called and not isinstance(above, ast.Attribute)


def _asked_for(call: ast.Call) -> Iterator[tuple[ast.expr | None, str]]:
    """What a call asks for a method by its name, where that is written, and the name as a pattern."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    position = _ASKED_BY_NAME.get(name)
    if position is not None and len(call.args) > position:
        yield call.args[0] if position else None, pattern_of(call.args[position]).pattern
