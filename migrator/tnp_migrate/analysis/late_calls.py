"""What calls turn out to run, and variables to hold, only after a body has been evaluated that asks for it.

In the next round the body knows it from the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import MANY_KINDS, OBJECT, Member, Node, find, give_bodies, give_classes, mark
from tnp_migrate.analysis.heap import field as of_key
from tnp_migrate.analysis.members import hold_member
from tnp_migrate.analysis.partials import function_of, is_partial, labels_of, waits_for_more
from tnp_migrate.analysis.persistent_sets import together
from tnp_migrate.ir.instructions import Body
from tnp_migrate.program.index import Class

_DEEPEST = 3  # partials of partials


@dataclass
class Late:
    """What something turned out to be: functions, bound to an object or not, classes, a partial, or a container."""

    bodies: Mapping[Body, None] = field(default_factory=dict)
    classes: Mapping[Class, None] = field(default_factory=dict)
    is_bound: bool = False
    labels: frozenset[str] = frozenset()  # the fields of a partial
    function: Late | None = None  # and what that is one of
    items: dict[str, Late] = field(default_factory=dict)  # the functions and partials in a container
    holders: dict[Member, Late] = field(default_factory=dict)  # what it may be any member of

    @property
    def says_more(self) -> bool:
        """Whether more is known than which functions and classes it is."""
        return bool(self.is_bound or self.labels or self.items or self.holders)

    def note(self, node: Node, depth: int = _DEEPEST) -> None:
        """Add what an object may be; too many functions to follow say nothing."""
        node = find(node)
        bodies = {} if len(node.bodies) > MANY_KINDS else node.bodies
        self.bodies, self.classes = together(self.bodies, bodies), together(self.classes, node.classes)
        self.is_bound |= "self" in node.fields
        if is_partial(node) and depth:
            self.labels |= labels_of(node)
            self.function = self.function or Late()
            self.function.note(function_of(node), depth - 1)
        for member, holder in node.members.items() if depth == _DEEPEST else ():
            self.holders.setdefault(member, Late()).note(holder, 0)  # whose class says what its members are
        if not (node.bodies or node.classes) and depth:
            self._note_items(node, depth - 1)

    def _note_items(self, node: Node, depth: int) -> None:
        for label, held in node.fields.items():
            if label[0] == "[" and find(held) is not node:
                item = self.items.get(label) or Late()
                item.note(held, depth)
                if item.bodies or item.says_more:
                    self.items[label] = item

    def recall(self, node: Node) -> None:
        """Let a called object be what it has turned out to be."""
        give_bodies(node, self.bodies)
        give_classes(node, self.classes)
        for label in (*(["self"] if self.is_bound else []), *sorted(self.labels)):
            of_key(node, label)
        if self.function is not None:
            mark(node, OBJECT)
            self.function.recall(function_of(node))
        for label, item in self.items.items():
            mark(node, OBJECT)
            item.recall(of_key(node, label))
        for (pattern, asks), late in self.holders.items():
            holder = Node(OBJECT)
            late.recall(holder)
            hold_member(holder, node, asks, pattern)


def run_by_partial(call: Deferred, depth: int = _DEEPEST) -> Iterator[Body]:
    """The functions that a call of what has turned out to be a partial runs."""
    if call.method is None and waits_for_more(call):
        node = find(call.function)
        while is_partial(node) and depth:
            node, depth = find(function_of(node)), depth - 1
            yield from node.bodies
