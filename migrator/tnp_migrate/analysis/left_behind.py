"""Arrays that are written to after something else has got them: what has them keeps what was before the write.

A write by a name binds the name anew. The functional stage knows what else the text of the body puts the array into;
what a call puts into an object, or a store that no rule of it follows, it does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property, partial

from tnp_migrate.analysis.graphs import Call, Effect, Graph, Having
from tnp_migrate.analysis.heap import (
    OBJECT,
    OF,
    SHARED,
    STORED,
    Node,
    find,
    is_array_or_unknown,
    is_mixed,
    is_of_project,
    reachable,
)
from tnp_migrate.analysis.reachability import Reachable, contained_in
from tnp_migrate.analysis.stores import by_node, filled_by, is_given_alone
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.numpy_facts.signatures import kept_by
from tnp_migrate.program.names import is_numpy

_SAME = frozenset("copy phi either item attribute unpack augmented await".split())
_FOLLOWED = frozenset("set_item append display augmented".split())
_BY_TEXT = frozenset("eval locals vars globals".split())


def note_left_behind(graph: Graph, live: Liveness, writes: list[Effect], having: Having) -> None:
    """Hold what is written to after something else has got it."""
    unseen, put = by_node(graph.kept), by_node(_put(graph))
    if not unseen and not put:
        return
    names = _Names(graph, live, having)
    for instruction, nodes, by in writes:
        for node in [one for one in nodes if (one in unseen or one in put) and not is_mixed(one)]:
            registers = by if names.have(by, node) else names.out_of_sight(node, instruction, by)
            old = partial(names.are_other, node=node, write=instruction)
            earlier = partial(_is_earlier, live=live, write=instruction)
            puts = (one for one in put.get(node, ()) if earlier(one) and any(old(each, put=one) for each in registers))
            first = next((one for one in unseen.get(node, ()) if earlier(one)), None) or next(puts, None)
            if first is None and node in put and not any(map(names.is_of_table, by)):
                puts = (one for one in put[node] if earlier(one) and names.are_left(node, one, instruction, by))
                first = next(puts, None)
            if first is not None:
                graph.hold(node, first, instruction)


def _is_earlier(one: Instruction, live: Liveness, write: Instruction) -> bool:
    return one is not write and live.may_follow(one, write)


def put_by(graph: Graph, *, cells_last: bool) -> list[Node]:
    """What a body and what it calls put into objects; `cells_last` says that functions keep the cells of the body."""
    ends = not cells_last
    found = [
        node for one, node in graph.stores if not (_binds_again(graph, one) or (ends and _is_own_cell(graph, one)))
    ]
    found += [node for _, node in graph.kept]
    containers = [node for node in map(find, found) if node.flags & OBJECT and not is_of_project(node)]
    found += [one for one in reachable(containers) if is_array_or_unknown(one)]
    return [*found, *(node for call in graph.calls for node in call.kept_behind)]


def lasting_puts(graph: Graph) -> list[Node]:
    """What a body and what it calls put into something that callers have, or that outlives the call."""
    outside = reachable(graph.parameters.values())
    found = [find(node) for _, node in graph.kept]
    found += [find(node) for store, node in graph.stores if not is_given_alone(graph, store, outside)]
    found += [node for call in graph.calls for node in call.here(call.callee.lasting_puts)]
    return list(dict.fromkeys(found))


def hidden_stores(graph: Graph) -> Iterator[tuple[Instruction, Node]]:
    """What the body or what it calls puts into objects where no rule of the functional stage follows it."""
    yield from graph.kept
    yield from (
        pair for pair in graph.stores if pair[0].operation != "set_attribute" and not _is_followed(graph, pair[0])
    )
    unshown = graph.unshown()
    for call in graph.calls:
        within = (node for _, node in call.callee.hidden_stores)
        put = call.kept_behind if call.instruction in unshown else call.here(within)
        yield from ((call.instruction, node) for node in put)


def _put(graph: Graph) -> Iterator[tuple[Instruction, Node]]:
    """What is put into objects by the body and by what it calls, and what libraries' objects are made with."""
    stored = [pair for pair in graph.stores if not _is_followed(graph, pair[0])]
    for instruction, node in (*graph.kept, *stored):
        yield from ((instruction, one) for one in _arrays_in(node))
    for call in graph.calls:
        own = _made_for_attributes(call)
        for node in [one for one in call.kept_behind if one not in own]:
            inside = [node] if is_of_project(node) else contained_in([node])  # what objects in it have, these write to
            yield from ((call.instruction, one) for one in inside if is_array_or_unknown(one))
    for register in graph.made:
        one, made = graph.body.instructions[register], find(graph.registers[register])
        if one.operation == "call" and made.flags & OBJECT:
            held = {find(node) for node in made.fields.values()}
            given = [find(graph.registers[operand]) for operand in one.operands[1:]]
            yield from ((one, node) for node in given if node in held and is_array_or_unknown(node))


def _made_for_attributes(call: Call) -> set[Node]:
    """What a call has made for the attribute that it binds to it: nothing but the object's slot has that."""
    stored = [(there in call.callee.rebound, find(here)) for there, here in call.flagged(STORED)]
    return {here for made, here in stored if made} - {here for made, here in stored if not made}


def _arrays_in(node: Node) -> Iterator[Node]:
    """An array, or those in a container."""
    return (one for one in reachable([node]) if is_array_or_unknown(one)) if find(node).flags & OBJECT else iter([node])


def _is_followed(graph: Graph, one: Instruction) -> bool:
    """Whether the functional stage knows by the text of a store what has the array from then on."""
    if _binds_again(graph, one) or _is_own_cell(graph, one):  # a variable of the body itself is bound anew
        return True
    if one.operation == "set_global":
        return isinstance(graph.body.node, ast.Module)
    if not one.operands:
        return one.operation in _FOLLOWED
    if OF in find(graph.registers[filled_by(graph, one)]).fields:
        return False
    if not isinstance(one.node, ast.Call) or not isinstance(one.node.func, ast.Attribute):
        return one.operation in _FOLLOWED
    return bool(kept_by(one.node)) and graph.module.names.of(one.node.func, graph.body.scope) is None  # a container's


def _is_own_cell(graph: Graph, one: Instruction) -> bool:
    return one.operation == "set_cell" and isinstance(one.detail, tuple) and one.detail[0] is graph.body.scope


def _binds_again(graph: Graph, one: Instruction) -> bool:
    """Whether a store binds the slot that it has read, as in `self.x += 1`."""
    is_slot = one.node is None and one.operation in ("set_attribute", "set_item")
    return is_slot and graph.body.instructions[one.operands[-1]].operation == "augmented"


class _Names:
    """By which names the registers of a body have arrays."""

    def __init__(self, graph: Graph, live: Liveness, having: Having) -> None:
        self.graph = graph
        self.live = live
        self.having = having
        self._involved: dict[Instruction, dict[Node, None]] = {}
        self._inside = Reachable()

    def have(self, by: Iterable[int], node: Node) -> bool:
        """Whether one of some registers has an array."""
        return any(register >= 0 and find(self.graph.registers[register]) is node for register in by)

    def out_of_sight(self, node: Node, write: Instruction, by: Iterable[int]) -> tuple[int, ...]:
        """The registers that have an array which a call of a function writes to by what it shares with the body.

        That is a variable, or what one leads to, or a class. What an object that is passed leads to is in sight, and
        so is what the call gives.
        """
        registers = self.graph.registers
        captured = tuple(register for register in self._captured if find(registers[register]) is node)
        is_named = isinstance(getattr(write.node, "func", None), ast.Name)  # methods are followed by their objects
        seen = [registers[register] for register in (*by, write.result) if register >= 0]
        if captured or not is_named or node in reachable(seen):
            return captured
        return tuple(register for register in self.having.get(node, ()) if self.live.is_live_after(register, write))

    @cached_property
    def _captured(self) -> dict[int, None]:
        """The registers that variables have which functions in the body read."""
        stores = (one for one in self.graph.body.instructions if one.operation == "set_cell")
        return dict.fromkeys(one.operands[0] for one in stores)

    def are_left(self, node: Node, put: Instruction, write: Instruction, by: Iterable[int]) -> bool:
        """Whether names, or what they hold, have an array after a write by what a store has put it into."""
        for register, root in enumerate(map(find, self.graph.registers)):
            if node not in self._inside.of([root]) or register in by or register == write.result:
                continue
            if root is not node and (root.flags & SHARED or not self._leads_past(root, node, put)):
                continue
            is_read = register in self._captured or self.live.is_live_after(register, write)
            if is_read and (root is not node or self.are_other(register, node, put, write)):
                return True
        return False

    def _leads_past(self, root: Node, node: Node, put: Instruction) -> bool:
        """Whether something leads to an array not only by what a store has put it into."""
        passed_by = {one: None for one in self._involved_in(put) if one is not node}
        return node in reachable([root], passed_by)

    def are_other(self, register: int, node: Node, put: Instruction, write: Instruction) -> bool:
        """Whether a write by a register is to what was stored before, by another name than what has it since."""
        pending, seen = [register] if self.have([register], node) else [], {register}
        is_other = is_old = False
        while pending:
            one = self.graph.body.instructions[pending.pop()]
            had = find(self.graph.registers[one.result])
            is_old = is_old or self.live.may_follow_with(one.result, put, write)
            if had is not node:
                is_other = is_other or not (had.flags & SHARED or had in self._involved_in(put))
            elif one.operation not in _SAME or self._adds_to_number(one):
                is_other = is_other or one.operation not in ("global", "cell")
            onward = [operand for operand in self._onward(one, node) if operand not in seen]
            pending += onward
            seen.update(onward)
        return is_other and is_old

    def _adds_to_number(self, one: Instruction) -> bool:
        """Whether an operator in place makes an array, as of a number and an array: `total = 0`, `total += x`."""
        target = self.graph.module.value(one.node.target) if isinstance(one.node, ast.AugAssign) else None
        return target is not None and (target.kind == "scalar" or target.beside is not None)

    def _onward(self, one: Instruction, node: Node) -> Iterable[int]:
        """What an array may have come from: names, what holds it, or all variables where a text names one."""
        instructions = self.graph.body.instructions
        called = one.node.func if isinstance(one.node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in _BY_TEXT:
            return [each.result for each in instructions if each.result < one.result and self.have([each.result], node)]
        given = [*one.operands]
        if one.operation == "call":
            if one.result in self.graph.fresh or self._is_of_others(one):
                return []
            given.append(self.graph.body.receiver(one))
        elif one.operation == "display":
            given += self._put_into.get(one.result, ())
        return [each for each in given if node in self._inside.of([self.graph.registers[each]])]

    def is_of_table(self, register: int) -> bool:
        """Whether a register has what another library has made, or a part of that, which may be a copy."""
        one = self.graph.body.behind_copies(register) if register >= 0 else None
        while one is not None and one.operation in ("attribute", "item"):
            one = self.graph.body.behind_copies(one.operands[0])
        return one is not None and one.operation == "call" and self._is_of_others(one)

    def _is_of_others(self, call: Instruction) -> bool:
        """Whether another library than NumPy and Python's own makes something of what it is given: a table, a plot."""
        func = call.node.func if isinstance(call.node, ast.Call) else None
        qualified = self.graph.module.names.of(func, self.graph.body.scope) if func is not None else None
        made = self.graph.module.value(call.node) if call.node is not None else None
        return made is not None and made.library is not None and not is_numpy(qualified or "")

    @cached_property
    def _put_into(self) -> dict[int, list[int]]:
        """What is put into displays: the items of a comprehension, and what is stored into them later."""
        found: dict[int, list[int]] = {}
        for one in dict.fromkeys(store for store, _ in (*self.graph.stores, *self.graph.kept) if store.operands):
            receiver = filled_by(self.graph, one)
            is_method = one.operation != "call" or receiver != one.operands[0]
            for into in [receiver] if is_method else one.operands[1:]:  # `heappush(rows, x)`
                made = self.graph.body.behind_copies(into)
                found.setdefault(made.result, []).extend(each for each in one.operands[1:] if each != into)
        return found

    def _involved_in(self, put: Instruction) -> dict[Node, None]:
        """What a store may have put something into."""
        if put not in self._involved:
            instructions, registers = self.graph.body.instructions, self.graph.registers
            method = instructions[put.operands[0]] if put.operation == "call" else put
            given = [here for call in self.graph.calls if call.instruction is put for _, here in call.mapping]
            roots = [registers[one] for one in (put.result, *put.operands, *method.operands)]
            self._involved[put] = reachable([*roots, *given])
        return self._involved[put]
