"""What the methods that run without being named look at: attributes by their names, or all of objects of some classes.

A library's call, an operator or a hash may run any of them, on whatever it reaches. What none of them names, nor
anything that they run in their turn, they leave alone: `__repr__` of a monitor tells nothing of a model's weights.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from tnp_migrate.analysis.class_bindings import assigned_methods, functions_assigned
from tnp_migrate.analysis.implicit_calls import assigned_unnamed, calls_back, is_unnamed
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.namespaces import object_of
from tnp_migrate.program.nodes import asks_at_once, text_in

Looks: TypeAlias = "frozenset[str | Class] | None"  # names of attributes, and classes any of whose; None is anything

_COMPUTING = frozenset("numpy math cmath itertools functools".split())  # but for `_CALLING` and `_RUNNING`
_CALLING = frozenset("vectorize frompyfunc apply_along_axis apply_over_axes fromfunction piecewise ctypeslib".split())
_CALLING |= frozenset("wraps update_wrapper lru_cache cache cached_property total_ordering".split())
_CALLING |= frozenset({"singledispatch", "singledispatchmethod"})
_DEFINING = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.alias
_BUILDING = frozenset({"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__"})
_HOOKS = frozenset({"__get__", "__set__", "__getattribute__"})  # which any name may run
_REFLECTING = frozenset("vars exec eval compile locals globals __import__".split())
_BY_NAME = frozenset({"getattr", "setattr", "delattr", "hasattr"})
# What runs one of its arguments later, with the place of that.
_LAZY = dict.fromkeys("map filter starmap partial partialmethod takewhile dropwhile filterfalse iter".split(), 0)
_LAZY |= {"accumulate": 1, "groupby": 1}
_RUNNING = _LAZY | {"reduce": 0, "cmp_to_key": 0}
_FUNCTION_WORDS = frozenset({"key", "default_factory", "func", None})  # `**words` are any
# Methods of Python's own objects and of NumPy's: they run nothing but what runs without being named.
_KINDS = (str, bytes, list, tuple, dict, set, int, float, complex)
_OF_KINDS = frozenset(name for kind in _KINDS for name in dir(kind))
_OF_KINDS |= {*traits.ARRAY_METHODS, *traits.VIEW_METHODS, *traits.ONLY_GENERATORS_HAVE}


class _Open(Exception):
    """A text may look at anything."""


@lru_cache(maxsize=2)
def implicit_looks(index: Index) -> Looks:
    """What such methods of a project look at."""
    if not _HOOKS.isdisjoint(index.methods):
        return None
    try:
        return frozenset(_Looks(index).found())
    except _Open:
        return None


class _Looks:
    """The texts that such methods run, one after the other."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.by_name: dict[str, list[Function]] = {}
        for one in index.functions():
            self.by_name.setdefault(one.node.name, []).append(one)
        self.classes = {one.node.name for module in index.modules.values() for one in module.classes.values()}
        self.pending: dict[Function, None] = {}
        self.names: set[str | Class] = set()

    def found(self) -> set[str | Class]:
        """The attributes that are looked at."""
        self._run(one for name, functions in self.index.methods.items() for one in functions if _is_run(name, one))
        for name in assigned_unnamed(self.index):
            if not all(assigned_methods(self.index)[name].values()):
                raise _Open
            self._run(functions_assigned(self.index, name))
        for module in self.index.modules.values():  # suspended, they go on wherever something asks for an item
            self._run(one for one in module.functions.values() if one.yields)
            for node in module.names.scopes.parent:
                if _is_lazy(module, node):
                    self._look(module, ast.walk(node), None)
        done: set[Function] = set()
        while self.pending:
            function, _ = self.pending.popitem()
            if function not in done:
                done.add(function)
                self._look(function.module, function.nodes, function)
        return self.names

    def _run(self, functions: Iterator[Function] | list[Function]) -> None:
        self.pending.update(dict.fromkeys(functions))

    def _look(self, module: Module, nodes: Iterator[ast.AST] | list[ast.AST], function: Function | None) -> None:
        for node in nodes:
            if isinstance(node, ast.Attribute):
                self._named(node.attr)
                if node.attr == "__dict__":
                    self._namespace(node.value, function)
            elif isinstance(node, ast.Name):
                self._refer(node.id)
            elif isinstance(node, ast.Call):
                self._call(module, node, function)
            elif isinstance(node, ast.MatchClass):
                if node.patterns:
                    raise _Open
                for name in node.kwd_attrs:
                    self._named(name)

    def _named(self, name: str) -> None:
        self.names.add(name)
        self._refer(name)

    def _refer(self, name: str) -> None:
        """Run what has a name: functions and methods, and what makes objects where a class has it."""
        self._run(self.by_name.get(name, []))
        if name in self.classes:
            self._run([one for building in _BUILDING for one in self.index.methods.get(building, ())])

    def _namespace(self, node: ast.expr, function: Function | None) -> None:
        """Note that all attributes of an object are looked at: one of a known class, if it is the method's own."""
        first = function.parameters[:1] if function is not None and function.takes_self else []
        if function is None or function.owner is None or not isinstance(node, ast.Name) or [node.id] != first:
            raise _Open
        if len(function.scope.bound.get(node.id, ())) > 1:
            raise _Open
        self.names.add(function.owner)

    def _call(self, module: Module, call: ast.Call, function: Function | None) -> None:
        if not self._is_own(call.func) and not all(
            self._is_known(module, one) for one in _functions_given(module, call)
        ):
            raise _Open
        func, scope = call.func, module.names.scopes.around(call.func)
        qualified = module.names.of(func, scope)
        if isinstance(func, ast.Name) and scope.owner(func.id) is None and hasattr(builtins, func.id):
            self._builtin(call, func.id, function)
        elif qualified is not None and qualified.partition(".")[0] in _COMPUTING:
            if not _CALLING.isdisjoint(qualified.split(".")):
                raise _Open
        elif not self._is_known(module, func):
            raise _Open

    def _is_own(self, function: ast.expr) -> bool:
        """Whether only the project has something of a name: what it does with what it is given its text says."""
        name = getattr(function, "attr", getattr(function, "id", ""))
        is_named = name in self.by_name or name in self.classes
        return is_named and name not in _OF_KINDS and not hasattr(builtins, name)

    def _is_known(self, module: Module, function: ast.expr) -> bool:
        """Whether all that an expression may stand for as a function is run: by its name, or where it is written.

        Or it is a method of Python's own objects or of arrays, under whose name no attribute is bound.
        """
        scope = module.names.scopes.around(function)
        if isinstance(function, ast.Attribute):
            is_named = function.attr in self.by_name or function.attr in self.classes
            is_of_library = module.names.of(function, scope) is not None  # `copy.copy` is no list's
            is_own = is_named or (function.attr in _OF_KINDS and not is_of_library)
            return is_own and function.attr not in self.index.attribute_stores
        if not isinstance(function, ast.Name):
            return isinstance(function, ast.Lambda)
        owner = scope.owner(function.id)
        if owner is None:
            return hasattr(builtins, function.id)
        is_named = function.id in self.by_name or function.id in self.classes
        return is_named and all(isinstance(one, _DEFINING) for one in owner.bound.get(function.id, ()))

    def _builtin(self, call: ast.Call, name: str, function: Function | None) -> None:
        named = text_in(call.args[1]) if name in _BY_NAME and len(call.args) > 1 else None
        if named is not None:
            self._named(named)
        elif name in _BY_NAME:
            raise _Open
        elif (holder := object_of(call)) is not None:
            self._namespace(holder, function)
        elif name in _REFLECTING:
            raise _Open


def _is_run(name: str, method: Function) -> bool:
    if is_unnamed(name):
        return True
    return method.owner is not None and any(map(calls_back, method.owner.lineage))


def _functions_given(module: Module, call: ast.Call) -> list[ast.expr]:
    """What a call is given that it may run: `map(f, xs)`, `sorted(xs, key=f)`; what stars hide may be that, too."""
    place = _RUNNING.get(_bare_name(module, call), -1)
    if len(call.args) == 1 and isinstance(call.func, ast.Name) and call.func.id == "iter":
        place = -1
    found = [one for at, one in enumerate(call.args) if at == place or (at < place and isinstance(one, ast.Starred))]
    return [*found, *(word.value for word in call.keywords if word.arg in _FUNCTION_WORDS)]


def _bare_name(module: Module, call: ast.Call) -> str:
    """The name of what is called, without what it is in: that which a library gives it, if it is known."""
    qualified = module.names.of(call.func, module.names.scopes.around(call.func))
    return qualified.rpartition(".")[2] if qualified else getattr(call.func, "attr", getattr(call.func, "id", ""))


def _is_lazy(module: Module, node: ast.AST) -> bool:
    """Whether an expression runs what is in it later: a generator expression that is not used up where it stands."""
    is_call = isinstance(node, ast.Call) and _bare_name(module, node) in _LAZY
    if not is_call and not isinstance(node, ast.GeneratorExp):
        return False
    above = module.names.scopes.parent.get(node)
    if isinstance(above, ast.For | ast.comprehension):
        return above.iter is not node
    return not asks_at_once(above)


def looks_at(looks: Looks, name: object, owner: Class | None) -> bool:
    """Whether an attribute of an object may be among them, whose methods are those of `owner`, if that is known."""
    if looks is None or name in looks:
        return True
    return any(isinstance(one, Class) and (owner is None or owner in one.kin) for one in looks)
