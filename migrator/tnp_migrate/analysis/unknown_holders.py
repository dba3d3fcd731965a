"""Writes to arrays of which it is not known what else has them, and calls of which it is not known what they run.

The heap unifies what may be one object. A node that stands for objects of very many kinds says nothing of any of them,
and no function is refused on its account: the lines that hang on it are said instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from tnp_migrate.analysis.graphs import Call, Deferred, Graph
from tnp_migrate.analysis.heap import ARRAY, MANY_KINDS, STORED, WRITTEN, Node, find, is_anything
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.own_arrays import OwnArrays
from tnp_migrate.analysis.passing_on import is_builtin
from tnp_migrate.analysis.reachability import Reachable
from tnp_migrate.analysis.regions import Regions

Said: TypeAlias = tuple[Graph, ast.expr | ast.stmt, str]  # a body, a place in it, and what is not known there
_DEFINED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, eq=False)
class Unknown:
    """An expression or statement of a body that hangs on what is not known, and what that is."""

    key: tuple[str, str]  # the module, and the outermost function; "" for the module's own statements
    node: ast.expr | ast.stmt
    message: str


def unknown_holders(regions: Regions) -> list[Unknown]:
    """What hangs on nodes that say nothing, in all bodies of a project: by each line the first."""
    found: dict[tuple[str, int], Unknown] = {}
    calls = _Calls(regions)
    for graph in regions.solution.graphs.values():
        if graph.module.name != LIBRARY:
            for home, node, message in [*_writes(graph), *calls.of(graph)]:
                found.setdefault((home.module.name, node.lineno), Unknown(home.key, node, message))
    return [*found.values()]


def _writes(graph: Graph) -> Iterator[Said]:
    arrays = OwnArrays(graph)
    own = [(one.instruction, one.nodes, (one.target,)) for one in graph.writes]
    called = [(one.instruction, _written_by(one), one.instruction.operands) for one in graph.calls]
    for instruction, nodes, by in [*own, *called]:
        lost = {find(node) for node in nodes if _is_lost(node)}
        node = instruction.node
        if not isinstance(node, ast.expr | ast.stmt) or not lost:
            continue
        written = [one for one in by if find(graph.registers[one]) in lost]
        if not all(arrays.has_no_other_holder(one, instruction) for one in written):
            message = (
                f"what is written to here stands beside objects of more than {MANY_KINDS} kinds: what else has "
                "the array is not known, and does not see the write"
            )
            yield graph, node, message


def _written_by(call: Call) -> list[Node]:
    """What a call writes to; what is lost in what is called as well is said there."""
    return [here for there, here in call.mapping if find(there).flags & WRITTEN and not _is_lost(there)]


def _is_lost(node: Node) -> bool:
    node = find(node)
    return bool(node.flags & ARRAY) and is_anything(node)


@dataclass
class _Calls:
    """Calls of which so many functions are meant that none is followed, in the bodies of a project."""

    regions: Regions
    _inside: Reachable = field(default_factory=Reachable)
    _said: dict[Deferred, None] = field(default_factory=dict)  # a call may have been handed on to many callers

    def of(self, graph: Graph) -> Iterator[Said]:
        """Those of a body, and those that have been handed on to it, where they stand."""
        for one in graph.deferred:
            for home, first in (one.origin or (graph, one), *one.others) if one.left else ():
                call = first.instruction.node
                if first in self._said or not isinstance(call, ast.Call):
                    continue
                if not self._is_unnamed(home, first) or not self._is_at_stake(one):
                    continue
                self._said[first] = None
                message = (
                    f"any of {len(one.left)} functions may run here: what it writes to, keeps or hands out is not "
                    "followed, and what else has such an array does not see the write"
                )
                yield home, call, message

    @cached_property
    def _bound(self) -> set[object]:
        """The names of attributes that are bound by a dot, or in a class: methods of a name are followed all."""
        solution = self.regions.solution
        stores = (one for graph in solution.graphs.values() for one in graph.body.instructions)
        stored = (one for one in stores if one.operation == "set_attribute" and not isinstance(one.node, _DEFINED))
        classes = (one for module in solution.slots.index.modules.values() for one in module.classes.values())
        return {one.detail for one in stored}.union(*(one.scope.bound - one.methods.keys() for one in classes))

    @cached_property
    def _passed(self) -> set[Node]:
        """What callers pass arrays as, and what that is handed on as."""
        callees = self.regions.callees
        pending = [node for node in callees if node.flags & ARRAY]
        found = {*pending}
        while pending:
            news = callees.get(pending.pop(), {}).keys() - found
            found |= news
            pending += news
        return found

    def _is_unnamed(self, graph: Graph, one: Deferred) -> bool:
        """Whether the text does not say what runs, where that is called or passed."""
        here = [each for each in one.instruction.operands if find(graph.registers[each]) is find(one.function)]
        places = [graph.body.instructions[each].node for each in here]
        return not any(self._says_what(graph, each) for each in places if isinstance(each, ast.expr))

    def _says_what(self, graph: Graph, function: ast.expr) -> bool:
        value = graph.module.value(function)
        is_known = value is not None and value.kind in ("function", "class")
        if is_known or graph.module.names.of(function, graph.body.scope) is not None:
            return True
        if isinstance(function, ast.Attribute):
            return function.attr not in self._bound
        return isinstance(function, ast.Name) and is_builtin(graph, function)

    def _is_at_stake(self, one: Deferred) -> bool:
        """Whether an array is passed that may be written to, kept or given, or is in conflict with what is done."""
        around = (*one.conflicts.if_kept, *one.conflicts.if_had, *one.conflicts.if_given_back)
        if any(find(node).flags & ARRAY for node in around):
            return True
        given = self._inside.of([node for _, node in one.arguments])
        if not any(node.flags & ARRAY or node in self._passed for node in given):
            return False
        return any(self._uses(self.regions.solution.graphs[body]) for body in one.left)

    def _uses(self, graph: Graph) -> bool:
        """Whether a function may write to what it is given, keep it or give it back."""
        given_back = self._inside.of(graph.results)
        given = self._inside.of(graph.parameters.values())
        return any(node.flags & (WRITTEN | STORED) or node in given_back for node in given)
