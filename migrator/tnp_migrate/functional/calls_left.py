"""Calls that stay as they are, of functions that give back what they write to."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.functional.bodies import Bodies, Body
from tnp_migrate.functional.known import Known
from tnp_migrate.program.index import Function, Module

CallLeft = tuple[Module, ast.Call, list[Function]]


def calls_left(bodies: Bodies, known: Known, changed: Container[Body]) -> Iterator[CallLeft]:
    """The calls in what stays as it is which take a result of functions that give back what they write to."""
    for summary in known.summaries.values():
        for call, functions in summary.calls:
            if not isinstance(summary.module.names.scopes.parent.get(call), ast.Expr):
                giving = known.conventions.has_any(functions)
                if giving and bodies.innermost(summary.module, call) not in changed:
                    yield summary.module, call, functions


def selections(calls: Iterable[CallLeft], known: Known) -> Iterator[tuple[Module, Decision]]:
    """In what stays as it is, a call takes the first of the results that a function now has."""
    for module, call, functions in calls:
        result = known.conventions[functions[0]].result
        if result != "same":
            span = module.source.span(call)
            parts = (span, "[0]") if result == "value" else ("(", span, ", None)[1]")
            yield module, Decision(span, parts, "functional", "mutation")
