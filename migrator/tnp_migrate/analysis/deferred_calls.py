"""Calls of what is not known yet, such as a parameter: callers, or later rounds, find out what they run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tnp_migrate.analysis.heap import Node, find
from tnp_migrate.ir.instructions import Body, Instruction

if TYPE_CHECKING:
    from tnp_migrate.analysis.graphs import Call, Graph


@dataclass(slots=True)
class Conflicts:
    """What the bodies around a call that is not known yet do, which is a conflict where it keeps or hands out that."""

    if_kept: tuple[Node, ...] = ()  # what it gets, and is written to later
    if_had: tuple[Node, ...] = ()  # what it gives, and is written to or put into an object
    if_given_back: tuple[Node, ...] = ()  # written to while the other of both is read later

    def add(self, other: Conflicts) -> None:
        """Take over those of another."""
        self.if_kept = _together(self.if_kept, other.if_kept)
        self.if_had = _together(self.if_had, other.if_had)
        self.if_given_back = _together(self.if_given_back, other.if_given_back)

    def copied(self, copies: Mapping[Node, Node]) -> Conflicts:
        """The conflicts of a caller, which has copies of the nodes."""
        mine = (self.if_kept, self.if_had, self.if_given_back)
        if mine == ((), (), ()):
            return Conflicts()
        return Conflicts(*(_together((), tuple(copies.get(find(node), node) for node in one)) for one in mine))


def _together(some: tuple[Node, ...], others: tuple[Node, ...]) -> tuple[Node, ...]:
    return (*dict.fromkeys((*some, *others)),) if others else some


@dataclass(slots=True, eq=False)
class Deferred:
    """A call of something that is not known yet: a parameter, or what one holds."""

    function: Node
    arguments: list[tuple[str | int | None, Node]]  # by position, by name, or None for starred ones
    result: Node
    instruction: Instruction  # the first that it stands at
    done: set[Body] = field(default_factory=set)
    method: str | None = None  # of the object `function`, where it is not a function itself
    depth: int = 0  # how many callers it has been handed on to
    followed: frozenset[object] = frozenset()  # ways in which its function, a partial or a member, has been run
    calls: list[Call] = field(default_factory=list)  # what it has been found to run
    conflicts: Conflicts = field(default_factory=Conflicts)
    origin: tuple[Graph, Deferred] | None = None  # the call of the project that has been handed on
    of_variable: bool = False  # whether what it calls has been reached from a variable that bodies share
    left: Collection[Body] = ()  # what it may run, of so much that none of it is followed
    # How what is given are items of the object, which is known once something is run: "each" of it, or "by key".
    iterates: str = ""
    seen_as: Node | None = None  # its function, and how much that held, when it was looked at last
    seen_with: int = -1
    # The results of the other instructions that run it: of calls that have taken it over together.
    elsewhere: set[int] = field(default_factory=set)

    @property
    def nodes(self) -> list[Node]:
        """What is called, what is given, and what comes of it."""
        return [self.function, self.result, *(node for _, node in self.arguments)]

    def stand_at(self, places: set[int]) -> bool:
        """Note that instructions of some results run it; say whether that is news."""
        news = places - self.elsewhere - {self.instruction.result}
        self.elsewhere |= news
        return bool(news)
