"""Attributes that a body has bound to arrays of its own: `self.x = np.zeros(3)`, `self.x[0] = 1`.

Such a write comes before anything has the array but the attribute, if nothing has looked at its object since.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.analysis.assigned_attributes import behind
from tnp_migrate.analysis.graphs import Call, Graph
from tnp_migrate.analysis.heap import Node, find, is_slot
from tnp_migrate.analysis.implicit_looks import Looks, looks_at
from tnp_migrate.analysis.passing_on import is_builtin
from tnp_migrate.analysis.reachability import Reachable
from tnp_migrate.analysis.sources import bound_to
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.program.index import Class
from tnp_migrate.program.nodes import walk

_GUARDED = ast.Try | ast.TryStar | ast.With | ast.AsyncWith  # what goes on after an exception, maybe before a store
_REFLECTING = frozenset("vars getattr setattr exec eval locals globals dir super type".split())
_MOST_NAMED = 300
_COMPUTING = frozenset({"numpy", "scipy", "math", "cmath"})
_LEAVING = frozenset({"yield", "await", "enter", "exit", "unknown", "function", "class"})

Slot = tuple[Node, object]  # an object, and the name of an attribute


@dataclass(eq=False)
class OwnSlots:
    """The attributes that a body binds, and what may look at their objects."""

    graph: Graph
    _inside: Reachable = field(default_factory=Reachable)
    _looking: dict[Slot, list[Instruction]] = field(default_factory=dict)

    @cached_property
    def stores(self) -> dict[Slot, list[Instruction]]:
        """By an attribute what binds it; none where an exception may pass by that."""
        found: dict[Slot, list[Instruction]] = {}
        body = self.graph.body
        if isinstance(body.node, ast.Module) or any(isinstance(one, _GUARDED) for one in walk(body.node)):
            return found
        for one in body.instructions:
            if one.operation == "set_attribute" and is_slot(f".{one.detail}") and one not in self.graph.asking:
                found.setdefault(self.slot(one), []).append(one)
        return found

    def slot(self, one: Instruction) -> Slot:
        """The attribute that an instruction reads or binds."""
        return find(self.graph.registers[one.operands[0]]), one.detail

    def values(self, read: Instruction) -> list[int]:
        """What an attribute that is read may have been bound to, where it surely has been; else nothing."""
        if read.operation != "attribute" or read in self.graph.asking:
            return []
        stores = self.stores.get(self.slot(read), []) if self.stores else []
        return [one.operands[1] for one in stores] if stores and self._is_bound(read, stores) else []

    def readers(self, store: Instruction) -> list[int]:
        """The registers that may have been read from what an instruction binds."""
        slot = self.slot(store)
        return [one.result for one in self._reads if one.detail == slot[1] and self.slot(one) == slot]

    @cached_property
    def _reads(self) -> list[Instruction]:
        return [one for one in self.graph.body.instructions if one.operation == "attribute"]

    def _is_bound(self, read: Instruction, stores: list[Instruction]) -> bool:
        """Whether each way to a read goes by one of the stores to the attribute of the same object."""
        body = self.graph.body
        same = [one for one in stores if self._root(one) == self._root(read)]
        places = {one.block for one in same}
        if any(one.block == read.block and one.result < read.result for one in same):
            return True
        entry = body.blocks[0].number
        return read.block != entry and read.block not in behind(body, entry, places - {read.block})

    def _root(self, one: Instruction) -> int:
        """The register that the object comes from whose attribute is read or bound."""
        body = self.graph.body
        root = body.behind_copies(one.operands[0])
        bound = bound_to(body, root.detail) if root.operation == "cell" else []
        return body.behind_copies(bound[0]).result if len(bound) == 1 else root.result

    def lookers(self, slot: Slot) -> list[Instruction]:
        """The instructions that may look at an attribute of an object, or bind it, but for those that name both."""
        if slot not in self._looking:
            self._looking[slot] = [one for one in self.graph.body.instructions if self._looks(one, slot)]
        return self._looking[slot]

    def _looks(self, one: Instruction, slot: Slot) -> bool:
        holder, name = slot
        if one.operation in ("yield", "await"):
            return True
        if one.operation in ("attribute", "set_attribute") and one.detail == name and self.slot(one) != slot:
            return True  # it may be the same object, by another way
        if one in self.graph.asking:
            run = [call.callee.attributes_named for call in self.calls.get(one, ())]
            run += [self.graph.implicit[one]] if one in self.graph.implicit else []
            if one in self.graph.waiting or any(looks_at(each, name, self._kind(holder)) for each in run):
                return True
            if one in self.calls:  # what runs is known to get its object
                return False
        if one.operation == "attribute":
            return str(one.detail)[:2] == "__" and bool(self.leading(one, holder))
        return one.operation in ("call", *_LEAVING) and bool(self.leading(one, holder))

    def _kind(self, holder: Node) -> Class | None:
        """The class of the methods that are called on an object, where it is the one that this one is called on."""
        function, itself = self.graph.function, self.graph.itself
        return function.owner if function is not None and itself is not None and find(itself) is holder else None

    @cached_property
    def calls(self) -> dict[Instruction, list[Call]]:
        """By an instruction the calls of bodies of the project that it makes."""
        found: dict[Instruction, list[Call]] = {}
        for call in self.graph.calls:
            found.setdefault(call.instruction, []).append(call)
        return found

    def leading(self, one: Instruction, node: Node) -> list[int]:
        """The registers which lead to a node that an instruction is given, what a method is called on among them."""
        body = self.graph.body
        is_named = one in self.graph.running and one not in self.graph.waiting  # what runs is known to get its object
        receiver = (body.receiver(one),) if one.operation == "call" and not is_named else ()
        return [each for each in (*one.operands, *receiver) if node in self._inside.of([self.graph.registers[each]])]


def attributes_named(graph: Graph) -> Looks:
    """The attributes that a body and what it calls read or bind, on whatever."""
    if graph.waiting or any(_is_open(graph, one) for one in graph.body.instructions):
        return None
    found: set[str | Class] = {
        str(one.detail) for one in graph.body.instructions if one.operation in ("attribute", "set_attribute")
    }
    run = [call.callee.attributes_named for call in graph.calls]
    for looks in dict.fromkeys([*run, *graph.implicit.values()]):
        if looks is None:
            return None
        found |= looks
    return None if "__dict__" in found or len(found) > _MOST_NAMED else frozenset(found)


def _is_open(graph: Graph, one: Instruction) -> bool:
    """Whether a call reads attributes, binds or copies them, without naming them: a library's, other than NumPy's."""
    func = one.node.func if one.operation == "call" and isinstance(one.node, ast.Call) else None
    if func is None or one in graph.running:
        return False
    if isinstance(func, ast.Name) and is_builtin(graph, func):
        return func.id in _REFLECTING
    qualified = graph.module.names.of(func, graph.body.scope)
    return qualified is not None and qualified.partition(".")[0] not in _COMPUTING
