"""The nodes of a callee's summary as a call takes them over: copied, or as they are."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from tnp_migrate.analysis.heap import BLIND, PASSED, SHARED, WRITTEN, Node, find, unify

BY_MAKER = WRITTEN | BLIND  # what says nothing more of something when its maker has given it


@dataclass
class Summary:
    """A summary as several calls take it over: as it is, of which a project may have half a million, or in a copy."""

    copies: dict[Node, Node]
    lent: list[Node] = field(default_factory=list)  # of what a call is lent, what it writes to, see `copied`
    taken: dict[Any, Any] = field(default_factory=dict)  # the calls that callers have taken over with it
    mapping: list[tuple[Node, Node]] = field(init=False)

    def __post_init__(self) -> None:
        """Pair each node with itself once for all such calls."""
        self.mapping = [*self.copies.items()]

    def cover(self, inside: dict[Node, None]) -> None:
        """Take in what a summary leads to by now: it is what outlives calls that goes on growing."""
        grown = [one for one in self.copies if one.up is not None]
        for one in grown:
            unify(self.copies[one], self.copies.get(find(one), find(one)))
        if grown:  # what outlives calls may stand for what it has become one with here, or that for it
            inside.update(dict.fromkeys([*map(find, inside)]))
        for one in [one for one in inside if one not in self.copies]:
            self.copies[one] = one
            self.mapping.append((one, one))


def copied(inside: dict[Node, None], passed: Container[Node], lent: Container[Node]) -> Summary:
    """New nodes for those of a summary but for what outlives calls, which lead to each other as those do.

    What is not `passed` the callee has made, and what it has written there it had written when it gave that. Whether
    somebody sees what it writes to what it is `lent` its caller knows.
    """
    copies, written = {}, []
    for one in inside:
        said = WRITTEN if one in lent else 0 if one in passed else BY_MAKER
        copies[one] = one if one.flags & SHARED else Node(one.flags & ~(PASSED | said))
        if said == WRITTEN and one.flags & WRITTEN and not one.flags & SHARED:
            written.append(copies[one])
    for one, copy in copies.items():
        if copy is not one:
            copy.bodies, copy.classes = one.bodies, one.classes
            if one.members:
                members = ((each, copies.get(find(held))) for each, held in one.members.items())
                copy.members = {each: held for each, held in members if held is not None}
            copy.fields = {label: copies[find(held)] for label, held in one.fields.items()}
    return Summary(copies, written)
