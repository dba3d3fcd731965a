"""What calls with constants write to: `scale(x, copy=True)` runs no `if not copy: x *= 2`.

A summary of a function says what any call of it may do. Where a call passes constants, or leaves them to defaults, and
they decide tests, the statements that do not run are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from tnp_migrate.analysis.argument_binding import given_alone, passed
from tnp_migrate.analysis.handed_back import Root
from tnp_migrate.analysis.memory import roots
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.analysis.value_flow import Flows
from tnp_migrate.analysis.writes import writes
from tnp_migrate.program.decorators import runs_as_written
from tnp_migrate.program.index import Function, Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import defaults_of

Constants = frozenset[tuple[str, object]]
# The parameters that a function writes to; of functions without any nothing.
Written = Mapping[Function, frozenset[str]]
_NONE: Constants = frozenset()


@dataclass(eq=False)
class Specialised:
    """The parameters that calls with constants write to, found when they are asked for.

    `may_write` says whether a call, in a module, has to be reckoned with to reach a function, `is_open` that the
    project binds the defaults of functions anew.
    """

    summaries: Mapping[Function | Module, Summary]
    flows: Flows
    may_write: Callable[[Module, ast.Call, Function], bool]
    is_open: bool
    _made: dict[tuple[Function, Constants], Summary | None] = field(default_factory=dict)

    def written(self, module: Module, call: ast.Call, function: Function, known: Written) -> frozenset[str]:
        """Of the parameters that a function writes to, in `known`, those that a call, in a module, may have written."""
        names, whole = known[function], self.summaries[function]
        summary = self._summary(function, constants_of(module, call, function)) if not self.is_open else None
        return names if summary is None else names & self._reached(summary, whole, known)

    def _summary(self, function: Function, constants: Constants) -> Summary | None:
        """The summary of a function with the statements that run with some constants; None where all do."""
        whole = self.summaries.get(function)
        if not constants or whole is None or whole.body is None or whole.body.inner:
            return None
        key = (function, constants)
        if key not in self._made:
            body = self.flows.body_for(function, constants)
            runs = len(body.instructions) == len(whole.body.instructions)
            self._made[key] = None if runs else replace(whole, body=body, reaching={}, asked=set())
        return self._made[key]

    def _reached(self, summary: Summary, whole: Summary, known: Written) -> set[str]:
        """The parameters that those statements of a body write to which run, and what it calls; `whole` has all."""
        found: set[Root] = set()
        for node in summary.nodes:
            targets = [target for target, _, _ in writes(summary, node)]
            if targets and _runs(summary, whole, node):
                found.update(*(roots(summary, target) for target in targets))
        for call, functions in summary.calls:
            writing = [one for one in functions if one in known and self.may_write(summary.module, call, one)]
            if writing and _runs(summary, whole, call):
                pairs = ((one, pair) for one in writing for pair in passed(summary.module, one, call))
                found.update(*(roots(summary, argument) for one, (name, argument) in pairs if name in known[one]))
        return {name for kind, name in found if kind == "parameter"}


def _runs(summary: Summary, whole: Summary, node: ast.AST) -> bool:
    """Whether a node, or something in it, has a value in a body, or in none at all."""
    assert summary.body is not None
    assert whole.body is not None
    inside = [one for one in walk(node) if one in whole.body.registers]
    return not inside or any(one in summary.body.registers for one in inside)


def constants_of(module: Module, call: ast.Call, function: Function) -> Constants:
    """The parameters of a function that are tested, and which a call, in a module, gives a constant or leaves to one.

    None of them where something else may be passed: by `*x` and `**x`, or by a decorator.
    """
    tested = _tested(function)
    unclear = any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords)
    if not tested or unclear or not runs_as_written(function):
        return _NONE
    given = defaults_of(function.node.args) | given_alone(module, function, call)
    known = {name: one for name, one in given.items() if name in tested and isinstance(one, ast.Constant)}
    return frozenset((name, one.value) for name, one in known.items() if _is_plain(one.value))


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


@cache
def _tested(function: Function) -> frozenset[str]:
    """The parameters that stand in the tests of a function."""
    tests = [one.test for one in function.nodes if isinstance(one, ast.If | ast.IfExp)]
    named = {part.id for one in tests for part in ast.walk(one) if isinstance(part, ast.Name)}
    return frozenset(named.intersection(function.parameters))
