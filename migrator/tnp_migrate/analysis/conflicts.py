"""What is in conflict with calls of what is not known yet, where they turn out to keep or hand out what they get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tnp_migrate.analysis.heap import Node, find


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
