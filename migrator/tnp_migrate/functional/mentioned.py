"""The attributes that functions mention, by all that they run, and those that code mentions which runs bit by bit."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tnp_migrate.analysis.effects import callees
from tnp_migrate.functional.fresh_attributes import is_closed
from tnp_migrate.functional.known import Known
from tnp_migrate.program.index import Function, Module
from tnp_migrate.program.nodes import asks_at_once, walk
from tnp_migrate.program.reachability import Closure

_LATER = frozenset("map filter starmap iter accumulate takewhile dropwhile groupby partial cycle chain islice".split())


def mentions_of(known: Known) -> Closure[Function | str, str | None]:
    """The bare names of attributes that functions mention; None where one runs what is not known."""
    running = known.running

    def own(function: Function) -> Iterator[str | None]:
        unit = known.unit_at(function.module, function.node.body[0])
        calls = (one for one in function.nodes if isinstance(one, ast.Call))
        yield from [] if all(is_closed(unit, one, running.tops) for one in calls) else [None]
        yield from _named_in(function.nodes)

    if running.mentions is None:
        running.mentions = running.closure(own)
    return running.mentions


def waiting_in(known: Known) -> frozenset[str | None]:
    """The attributes that are mentioned in what runs bit by bit: generators, and what `map` and the like run.

    "" where there is any such code; None where that runs what is not known.
    """
    if known.running.waiting is None:
        known.running.waiting = frozenset(_waiting_in(known))
    return known.running.waiting


def _waiting_in(known: Known) -> Iterator[str | None]:
    running = known.running
    for module in running.index.modules.values():
        for node, parent in module.names.scopes.parent.items():
            name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
            inside: list[ast.AST] = []
            if isinstance(node, ast.GeneratorExp) and not asks_at_once(parent):
                inside = [node]
            elif isinstance(node, ast.Call) and name in _LATER and not asks_at_once(parent):
                inside = [one for one in node.args if isinstance(one, ast.Lambda)]
                yield ""
                yield from mentions_of(known).of(running.lent(module, node))
            for one in inside:
                yield ""
                yield from _named_in(walk(one))
                yield from _run_in(known, module, walk(one))
    generators = [one for one in running.index.functions() if one.yields]
    yield from ("" for _ in generators)
    yield from mentions_of(known).of(generators)


def _run_in(known: Known, module: Module, nodes: Iterable[ast.AST]) -> Iterator[str | None]:
    """The attributes that calls among some nodes mention."""
    for one in nodes:
        if isinstance(one, ast.Call):
            if is_closed(known.unit_at(module, one), one, known.running.tops):
                yield from mentions_of(known).of(callees(module, known.running.index, one))
            else:
                yield None


def _named_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    return (one.attr for one in nodes if isinstance(one, ast.Attribute))
