"""Analyses of bodies with what they have asked about others: whether they have to be done again hangs on that alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.functional.bodies import Bodies, Body
from tnp_migrate.functional.flow import Flow
from tnp_migrate.functional.known import Known, Place
from tnp_migrate.functional.records import Record
from tnp_migrate.functional.unique_holder import computes
from tnp_migrate.functional.unit import Unit
from tnp_migrate.program.index import Function


@dataclass(frozen=True, eq=False)
class Walk:
    """One analysis of a body: what it started from, what it was told and has said, and what has come of it."""

    start: tuple[object, ...]
    record: Record
    unit: Unit
    end: dict[str, Any]  # what has changed of the unit by then
    flow: Flow | None
    unfolding: list[Decision] | None


Walks = dict[Body, list[Walk]]  # those of all runs of the stage over the same text


def start_of(unit: Unit, *, is_whole: bool) -> tuple[object, ...]:
    """What an analysis of a body starts from, besides what it asks."""
    return is_whole, dict(unit.kept), set(unit.left), unit.tuples, dict(unit.lengths)


def end_of(unit: Unit) -> dict[str, Any]:
    """What an analysis leaves in a unit, for one that begins where it has ended."""
    sets = {"taken": set(unit.taken), "kept": dict(unit.kept), "left": set(unit.left)}
    return {**sets, "tuples": unit.tuples, "lengths": dict(unit.lengths), "keys": dict(unit.keys)}


def take_end(walk: Walk) -> Unit:
    """The unit of an analysis as that has left it."""
    for name, value in walk.end.items():
        setattr(walk.unit, name, value if isinstance(value, frozenset) else value.copy())
    return walk.unit


@dataclass(eq=False)
class Settling:
    """The state of a project's bodies as others see it."""

    known: Known
    states: dict[Body, tuple[object, ...]] = field(default_factory=dict)
    runners: dict[Function, set[Function]] = field(default_factory=dict)  # of each function: which come by its calls

    def state(self, body: Body) -> tuple[object, ...]:
        """What others ask of a body; what they take to be so of one that was not looked at is left out."""
        if body not in self.states:
            self.states[body] = self._state(body)
        return self.states[body]

    def forget(self, body: Body) -> None:
        """Look at the state of a body anew: something has come to be known of it."""
        self.states.pop(body, None)

    def _state(self, body: Body) -> tuple[object, ...]:
        known = self.known
        if not isinstance(body, Function):
            return (body in known.refused,)
        variables, places = known.gives.get(body, (None, None))
        own = (
            known.conventions.get(body),
            body in known.unable,
            variables or None,
            places or None,
            self._exact_results(body),
        )
        tables = (known.written_attributes, known.written_variables, known.written_items, known.keeps)
        return (body in known.refused, *own, *(table.get(body) or None for table in tables))

    def _exact_results(self, function: Function) -> dict[str, str]:
        """What is known of a result, other than that it may share memory with what the function returns."""
        found = self.known.results.get(function, {})
        returned = self.known.summaries[function].returned if found and function in self.known.summaries else ()
        return {name: one for name, one in found.items() if one != "may" and ("parameter", name) in returned}

    def note_rebinds(self, function: Function, variables: frozenset[Place]) -> None:
        """Note which variables a function binds to something else, itself or by what it runs."""
        self.known.rebinds[function] = variables
        if variables and self.known.running.why_unknown(function) is not None:
            for one in variables:
                self.known.rebound_at_any_time[one] = True

    def spread_rebinds(self, function: Function) -> bool:
        """Who runs a function that binds variables anew does so, too: this need not wait for an analysis."""
        rebinds, ran = self.known.rebinds, self.known.runs.get(function, frozenset[Function]())
        for one in ran:
            self.runners.setdefault(one, set()).add(function)
        if function in rebinds and function not in self.known.refused:
            found = {pair for one in ran for pair in self.known.rebinds_of(one)} | self._rebound_meanwhile(function)
            self.note_rebinds(function, rebinds[function] | {pair for pair in found if pair[0] is not function.scope})
        pending, grown = [function] if function in rebinds else [], False
        while pending:
            one = pending.pop()
            for caller in self.runners.get(one, ()):
                new = rebinds[caller] | {pair for pair in rebinds[one] if pair[0] is not caller.scope}
                if len(new) > len(rebinds[caller]) and caller not in self.known.refused:
                    self.note_rebinds(caller, new)
                    pending.append(caller)
                    grown = True
        return grown

    def _rebound_meanwhile(self, function: Function) -> set[Place]:
        """What is bound anew at any time, if the function calls anything that is not known."""
        unit = self.known.unit_at(function.module, function.node.body[0])
        calls = (one for one in function.nodes if isinstance(one, ast.Call))
        found = set(self.known.rebound_at_any_time)
        return found if found and not all(computes(unit, one) for one in calls) else set()

    def spread_attributes(self, bodies: Bodies) -> None:
        """Who calls a function that writes to attributes writes to them, too: this need not wait for an analysis."""
        written = self.known.written_attributes
        pending = list(written)
        while pending:
            function = pending.pop()
            for caller in bodies.callers_of(function):
                new = written.get(caller, frozenset()) | written[function]
                if len(new) > len(written.get(caller, ())):
                    written[caller] = new
                    self.forget(caller)
                    pending.append(caller)
