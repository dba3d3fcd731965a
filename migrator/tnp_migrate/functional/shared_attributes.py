"""Attributes and variables with arrays that functions on NumPy take, hand out or hold, and that are written to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.functional.bodies import Bodies, Body
from tnp_migrate.functional.known import Known, Variable
from tnp_migrate.functional.points_to import properties
from tnp_migrate.program.attributes import Attributes, attribute_name
from tnp_migrate.program.index import Function, Module
from tnp_migrate.program.nodes import walk


def given_by_special_methods(summaries: dict[Function | Module, Summary]) -> dict[str, str]:
    """Attributes whose arrays special methods give, by name: what runs such a method, and for whom, no text names."""
    found: dict[str, str] = {}
    for summary in summaries.values():
        if summary.function is not None and summary.function.node.name.startswith("__"):
            for name in sorted(name for kind, name in summary.returned if kind == "attribute"):
                found.setdefault(name, f"`{summary.function.name}` returns it")
    return found


def share_what_islands_take(known: Known, bodies: Bodies) -> None:
    """Arrays that a function on NumPy takes from a method, or names: it has a copy, which sees no later write."""
    returned, given = dict(handed_out(known)), dict(given_variables(known))
    for body in known.refused:
        place, summary = getattr(body, "name", "a module"), bodies.summary_around(body)
        functions = dict.fromkeys(function for _, functions in summary.calls for function in functions)
        functions |= dict.fromkeys(_properties_read(known, body))
        keys = {key for function in functions for key in known.written_attributes.get(function, ())}
        written = Attributes(keys)
        named = sorted(name for found in summary.aliases.values() for kind, name in found if kind == "attribute")
        for name in named if keys else ():
            if written.meet(name):
                known.shared_attributes.setdefault(name, f"`{place}` stays on NumPy and holds it")
        for function in functions:
            why = f"`{place}` stays on NumPy and takes it from `{function.name}`"
            for name in returned.get(function, ()):
                known.shared_attributes.setdefault(name, why)
            for variable in given.get(function, ()):
                known.shared_variables.setdefault((variable.scope, variable.name), why)


def _properties_read(known: Known, body: Body) -> Iterator[Function]:
    """The properties that a body may read."""
    unit = known.unit_at(body.module, body.node) if isinstance(body, Function) else None
    for node in walk(body.node) if isinstance(body, Function) else ():
        yield from properties(unit, node) if unit is not None and isinstance(node, ast.Attribute) else ()


def handed_out(known: Known) -> Iterator[tuple[Function, list[str]]]:
    """The functions that return attributes which are written to, with the attributes' keys."""
    keys = {key for keys in known.written_attributes.values() for key in keys}
    written = Attributes(keys)
    for body, summary in known.summaries.items() if keys else ():
        returned = sorted(name for kind, name in summary.returned if kind == "attribute")
        names = [name for name in returned if written.meet(name)]
        if isinstance(body, Function) and names:
            yield body, names


def taken_in(known: Known) -> Iterator[tuple[Function, str, str]]:
    """The functions that keep a parameter in an attribute which is written to, with both names."""
    written = Attributes({key for keys in known.written_attributes.values() for key in keys})
    for body, summary in known.summaries.items():
        if not isinstance(body, Function):
            continue
        given = {(name, attribute_name(key)) for key, name in _parameters_kept(summary) if written.meet(key)}
        yield from ((body, name, attribute) for name, attribute in sorted(given))


def given_variables(known: Known) -> Iterator[tuple[Function, list[Variable]]]:
    """The functions that return arrays of the module which are written to."""
    for function, (variables, _) in known.gives.items():
        names = [one for one in variables if one.scope.kind == "module" and known.is_written(*one[:2])]
        if names:
            yield function, sorted(names, key=lambda one: one.name)


def _parameters_kept(summary: Summary) -> Iterator[tuple[str, str]]:
    """The attributes, by their keys, that a function binds parameters to, with these."""
    for key, roots in summary.aliases.items() if summary.function is not None else ():
        for kind, name in roots if key.startswith(".") else ():
            if kind == "parameter":
                yield key[1:], name
