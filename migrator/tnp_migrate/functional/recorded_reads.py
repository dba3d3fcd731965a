"""What the analysis of a body asks about others, by which it is known whether it has to be done again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tnp_migrate.functional.bodies import Bodies, Body
from tnp_migrate.functional.points_to import Known
from tnp_migrate.program.index import Function
from tnp_migrate.program.scopes import Scope


@dataclass(eq=False)
class Settling:
    """The state of a project's bodies as others see it."""

    bodies: Bodies
    known: Known
    states: dict[Body, tuple[object, ...]] = field(default_factory=dict)
    runners: dict[Function, set[Function]] = field(default_factory=dict)  # of each function: which come by its calls

    def around(self, body: Body) -> tuple[object, ...]:
        """All that the analysis of a body asks about others: while this is equal, so is what comes of it."""
        states = tuple(self.state(one) for one in self.bodies.around(body))
        named = self.bodies.names_of(body)
        shared = tuple({name: count[name] for name in count.keys() & named} for count in self.known.shared_names())
        asked = self.known.asked.get(body) if isinstance(body, Function) else None
        return states, shared, self._rebound_around(body), asked

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

    def _rebound_around(self, body: Body) -> frozenset[tuple[Scope, str]]:
        """The variables that a body sees, and that the functions which it asks about bind to something else."""
        functions = (one for one in self.bodies.around(body) if isinstance(one, Function))
        found = {each for one in functions for each in self.known.rebinds.get(one, ())}
        inside = body.scope if isinstance(body, Function) else body.names.scopes.module
        return frozenset((scope, name) for scope, name in found if inside.owner(name) is scope)

    def note_rebinds(self, function: Function, variables: frozenset[tuple[Scope, str]]) -> None:
        """Note which variables a function binds to something else, itself or by what it runs."""
        self.known.rebinds[function] = variables
        if variables and self.known.running.why_unknown(function) is not None:
            self.known.rebound_at_any_time |= variables

    def note_runs(self, function: Function, functions: Iterable[Function]) -> None:
        """Note which functions a function runs."""
        for one in functions:
            self.runners.setdefault(one, set()).add(function)

    def spread_rebinds(self, function: Function) -> bool:
        """Who runs a function that binds variables anew does so, too: this need not wait for an analysis."""
        rebinds = self.known.rebinds
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
