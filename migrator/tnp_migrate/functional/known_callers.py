"""Which calls run a function: all of them are known where it is only called, or lent to what only calls it.

In `minimize(loss, x)` the function `loss` is lent where `minimize` does nothing with its parameter but call it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.effects import callees, is_guess, specialised_in
from tnp_migrate.analysis.escapes import Calls
from tnp_migrate.analysis.reflection import functions_by_name
from tnp_migrate.analysis.specialised import Specialised
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.analysis.value_flow import Flows
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.decorators import runs_as_written
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.reachability import Closure, Fact

_AT_ONCE = frozenset("sum any all max min list tuple set sorted".split())
_HEADERS = {
    ast.Expr: ("value",), ast.Assign: ("value",), ast.AnnAssign: ("value",), ast.AugAssign: ("value",),
    ast.Return: ("value",), ast.If: ("test",), ast.For: ("iter",), ast.With: ("items",), ast.Assert: ("test", "msg"),
    ast.Match: ("subject",),
}  # fmt: skip
_CALLED = frozenset({"__init__", "__call__", "__enter__", "__exit__"})


@dataclass(eq=False)
class Running:
    """How functions are run, as far as the project shows it."""

    index: Index
    summaries: dict[Function | Module, Summary]
    mentions: Closure[Function | str, str | None] | None = None  # see `mentioned`
    waiting: frozenset[str | None] | None = None
    _reasons: dict[Function, str | None] = field(default_factory=dict)
    _values: dict[Function, list[tuple[Module, ast.AST]]] = field(default_factory=dict)
    _attributes: set[str] = field(default_factory=set)
    _looked_up: frozenset[Function] = frozenset()  # by their names
    _runs: dict[Function, list[Function | str]] = field(default_factory=dict)
    _in_place: dict[ast.Call, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Collect the places where functions are values."""
        self._looked_up = functions_by_name(self.index)
        for module in self.index.modules.values():
            for uses in module.names.scopes.uses.values():
                for use in uses:
                    owner = use.scope.owner(use.root.id)
                    bound = owner.bound.get(use.root.id, []) if owner is not None else []
                    parameter = use.node is use.root and bound and all(isinstance(one, ast.arg) for one in bound)
                    called = _is_called(module, use.node) or use.node in self.index.entries
                    if not called and not parameter:  # what is passed is looked at in the call
                        self._note_value(module, use.node)

    def _note_value(self, module: Module, node: ast.Name | ast.Attribute) -> None:
        value = module.value(node)
        if value is not None and value.kind == "function":
            self._values.setdefault(value.ref, []).append((module, node))
        if isinstance(node, ast.Attribute):
            self._attributes.add(node.attr)

    @cached_property
    def tops(self) -> frozenset[str]:
        """The names of the project's packages, and of its modules that are in none."""
        return frozenset(name.partition(".")[0] for name in self.index.modules)

    def calls_to(self, function: Function) -> list[tuple[Module, ast.Call]]:
        """The calls that may reach a function, with the modules that they stand in."""
        return [(summary.module, call) for summary, call in self._calls.of(function)]

    @cached_property
    def _calls(self) -> Calls:
        return Calls(self.summaries, self.index)

    def written_by(self, module: Module, call: ast.Call, function: Function) -> frozenset[str]:
        """The parameters of a function that a call, in a module, has it write to, by the constants that it passes."""
        return self._specialised.written(module, call, function, self._written)

    @cached_property
    def _specialised(self) -> Specialised:
        return specialised_in(self.index, self.summaries, Flows())

    @cached_property
    def _written(self) -> dict[Function, frozenset[str]]:
        found = ((one, summary.mutated_parameters()) for one, summary in self.summaries.items())
        return {one: frozenset(names) for one, names in found if isinstance(one, Function)}

    def why_unknown(self, function: Function) -> str | None:
        """Why a function may run at any time; None where each call that runs it is known."""
        if function not in self._reasons:
            self._reasons[function] = None
            self._reasons[function] = self._why_unknown(function)
        return self._reasons[function]

    def is_only_called(self, function: Function) -> bool:
        """Whether all that a function returns goes to calls that the walk over the project sees."""
        return self.why_unknown(function) is None and not any(self._value_uses(function))

    def is_implicit(self, function: Function) -> bool:
        """Whether Python may run a method where no call stands: for an operator, an index or an attribute."""
        if function.owner is None:
            return False
        name = function.node.name
        dunder = name.startswith("__") and name.endswith("__") and name not in _CALLED
        return dunder or not runs_as_written(function) or bool(self._values.get(function))

    def lent(self, module: Module, call: ast.Call) -> list[Function]:
        """The functions that a call is given, which it may run."""
        given = [*call.args, *(word.value for word in call.keywords)]
        values = [module.value(one) or UNKNOWN for one in given if isinstance(one, ast.Name | ast.Attribute)]
        return [value.ref for value in values if value.kind == "function"]

    def closure(self, own: Callable[[Function], Iterable[Fact]]) -> Closure[Function | str, Fact]:
        """What functions have, themselves or by all that they run: `own` says what one has itself."""
        return Closure(self._run_by, lambda one: () if isinstance(one, str) else own(one))

    def _run_by(self, runner: Function | str) -> list[Function | str]:
        """What the calls in a function may run; of what is unknown the name of a method, which stands for all so named.

        Otherwise n methods of one name that call it would have n * n edges between them.
        """
        if isinstance(runner, str):
            return [*self.index.methods.get(runner, ())]
        if runner not in self._runs:
            calls = [one for one in runner.nodes if isinstance(one, ast.Call)]
            self._runs[runner] = list(dict.fromkeys(run for one in calls for run in self._run_at(runner.module, one)))
        return self._runs[runner]

    def _run_at(self, module: Module, call: ast.Call) -> Iterator[Function | str]:
        if isinstance(call.func, ast.Attribute) and call.func not in self.index.dispatched and is_guess(module, call):
            yield call.func.attr
        else:
            yield from callees(module, self.index, call)
        yield from self.lent(module, call)

    def _why_unknown(self, function: Function) -> str | None:
        name = function.node.name
        if function.yields or isinstance(function.node, ast.AsyncFunctionDef):
            return f"`{name}` is a generator or a coroutine"
        if not runs_as_written(function):
            return f"`{name}` is decorated"
        if name.startswith("__") and name.endswith("__") and name != "__init__":
            return f"Python calls `{name}`"
        if function.owner is not None and (function.nested or name in self._attributes):
            return f"`{name}` is a method that is passed on"
        if len(function.outer.bound.get(name, ())) != 1:
            return f"`{name}` is bound more than once"
        if function in self._looked_up:
            return f"`{name}` is looked up by its name"
        for module, node in self._value_uses(function):
            if not self._is_lent(module, node):
                return f"`{name}` is passed on as a value"
        if not all(self._is_run_in_place(module, call) for module, call in self.calls_to(function)):
            return f"`{name}` is called where the order is not followed"
        return None

    def _is_run_in_place(self, module: Module, call: ast.Call) -> bool:
        if call not in self._in_place:
            self._in_place[call] = is_run_in_place(module, call)
        return self._in_place[call]

    def _value_uses(self, function: Function) -> Iterator[tuple[Module, ast.AST]]:
        """The places where a function is used, other than by calls that are known to be of it."""
        seen: set[ast.AST] = set()
        if function.owner is None:
            known = {id(call) for _, call in self.calls_to(function)}
            for use in function.module.names.scopes.uses.get(function.node.name, ()):
                above = function.module.names.scopes.parent.get(use.node)
                mine = use.scope.owner(function.node.name) is function.outer
                called = _is_called(function.module, use.node) and id(above) in known
                if mine and not called and use.node not in self.index.entries:
                    seen.add(use.node)
                    yield function.module, use.node
        yield from (pair for pair in self._values.get(function, ()) if pair[1] not in seen)

    def _is_lent(self, module: Module, node: ast.AST) -> bool:
        """Whether a function is given to a call that runs it, if at all, before it is over."""
        above = module.names.scopes.parent.get(node)
        above = module.names.scopes.parent.get(above) if isinstance(above, ast.keyword) else above
        if not isinstance(above, ast.Call) or not self._is_run_in_place(module, above):
            return False
        return self._lends(module, above, node, frozenset())

    def _lends(self, module: Module, call: ast.Call, node: ast.AST, seen: frozenset[tuple[Function, str]]) -> bool:
        found = callees(module, self.index, call)
        if len(found) != 1 or call.func is node:
            return False
        names = [name for name, argument in passed(module, found[0], call) if argument is node]
        return len(names) == 1 and self._only_calls(found[0], names[0], seen)

    def _only_calls(self, function: Function, name: str, seen: frozenset[tuple[Function, str]]) -> bool:
        """Whether a function does nothing with a parameter but call it."""
        if (function, name) in seen:
            return True
        odd = function.yields or function.node.decorator_list or isinstance(function.node, ast.AsyncFunctionDef)
        if odd or len(function.scope.bound.get(name, ())) != 1:
            return False
        module = function.module
        uses = [one for one in module.names.scopes.uses.get(name, ()) if one.scope.owner(name) is function.scope]
        return all(self._only_runs(function, use.node, seen | {(function, name)}) for use in uses)

    def _only_runs(self, function: Function, node: ast.AST, seen: frozenset[tuple[Function, str]]) -> bool:
        module, parent = function.module, function.module.names.scopes.parent
        inside = next(one for one in module.names.scopes.ancestors(node) if one in module.names.scopes.of)
        while isinstance(inside, ast.ListComp | ast.SetComp | ast.DictComp):
            inside = next(one for one in module.names.scopes.ancestors(inside) if one in module.names.scopes.of)
        above = parent.get(node)
        if inside is not function.node:
            return False
        if isinstance(above, ast.Compare) or (isinstance(above, ast.If) and above.test is node):
            return True
        above = parent.get(above) if isinstance(above, ast.keyword) else above
        if not isinstance(above, ast.Call):
            return False
        return above.func is node or self._lends(module, above, node, seen)


def is_run_in_place(module: Module, call: ast.Call) -> bool:
    """Whether the walk over statements comes by a call when it runs: it does not see into lambdas and the like."""
    parent = module.names.scopes.parent
    node: ast.AST = call
    while not isinstance(node, ast.stmt):
        above = parent.get(node)
        if above is None or isinstance(above, ast.Lambda | ast.arguments):
            return False
        if isinstance(above, ast.GeneratorExp) and not _is_consumed(parent.get(above), above):
            return False
        if isinstance(above, ast.stmt):
            fields = _HEADERS.get(type(above), ())
            if not any(node is one for name in fields for one in _listed(getattr(above, name))):
                return False
        node = above
    for around in module.names.scopes.ancestors(node):
        if isinstance(around, ast.ClassDef):
            return False
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
            return not any(isinstance(one, ast.Yield | ast.YieldFrom | ast.Await) for one in walk(node))
    return True


def _is_consumed(call: ast.AST | None, generator: ast.AST) -> bool:
    """Whether a generator is run through by the builtin function that it is given to."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or generator not in call.args:
        return False
    return call.func.id in _AT_ONCE


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _is_called(module: Module, node: ast.AST) -> bool:
    above = module.names.scopes.parent.get(node)
    return isinstance(above, ast.Call) and above.func is node
