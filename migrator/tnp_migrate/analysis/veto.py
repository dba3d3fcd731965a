"""Functions that stay on NumPy because a write in one of them reaches memory that another one still has.

The functional stage takes what a call gives for the caller's alone, unless it is an argument. Where the heap says that
something else has it, too, and that it is written to, all functions that touch the memory are refused together: among
themselves they are NumPy code, in which one memory is one memory.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tnp_migrate.analysis.graphs import Graph, Hold
from tnp_migrate.analysis.heap import ARRAY, LIKELY, SHARED, Node, find, is_array_or_unknown, is_mixed, reachable
from tnp_migrate.analysis.kept_twice import kept_twice
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.regions import Regions
from tnp_migrate.analysis.solver import solve
from tnp_migrate.analysis.sources import sources_of
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import COMPREHENSIONS

_LEADS = frozenset("copy attribute item unpack next iterate rest augmented".split())
Key = tuple[str, str]  # a module, and a function in it; "" for the module's own statements


@dataclass(frozen=True, eq=False)
class Objection:
    """Why a body stays on NumPy: its node, what is wrong, and the line that it is in conflict with.

    `because` is the function on account of which it does so, where the cause is not its own.
    """

    node: ast.AST
    message: str
    other: ast.AST | None = None
    because: Key | None = None


@dataclass(eq=False)
class Veto:
    """What the heap says against translating functions of a project, as it was read."""

    regions: Regions
    summaries: Mapping[Function | Module, Summary]
    _by_key: dict[Key, list[Graph]] = field(default_factory=dict)
    _asked: set[Key] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Find graphs by what reports name."""
        for graph in self.regions.solution.graphs.values():
            self._by_key.setdefault(graph.key, []).append(graph)

    def objections(self) -> dict[Key, Objection]:
        """The functions that touch memory which a call hands out to who writes to it, or keeps it while others do."""
        found: dict[Key, Objection] = {}
        shared: set[Node] = set()  # which the same graphs touch, wherever they are met
        kept = kept_twice(self.regions.solution)
        for graph, node in [*self.regions.contested(), *self._unnoticed(), *kept]:
            if node in shared:
                continue
            shared.update([node] if node.flags & SHARED else [])
            touching = self.regions.around(graph, node)
            new = [one for one in touching if one.module.name != LIBRARY and one.key not in found]
            hold = self._hold_in(touching, graph, node) if new else None
            for one in new:
                if one.key not in found:
                    found[one.key] = _objection(one, node, hold)
        failed = set(self.regions.solution.failed)
        for graph in self.regions.solution.graphs.values():
            if graph.body.node in failed:
                found.setdefault(graph.key, Objection(graph.body.node, "it is nested too deeply to be read"))
        return found

    def _unnoticed(self) -> Iterator[tuple[Graph, Node]]:
        """Parameters that a function writes to by the heap alone: the functional stage would not give them back."""
        for graph in self.regions.solution.graphs.values():
            summary = self.summaries.get(graph.function) if graph.function is not None else None
            if summary is None or graph.body.inner:  # whose functions write to it by its name
                continue
            known = summary.mutated_parameters()
            asked = {find(one): name for name, one in graph.parameters.items() if name not in known}
            unseen = {one.instruction for one in graph.unseen}
            for instruction, nodes, by in graph.all_writes() if asked else ():
                for node in [one for one in nodes if one in asked and _is_array(one)]:
                    parameter = graph.body.parameters[asked[node]]
                    if _may_be_parameter(graph, parameter, node, by, is_unseen=instruction in unseen):
                        graph.hold(node, instruction, instruction)
                        yield graph, node

    def _hold_in(self, touching: Iterable[Graph], graph: Graph, node: Node) -> tuple[Graph, Hold] | None:
        """A hold of the memory, which says where it is handed out and where it is written to."""
        holding = [(one, hold) for one in (graph, *touching) for hold in one.holds]
        exact = [pair for pair in holding if find(pair[1].node) is node]
        return next(iter([*exact, *holding]), None)

    def around_islands(self, islands: Iterable[Key]) -> dict[Key, Objection]:
        """The functions that touch what functions on NumPy write to, or hold while it is written to.

        What comes in by a parameter that the boundary names as written to is left out: callers know it by that.
        """
        found: dict[Key, Objection] = {}
        for key in islands:
            if key in self._asked:
                continue
            self._asked.add(key)
            graphs = self._by_key.get(key, [])
            known = {find(node) for graph in graphs for node in self._known(graph)}
            for graph in graphs:
                at_stake: dict[Node, ast.AST | None] = {}
                for node, place in _at_stake(graph, known):
                    at_stake.setdefault(node, place)
                for node, place in at_stake.items():
                    around = self.regions.around(graph, node)
                    new = [one for one in around if one.module.name != LIBRARY and one.key not in found]
                    for one in new:
                        name = graph.body.name
                        message = f"it shares memory with `{name}`, which stays on NumPy and works in place"
                        here = place if one is graph else None
                        found.setdefault(one.key, Objection(one.body.node, message, here, key))
        return found

    def _known(self, graph: Graph) -> list[Node]:
        """The parameters that the boundary names as written to, but for those with a default that others hold."""
        if graph.function is None:
            return [*graph.parameters.values()]
        summary = self.summaries.get(graph.function)
        names = set(summary.mutated_parameters() if summary else ()) - graph.function.of_defaults
        return [node for name, node in graph.parameters.items() if name in names]


def _may_be_parameter(graph: Graph, parameter: int, node: Node, by: Iterable[int], *, is_unseen: bool) -> bool:
    """Whether one of the registers that a node is written to by may have the parameter's array, by a call or a pattern.

    So may all that is passed to a call of which no text shows what it runs. Other ways the functional stage follows.
    An array that is made here is none of the caller's.
    """
    known = [register for register in by if register >= 0]
    if known and not any(find(graph.registers[register]) is node for register in known):
        return True  # by an object that has it, `Thread(target=f, args=(x,))`, or by one that no text passes: `if s:`
    for register in known:
        if find(graph.registers[register]) is not node or not (is_unseen or _is_by_call(graph, register)):
            continue
        sources = sources_of(graph, register)
        if sources is None or parameter in sources:
            return True
    return False


def _is_by_call(graph: Graph, register: int) -> bool:
    """Whether what a register has was taken out of what a call gives, or a comprehension, or was bound by a pattern."""
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        if one.operation == "call" or isinstance(one.node, (ast.pattern, *COMPREHENSIONS)):
            return True
        leading = one.operands if one.operation == "phi" else one.operands[:1] if one.operation in _LEADS else ()
        pending += [each for each in leading if each not in seen]
        seen.update(leading)
    return False


def _objection(graph: Graph, node: Node, hold: tuple[Graph, Hold] | None) -> Objection:
    own = next((one for one in graph.holds if find(one.node) is node), None) or next(iter(graph.holds), None)
    if own is not None and own.conflict.node is not None:
        message = "one array is put into two places" if own.twice else "what a call hands out has another holder"
        return Objection(own.conflict.node, f"{message}, and is written to", own.call.node)
    if hold is not None and hold[1].conflict.node is not None:
        holder, conflict = hold
        line = getattr(conflict.conflict.node, "lineno", 0)
        where = f"{holder.module.source.path}:{line}"
        message = f"it shares memory that `{holder.body.name}` gets from a call, see {where}"
        return Objection(graph.body.node, message, because=holder.key)
    return Objection(graph.body.node, "it shares memory that a call hands out, and that is written to")


def _at_stake(graph: Graph, known: Container[Node]) -> Iterator[tuple[Node, ast.AST | None]]:
    """What a function on NumPy writes to or holds while a call writes to it, and that is not of its own making.

    `known` is what the boundary names as written to.
    """
    roots = dict.fromkeys(map(find, [*graph.parameters.values(), *graph.variables("cell")]))
    outside = reachable(roots)
    given = {find(here) for call in graph.calls for _, here in call.mapping}
    for instruction, node in [(write.instruction, find(one)) for write in graph.writes for one in write.nodes]:
        if _is_array(node) and node not in known and (node in outside or node in given or node.flags & SHARED):
            yield node, instruction.node
    called: list[tuple[Instruction, Node, bool]] = []
    for call in graph.calls:
        passed = {find(graph.registers[register]) for register in call.instruction.given}
        written = [node for node in call.written if node not in known and _is_array(node)]
        called += [(call.instruction, node, node in passed) for node in written]
    for instruction, node, is_passed in called:  # what an object has the call binds anew there
        if node in roots or (node in outside and is_passed) or node.flags & SHARED:
            yield node, instruction.node
    live = Liveness(graph.body)
    having = graph.having() if graph.calls else {}
    leading: dict[Node, list[int]] = {}  # by an object, too
    inside: dict[Node, dict[Node, None]] = {root: reachable([root]) for root in having}
    for register, one in enumerate(graph.registers) if graph.calls else ():
        for node in inside[find(one)]:
            leading.setdefault(node, []).append(register)
    for instruction, node, is_passed in called:
        # What is passed itself the call gives back, anew; a slot of an object that is passed it binds.
        registers = (leading if is_passed else having).get(node, ())
        if any(live.is_live_after(register, instruction) for register in registers):
            yield node, instruction.node


def _is_array(node: Node) -> bool:
    """Whether a node may be an array; what outlives calls only where something says so."""
    is_seen = bool(node.flags & (ARRAY | LIKELY)) or not node.flags & SHARED
    return is_seen and is_array_or_unknown(node) and not is_mixed(node)


def veto_of(index: Index, summaries: Mapping[Function | Module, Summary]) -> Veto:
    """Evaluate the bodies of a project."""
    bound_anew = frozenset(node for summary in summaries.values() for node in summary.bound_anew)
    return Veto(Regions(solve(index, bound_anew)), summaries)
