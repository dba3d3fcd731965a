"""Containers that may hold one array twice: a write by the one item is one to the other, which stays as it was.

An array gets into a container twice where it was made once and two places of text put it there, or one that runs
more often than what has made it. Of a container that nothing is known of, any two items may be one array.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tnp_migrate.analysis.assigned_attributes import behind, binds_what_it_had
from tnp_migrate.analysis.graphs import Call, Graph
from tnp_migrate.analysis.heap import (
    ARRAY,
    FOREIGN,
    MADE,
    OBJECT,
    OPAQUE,
    PASSED,
    SHARED,
    STORED,
    Node,
    find,
    is_array_or_unknown,
)
from tnp_migrate.analysis.placing import REMOVING, Placing
from tnp_migrate.analysis.reachability import callers_of
from tnp_migrate.analysis.solver import Solution
from tnp_migrate.ir.instructions import Instruction

_ONCE = frozenset("list tuple set dict sorted reversed zip enumerate copy deepcopy items keys values".split())
_TAKING = frozenset("append insert add extend update setdefault appendleft extendleft __setitem__".split())
_ANY = "any"
_Given: TypeAlias = "tuple[int, int, Node, list[Node]]"  # the place of a register, the register, what it has, arrays


@dataclass(frozen=True)
class _Item:
    """An instruction that puts an array into a container; `register` has the array, or `source` that holds it."""

    instruction: Instruction
    register: int
    node: Node
    container: Node
    place: object
    source: Node
    is_many: bool = False


def repeating_nodes(solution: Solution) -> dict[Graph, set[Node]]:
    """By bodies the containers in them that hold one array twice; what callees fill, those that call them have."""
    graphs = [*solution.graphs.values()]
    items = {graph: [*_items(graph)] for graph in graphs}
    found = {graph: _onward(items[graph], {*_filled_twice(graph, items[graph])}) for graph in graphs}
    for caller, new in _carried(solution, found):
        found[caller] = _onward(items[caller], found[caller] | new)
    return found


def written_blindly(solution: Solution, known: Mapping[Graph, set[Node]]) -> Iterator[tuple[Graph, Instruction, int]]:
    """Where items of such containers are written to by operators, of which no text says that they are arrays.

    With the registers of the containers; -1 where a call reaches one by what holds it.
    """
    written = {graph: dict(_item_operators(graph)) for graph in solution.graphs.values()}
    found = {graph: {*ones.values()} for graph, ones in written.items()}
    for caller, new in _carried(solution, found):
        found[caller] = found[caller] | new
    for graph, nodes in known.items():
        repeated = {one for one in nodes if one.flags & OBJECT and not one.flags & ARRAY}  # of others a caller knows
        for one, container in written[graph].items():
            if container in repeated:
                yield graph, one, graph.body.instructions[one.operands[0]].operands[0]
        for call in graph.calls if repeated else ():
            for node in [one for one in dict.fromkeys(call.here(found[call.callee])) if one in repeated]:
                given = (each for each in call.instruction.operands if find(graph.registers[each]) is node)
                yield graph, call.instruction, next(given, -1)


def _item_operators(graph: Graph) -> Iterator[tuple[Instruction, Node]]:
    """The operators that work on items in place of which nothing says that they are arrays, with their containers."""
    for one in graph.blind:
        item = graph.body.instructions[one.operands[0]]
        if one.operation == "augmented" and item.operation == "item":
            yield one, find(graph.registers[item.operands[0]])


def names_of(solution: Solution, known: Mapping[Graph, set[Node]]) -> dict[tuple[str, str], frozenset[str]]:
    """The variables of each function, by its module and its place in it, that have such containers, or may have.

    And what is read at dots, `net.params`, but for what callers pass and know.
    """
    found: dict[tuple[str, str], set[str]] = {}
    for graph in solution.graphs.values():
        names = found.setdefault(graph.own_key, set())
        for one in graph.body.instructions:
            name = one.named
            if one.operation in ("copy", "phi", "set_cell", "set_global", "cell", "global") and isinstance(name, str):
                node = find(graph.registers[one.operands[0] if one.operation[:4] == "set_" else one.result])
                if node in known[graph] or _is_unknown(node):
                    names.add(name)
            elif one.operation == "attribute" and isinstance(one.node, ast.Attribute):
                node = find(graph.registers[one.result])
                if node in known[graph] or (_is_unknown(node) and not node.flags & PASSED):
                    names.add(_dotted(one.node))
    return {key: frozenset(names) for key, names in found.items()}


def _dotted(node: ast.expr) -> str:
    """What stands at dots as it is written; nothing where it begins with something else than a name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _is_unknown(node: Node) -> bool:
    """Whether nothing says which arrays a container holds."""
    is_foreign = node.flags & FOREIGN and not node.flags & MADE
    return not node.flags & OBJECT or bool(node.flags & OPAQUE or is_foreign)


def _carried(solution: Solution, found: Mapping[Graph, set[Node]]) -> Iterator[tuple[Graph, set[Node]]]:
    """What nodes of callees are for those that call them, until nothing new is found: the caller takes it over."""
    callers = callers_of(solution.graphs.values())
    pending = dict.fromkeys(graph for graph, nodes in found.items() if nodes)
    while pending:
        callee = next(iter(pending))
        del pending[callee]
        for caller, call in callers.get(callee, ()):
            new = {*call.here(found[callee])} - found[caller]
            if new:
                pending[caller] = None
                yield caller, new


def _onward(items: list[_Item], found: set[Node]) -> set[Node]:
    """Some containers, and those that get the items of one of them."""
    while new := {one.container for one in items if one.source in found} - found:
        found |= new
    return found


def _filled_twice(graph: Graph, items: list[_Item]) -> Iterator[Node]:
    """The containers that a body itself puts one array into twice."""
    placing, made_in = Placing(graph, cells_last=False), _blocks_making(graph)
    places: dict[tuple[Node, Node], set[object]] = {}  # by array and container
    first: dict[tuple[object, Node, Node], object] = {}  # by what has made the array, too
    for one in items:
        filled = places.setdefault((one.node, one.container), set())
        filled.add(one.place)
        if _was_inside(graph, one):
            yield one.container
        for maker in _makers(graph, placing, one):
            place = first.setdefault((maker, one.node, one.container), one.place)
            if one.is_many or place != one.place or _runs_again(graph, one, maker, made_in):
                yield one.container
        if len(filled) > 1 and (_ANY, one.node, one.container) in first:
            yield one.container


def _was_inside(graph: Graph, one: _Item) -> bool:
    """Whether what is put into a container was read of it, by another key maybe: `d["b"] = d["a"]`."""
    if one.instruction.operation not in ("set_item", "append", "call"):
        return False
    body, is_item = graph.body, one.instruction.operation == "set_item"
    key = body.behind_copies(one.instruction.operands[1]) if is_item else None
    pending, seen = [one.register], {one.register}
    while pending:
        read = body.instructions[pending.pop()]
        if read.result in graph.fresh or read.result in graph.copied:
            continue
        given = (*read.operands, body.receiver(read)) if read.operation == "call" else read.operands
        if any(find(graph.registers[each]) is one.container for each in given):
            if _leaves_it(read) and not (read.operation == "item" and _is_same(body.behind_copies(given[1]), key)):
                return True
            continue
        new = [each for each in given if each not in seen and find(graph.registers[each]) is one.node]
        seen.update(new)
        pending += new
    return False


def _leaves_it(read: Instruction) -> bool:
    """Whether what is read of a container stays in it, too."""
    return getattr(getattr(read.node, "func", None), "attr", "") not in REMOVING


def _is_same(one: Instruction, other: Instruction | None) -> bool:
    """Whether two keys are the same one."""
    constants = other is not None and one.operation == other.operation == "constant"
    return one is other or (constants and other is not None and one.detail == other.detail)


def _makers(graph: Graph, placing: Placing, one: _Item) -> Iterator[object]:
    """What has made an array, by instructions, or has led to it; `_ANY` where it is one of several that were made."""
    row = graph.body.behind_copies(one.register)
    if row.operation == "next" and find(graph.registers[row.operands[0]]) is one.node:
        yield row.result  # the rows of an array are apart
        return
    origin = placing.origin(one.register, one.node)
    known = [maker for maker in origin.makers if find(graph.registers[maker]) is one.node]
    yield from (*known, *origin.surroundings)
    if one.node.flags & SHARED or len(known) < len(origin.makers) or not (known or origin.surroundings):
        yield _ANY


def _blocks_making(graph: Graph) -> dict[Node, set[int]]:
    """By what displays and libraries make the blocks that do."""
    found: dict[Node, set[int]] = {}
    made = set(graph.made)
    for one in graph.body.instructions:
        if one.operation == "display" or one.result in made:
            found.setdefault(find(graph.registers[one.result]), set()).add(one.block)
    return found


def _runs_again(graph: Graph, one: _Item, maker: object, made_in: Mapping[Node, set[int]]) -> bool:
    """Whether an instruction may put what was made once into one container again."""
    start = one.instruction.block
    if find(graph.registers[one.instruction.result]) is one.container:
        return False  # which it makes
    own = {graph.body.instructions[maker].block} if isinstance(maker, int) else set()
    return start in behind(graph.body, start, made_in.get(one.container, set()) | own)


def _items(graph: Graph) -> Iterator[_Item]:
    """What the instructions of a body put into containers."""
    calls: dict[Instruction, list[Call]] = {}
    for call in graph.calls:
        calls.setdefault(call.instruction, []).append(call)
    for one in graph.body.instructions:
        into = find(graph.registers[one.result])
        if one.fills and into.flags & OBJECT:
            is_many = one.operation in ("operator", "augmented") and one.detail == "Mult"
            yield from _held(graph, one, one.operands, into, is_many=is_many)
        elif one.operation == "append":
            yield from _held(graph, one, one.operands[1:], find(graph.registers[one.operands[0]]))
        elif one.operation == "set_item" and not binds_what_it_had(graph, one):
            yield from _held(graph, one, one.operands[2:], find(graph.registers[one.operands[0]]))
        elif one.operation == "call":
            if one in calls:
                yield from _by_call(graph, one, calls[one])
            else:
                yield from _by_library(graph, one, into)


def _held(
    graph: Graph, one: Instruction, registers: tuple[int, ...], into: Node, *, is_many: bool = False
) -> Iterator[_Item]:
    """What goes into a container: what it is given, or the items of that."""
    yield from _put(one, _arrays_given(graph, registers), into, is_many=is_many)


def _arrays_given(graph: Graph, registers: tuple[int, ...]) -> list[_Given]:
    """The arrays that registers have, and those in what they have."""
    found = []
    for position, register in enumerate(registers):
        given = find(graph.registers[register])
        inside = [find(held) for label, held in given.fields.items() if label[0] == "["] if given.flags & OBJECT else []
        nodes = [node for node in dict.fromkeys((given, *inside)) if is_array_or_unknown(node)]
        found.append((position, register, given, nodes))
    return found


def _put(one: Instruction, given: list[_Given], into: Node, *, is_many: bool = False) -> Iterator[_Item]:
    items = {find(held) for label, held in into.fields.items() if label[0] == "["}
    for position, register, source, nodes in given if items else ():
        for node in nodes:
            if node in items:
                yield _Item(one, register, node, into, (one.result, position), source, is_many=is_many)


def _by_call(graph: Graph, one: Instruction, calls: list[Call]) -> Iterator[_Item]:
    """What bodies of the project put into containers of what they are passed, and of what they make."""
    given = _arrays_given(graph, one.operands[1:])
    arrays = {node for *_, nodes in given for node in nodes}
    for call in calls if arrays else ():
        stored = arrays.intersection([find(here) for _, here in call.flagged(STORED)])
        containers = dict.fromkeys(each for _, here in call.mapping if (each := find(here)).flags & OBJECT)
        for into in containers if stored else ():
            for item in _put(one, given, into):
                if item.node in stored and find(graph.registers[item.register]) is not into:
                    yield item


def _by_library(graph: Graph, one: Instruction, made: Node) -> Iterator[_Item]:
    """What a library puts into what it makes, or into the container that its method is called on."""
    func = getattr(one.node, "func", None)
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    method = graph.body.instructions[one.operands[0]]
    if method.operation == "attribute" and name in _TAKING:
        into = find(graph.registers[method.operands[0]])
        yield from _held(graph, one, one.operands[1:], into)
    elif made.flags & OBJECT:
        given = (*method.operands, *one.operands[1:]) if method.operation == "attribute" else one.operands[1:]
        yield from _held(graph, one, given, made, is_many=name not in _ONCE)
