"""Variables that share memory while one of them is written to, as the heap sees it.

The functional stage binds every name of an array anew that a write changes, as far as it follows which names those are.
What it is told here it has to have followed; else the function stays on NumPy.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial

from tnp_migrate.analysis.graphs import Graph, Write
from tnp_migrate.analysis.heap import ARRAY, LIKELY, OBJECT, SHARED, Node, find, is_mixed, parts_of, reachable
from tnp_migrate.analysis.passing_on import passed_on, passes_on
from tnp_migrate.analysis.reachability import and_contained, reached_aside
from tnp_migrate.analysis.repeating import names_of, repeating_nodes, written_blindly
from tnp_migrate.analysis.solver import Solution
from tnp_migrate.analysis.sources import Part, are_apart, parts_of_sources
from tnp_migrate.analysis.stores import by_node
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.ir.liveness import Liveness

_BINDS = frozenset(("copy", "parameter", "phi"))
_LEADS = frozenset(("copy", "attribute", "item", "unpack", "next", "iterate"))


@dataclass(frozen=True)
class Shared:
    """A variable whose memory is written to, at a line, while another variable has it, which is read later.

    Of a `blind` write no text shows that it is one to an array, or it cannot be followed, as a method is bound to that;
    the other is "" where nothing else has that.
    """

    written: str
    other: str
    line: int
    blind: bool


@dataclass(frozen=True)
class SharedNames:
    """By functions, each by its module and its place in it, "" for a module's own, what variables share memory.

    `repeating` are variables whose containers may hold one array twice.
    """

    by_body: Mapping[tuple[str, str], list[Shared]] = field(default_factory=dict)
    repeating: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)


def shared_names(solution: Solution) -> SharedNames:
    """The variables of each function that share memory."""
    found: dict[tuple[str, str], dict[tuple[str, str, bool], Shared]] = {}
    variables = [pair for graph in solution.graphs.values() for pair in _bound_by(graph)]
    for graph in solution.graphs.values():
        if graph.function is None and graph.body.outer is not None:
            continue  # a lambda has no statements
        key = graph.own_key
        for one in _shared_in(graph, variables):
            found.setdefault(key, {}).setdefault((one.written, one.other, one.blind), one)
    repeating = repeating_nodes(solution)
    for graph, write, register in written_blindly(solution, repeating):
        name = (_root(graph.body, _named(graph), register) if register >= 0 else "") or "a container"
        twice = Shared(name, name, getattr(write.node, "lineno", 0), blind=True)
        found.setdefault(graph.own_key, {}).setdefault((name, name, True), twice)
    for graph, store in _stored_blindly(solution):
        name = _root(graph.body, _named(graph), store.target) or "what is stored into"
        unknown = Shared(name, "", getattr(store.instruction.node, "lineno", 0), blind=True)
        found.setdefault(graph.own_key, {}).setdefault((name, "", True), unknown)
    return SharedNames({key: list(ones.values()) for key, ones in found.items()}, names_of(solution, repeating))


def _stored_blindly(solution: Solution) -> Iterator[tuple[Graph, Write]]:
    """Where something is stored into an array that a body has made, and no text shows it to be one."""
    for graph in solution.graphs.values():
        blind = {one for one in graph.blind if one.operation in ("set_item", "set_attribute")}
        for write in graph.writes if blind else ():
            if write.is_own and write.instruction in blind and find(write.nodes[0]).flags & (ARRAY | LIKELY):
                yield graph, write


def _is_named_by_text(graph: Graph, register: int) -> bool:
    """Whether a register may be an item, or what Python's own library hands on: `eval("x")`, `asyncio.run(same(x))`.

    Or what a pattern has captured.
    """
    made, pending = {register}, [register]
    while pending:
        one = graph.body.instructions[pending.pop()]
        is_named = one.operation == "item" or isinstance(one.node, ast.pattern)
        if is_named or (one.operation == "call" and passes_on(graph, one)):
            return True
        onward = set(one.operands) - made if one.operation in ("copy", "phi") else set()
        made |= onward
        pending += onward
    return False


def _bound_by(graph: Graph) -> list[tuple[str, Node]]:
    """The variables of modules that a body binds, with what they get."""
    bound = [one for one in graph.body.instructions if one.operation == "set_global"]
    return [(str(one.detail), graph.registers[one.operands[0]]) for one in bound]


def _shared_in(graph: Graph, variables: list[tuple[str, Node]]) -> Iterator[Shared]:
    writes = list(dict.fromkeys(_writes(graph)))  # one call may run many bodies
    if not writes:
        return
    named = _named(graph)
    having = _having(graph, named)
    live, loops = Liveness(graph.body), _in_loops(graph.body)
    outside = reachable(list(graph.parameters.values()))
    sources, onward = cache(partial(parts_of_sources, graph)), cache(partial(passed_on, graph))
    for instruction, node, target in writes:
        written = _root(graph.body, named, target)
        if not written or _is_number(graph, target):
            continue
        shared = partial(Shared, written, line=getattr(instruction.node, "lineno", 0), blind=instruction in graph.blind)
        is_array = _is_array(graph, node, target)
        for register, name in _read_by_functions(graph, node, instruction, live, variables) if is_array else ():
            if name != written and (register is None or not _are_apart(graph, sources, target, register)):
                yield shared(name)
        for register, name, bound in having.get(node, []) if is_array else []:
            # Of an array by the text alone what is read of the body's names: `locals()["x"]`, `eval("x")`.
            other = node.flags & ARRAY or _is_named_by_text(graph, register) or bound
            is_another = other and name != written and not _are_apart(graph, sources, target, register)
            if not is_another or (not bound and _has_it_by_slot(graph, target, register, node)):
                continue
            around = find(graph.registers[register])
            lasts = around is not node and (around in outside or around.flags & SHARED)
            if lasts or _is_read_later(graph.body, register, instruction, live, loops):
                yield shared(name, blind=bound or instruction in graph.blind)
        for given in onward(target):
            nodes = [one for one in reachable([graph.registers[given]]) if one.flags & ARRAY]
            others = [pair for one in nodes for pair in having.get(one, [])]
            if any(one in outside or one.flags & SHARED for one in nodes):
                holder = _root(graph.body, named, given) or "something out of sight"
                yield shared(holder)
            for register, name, _ in others:
                if name != written and _is_read_later(graph.body, register, instruction, live, loops):
                    yield shared(name)


def _writes(graph: Graph) -> Iterator[tuple[Instruction, Node, int]]:
    """The writes of a body and of what it calls, with the registers that they go by."""
    for write in graph.writes:
        yield from ((write.instruction, find(node), write.target) for node in write.nodes)
    cells = [one for one in graph.body.instructions if one.operation == "set_cell"]
    for call in graph.calls:
        written = call.written
        if not written:
            continue
        passed = [find(graph.registers[register]) for register in call.instruction.operands]
        for register, node in zip(call.instruction.operands, passed, strict=True):
            if node in written:
                yield call.instruction, node, register
        for one in cells:  # by the name of a variable that it shares
            bound = find(graph.registers[one.operands[0]])
            if bound in written and bound not in passed:
                yield call.instruction, bound, one.result


def _is_array(graph: Graph, node: Node, register: int) -> bool:
    """Whether a node that is written to is an array, as the heap knows or the text of what it is written by."""
    by_text = any(_is_array_by_text(graph, one) for one in _names_of(graph, register))
    if by_text and node.flags & ARRAY and not is_mixed(node):  # which may be what holds it as well
        return True
    known = by_text or node.flags & ARRAY
    return bool(known) and not node.flags & OBJECT and not node.bodies and not node.classes


def _is_array_by_text(graph: Graph, register: int) -> bool:
    text = graph.body.instructions[register].node
    value = graph.module.value(text) if text is not None else None
    if isinstance(text, ast.arg) and graph.function is not None:
        value = graph.function.arguments.get(text.arg)
    return value is not None and value.is_array


def _names_of(graph: Graph, register: int) -> list[int]:
    """A register, and those whose value it has where ways meet."""
    found = [register]
    for each in found:  # which grows meanwhile
        one = graph.body.instructions[each]
        found += [operand for operand in one.operands if operand not in found] if one.operation == "phi" else []
    return found


def _named(graph: Graph) -> dict[int, str]:
    """The variables that registers are."""
    found: dict[int, str] = {}
    for one in graph.body.instructions:
        name = one.named
        if (one.operation in _BINDS or one.operation in ("global", "cell", "set_cell")) and isinstance(name, str):
            found[one.result] = name
    return found


def _having(graph: Graph, named: Mapping[int, str]) -> dict[Node, list[tuple[int, str, bool]]]:
    """By a node the variables that have it, or a container that holds it, and whether by a method: `total = x.sum`."""
    found: dict[Node, list[tuple[int, str, bool]]] = {}
    held: dict[Node, dict[Node, None]] = {}
    bound: dict[Node, bool] = {}
    for register, name in named.items():
        node = find(graph.registers[register])
        if node not in held:
            inside = and_contained(node)
            bound[node] = any("self" in one.fields for one in inside)  # which reads what it is bound to with its parts
            held[node] = dict.fromkeys(part for one in inside for part in parts_of(one)) if bound[node] else inside
        for one in held[node]:
            found.setdefault(one, []).append((register, name, bound[node]))
    return found


def _read_by_functions(
    graph: Graph, node: Node, write: Instruction, live: Liveness, variables: list[tuple[str, Node]]
) -> Iterator[tuple[int | None, str]]:
    """The variables that a module's own statements have bound to an array before a write to it, or put it into."""
    if not isinstance(graph.body.node, ast.Module):
        return
    bound = [one for one in graph.body.instructions if one.operation == "set_global"]
    for one in bound:
        if find(graph.registers[one.operands[0]]) is node and live.may_follow(one, write):
            yield one.operands[0], str(one.detail)
    kept = [(call.instruction, one) for call in graph.calls for one in call.kept]
    before = [one for one in by_node((*graph.stores, *kept)).get(node, ()) if live.may_follow(one, write)]
    for one in before:
        if one.operation == "function":
            yield None, f"a default of {one.detail[0].name}"  # type: ignore[index]
    if before:
        yield from ((None, name) for name, held in variables if find(held) is not node and node in reachable([held]))


def _root(body: Body, named: Mapping[int, str], register: int) -> str:
    """The variable that a register has been read through; "" where there is none."""
    one = body.instructions[register]
    while one.result not in named and one.operation in _LEADS:
        one = body.instructions[one.operands[0]]
    return named.get(one.result, "")


def _are_apart(graph: Graph, sources: Callable[[int], set[Part] | None], one: int, other: int) -> bool:
    """Whether two registers surely have arrays that were made apart: a node may stand for more than one array."""
    return are_apart(sources(one), sources(other)) or _is_number(graph, other)


def _has_it_by_slot(graph: Graph, target: int, register: int, node: Node) -> bool:
    """Whether a register has an array by the attribute alone that a write binds anew: `layer.w -= d` of a list."""
    slot = graph.body.behind_copies(target)
    if slot.operation != "attribute":
        return False
    holder = find(graph.registers[slot.operands[0]])
    return node not in reached_aside([graph.registers[register]], holder, f".{slot.detail}")


def _is_number(graph: Graph, register: int) -> bool:
    """Whether a register has a number, which nothing can write to."""
    node = graph.body.instructions[register].node
    value = graph.module.value(node) if node is not None else None
    return value is not None and value.is_number


def _is_read_later(body: Body, register: int, write: Instruction, live: Liveness, loops: set[int]) -> bool:
    one = body.instructions[register]
    if one.operation in ("global", "cell"):  # each read is a register of its own
        return register > write.result or (one.block in loops and write.block in loops)
    return live.is_live_after(register, write)


def _in_loops(body: Body) -> set[int]:
    """The blocks that run more than once."""
    found: set[int] = set()
    for block in body.blocks:
        pending, seen = list(block.successors), set[int]()
        while pending and block.number not in seen:
            number = pending.pop()
            if number not in seen:
                seen.add(number)
                pending += body.blocks[number].successors
        if block.number in seen:
            found.add(block.number)
    return found
