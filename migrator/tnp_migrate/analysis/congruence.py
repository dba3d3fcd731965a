"""Which registers the text shows to have the same memory, and writes to objects of two names that it does not connect.

The functional stage brings what is written to all that the text shows to hold it: copies, views, items, and the same
attribute of the same variable. An object may have a second name of which the text does not say so, as in
`with t as u`, `for u in [t]` or `t.me`; what is bound to `u.x` is written to by `t.x[0] = 1`, then.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import cast

from tnp_migrate.analysis.graphs import Effect, Graph, Having
from tnp_migrate.analysis.heap import (
    INSTANCE,
    OBJECT,
    Node,
    arrays_held,
    find,
    is_array_or_unknown,
    is_mixed,
    is_of_project,
    label_of,
    reachable,
)
from tnp_migrate.analysis.reachability import holders_of
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness

_NAMED = frozenset(("copy", "phi", "attribute", "global", "cell"))  # results that other text names, too
_PASSING = frozenset("copy phi augmented next unpack iterate".split())
_STORING = frozenset(("set_attribute", "set_item", "append"))
_LASTING = frozenset(("parameter", "global", "cell"))  # what they lead to is read behind the body, too


class Congruence:
    """Classes of registers and of fields: equal are fields of one name of equal registers."""

    def __init__(self, graph: Graph, without: Container[Instruction] = ()) -> None:
        """Go through a body once, but for some stores."""
        self.graph = graph
        self._up = [*range(len(graph.registers))]
        self._fields: dict[int, dict[str, int]] = {}
        self._variables: dict[object, int] = {}
        self._with_name: set[int] = set()
        self._objects: dict[Node, bool] = {}
        for one in graph.body.instructions:
            self._note(one, is_left_out=one in without)

    def of(self, register: int) -> int:
        """What stands for the class of a register."""
        while self._up[register] != register:
            self._up[register] = register = self._up[self._up[register]]
        return register

    def _is_object(self, register: int) -> bool:
        node = find(self.graph.registers[register])
        if node not in self._objects:
            self._objects[node] = _is_object(node)
        return self._objects[node]

    def _field(self, register: int, label: str) -> int:
        fields = self._fields.setdefault(self.of(register), {})
        if label not in fields:
            fields[label] = len(self._up)
            self._up.append(fields[label])
        return fields[label]

    def _unite(self, first: int, second: int) -> None:
        pending = [(first, second)]
        while pending:
            one, other = map(self.of, pending.pop())
            if one == other:
                continue
            self._up[other] = one
            mine = self._fields.setdefault(one, {})
            for label, held in self._fields.pop(other, {}).items():
                if label in mine:
                    pending.append((mine[label], held))
                mine[label] = held

    def holds(self, register: int, classes: Container[int]) -> bool:
        """Whether the text shows that a register holds what one of some classes stands for."""
        return any(self.of(one) in classes for one in self._fields.get(self.of(register), {}).values())

    def _is_first_name(self, copy: Instruction) -> bool:
        """Whether an object gets its first name in the text, as in `s = f()`; `s = t` and `s = t.s` give it another."""
        given = self.graph.body.instructions[copy.operands[0]]
        if given.operation == "parameter":
            return given.detail == copy.detail
        if given.operation in _NAMED or given.result in self._with_name:
            return False
        self._with_name.add(given.result)
        return True

    def _note(self, one: Instruction, *, is_left_out: bool) -> None:
        registers = self.graph.registers
        result, operands, is_object = one.result, one.operands, self._is_object(one.result)
        if one.operation == "copy":
            if not is_object or self._is_first_name(one):
                self._unite(result, operands[0])
        elif one.operation == "phi":  # of one variable
            for operand in operands:
                self._unite(result, operand)
        elif one.operation == "attribute":
            self._unite(result, self._field(operands[0], f".{one.detail}"))
        elif one.operation == "set_attribute" and not is_left_out and not self._is_object(operands[1]):
            self._unite(operands[1], self._field(operands[0], f".{one.detail}"))
        elif one.operation in ("global", "cell"):
            self._unite(result, self._variables.setdefault((one.operation, one.detail), result))
        for holder, key, item in () if is_left_out else _items(one):
            if not self._is_object(item):
                self._unite(item, self._field(holder, label_of(key)))
        if not is_object:  # a view, or what may be the same
            behind = self.graph.body.instructions[operands[0]].operands if operands else ()  # of a method, its object
            given = [each for each in (*operands, *behind) if find(registers[each]) is find(registers[result])]
            if len({self.of(each) for each in given}) == 1:  # else no text says which of them it is
                self._unite(result, given[0])


def _items(one: Instruction) -> list[tuple[int, object, int]]:
    """What an instruction puts into or takes from containers: the container, the key, and the item."""
    if one.operation == "display":
        _, keys = cast("tuple[str, tuple[object, ...]]", one.detail)
        return [(one.result, key, item) for key, item in zip(keys, one.operands, strict=True) if key != "*"]
    if one.operation in ("append", "set_item"):
        return [(one.operands[0], one.detail if one.operation == "set_item" else None, one.operands[-1])]
    if one.operation in ("item", "next", "unpack"):
        return [(one.operands[0], None if one.operation == "next" else one.detail, one.result)]
    return []


def _is_object(node: Node) -> bool:
    """Whether something may be an instance, a class or a function: what holds arrays as attributes."""
    node = find(node)
    return is_of_project(node) or bool(node.flags & INSTANCE or (node.flags & OBJECT and arrays_held(node)))


def note_second_names(graph: Graph, live: Liveness, writes: list[Effect], having: Having) -> None:
    """Note writes to what an object holds that has names which the text does not connect, as far as others see them."""
    if not writes:
        return
    objects = {node: registers for node, registers in having.items() if _is_object(node) and len(registers) > 1}
    if not objects:
        return
    whole = Congruence(graph)
    stores: dict[Node, list[Instruction]] = {}
    for one in graph.body.instructions:
        if one.operation in _STORING:
            stores.setdefault(find(graph.registers[one.operands[-1]]), []).append(one)
    known: dict[frozenset[Instruction], Congruence] = {frozenset(): whole}
    several = {node for node, registers in objects.items() if len({whole.of(one) for one in registers}) > 1}
    slots = reachable([*several])
    held = [one for one in having if one in slots and is_array_or_unknown(one) and not is_mixed(one)]
    holders = holders_of(having) if held else {}
    for instruction, nodes, by in writes:
        for node in [one for one in held if one in nodes]:
            # What puts the array somewhere only after the write does not say that it is there.
            later = frozenset(one for one in stores.get(node, ()) if not live.may_follow(one, instruction))
            same = known.get(later) or known.setdefault(later, Congruence(graph, later))
            targets = {same.of(one) for one in by if one in having[node]}
            walked = (each for one in by if targets and one >= 0 for each in _walked(graph, one))
            targets |= {same.of(each) for each in walked if find(graph.registers[each]) is node}
            others = [one for one in having[node] if same.of(one) not in targets]
            bound = {one for one in holders.get(node, ()) if any(same.holds(r, targets) for r in having.get(one, ()))}
            others += [r for one in _around(holders, node, bound) for r in having.get(one, ())]
            if targets and any(_is_seen_after(graph, live, one, instruction) for one in others):
                graph.hold(node, instruction, instruction)


def _walked(graph: Graph, register: int) -> Iterator[int]:
    """What a loop takes a register from, where that is written out: `for p, g in zip([t.x, t.y], grads)`."""
    pending, seen = [register], {register}
    while pending:
        one = graph.body.instructions[pending.pop()]
        if one.operation == "display":
            yield from one.operands
            continue
        name = getattr(getattr(one.node, "func", None), "id", "") if one.operation == "call" else ""
        passes = one.operation in _PASSING or name in ("zip", "enumerate")
        given = one.operands if one.operation == "phi" or name else one.operands[:1]
        new = [each for each in given if passes and each not in seen]
        seen.update(new)
        pending += new


def _around(holders: dict[Node, list[Node]], node: Node, bound: set[Node]) -> Iterator[Node]:
    """What holds a node, and what holds that, and so on, but for what the text binds anew under whatever name."""
    seen = {node, *bound}
    pending = [node]
    while pending:
        for one in holders.get(pending.pop(), ()):
            if one not in seen:
                seen.add(one)
                pending.append(one)
                yield one


def _is_seen_after(graph: Graph, live: Liveness, register: int, write: Instruction) -> bool:
    if register == write.result:
        return False
    return graph.body.instructions[register].operation in _LASTING or live.is_live_after(register, write)
