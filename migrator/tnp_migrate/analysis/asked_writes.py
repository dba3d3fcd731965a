"""Whether a body writes to something: asked of each that a call may run without naming it, by every such call."""

from __future__ import annotations

from typing import TypeAlias

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import STORED_INTO, WRITTEN, Node, find

_BY_CALLS = WRITTEN | STORED_INTO
# Of bodies that are done, those that write for good; of others whom they call, and with what: that may write yet.
Writing: TypeAlias = "dict[Graph, tuple[list[Graph], list[Node]] | None]"


def writes_anything(graph: Graph, known: Writing) -> bool:
    """Whether a body writes to something, or what it calls does, as far as that has been evaluated."""
    if graph.writes:
        return True
    if not graph.is_done:
        return any(call.callee.shared_writes or call.flagged(_BY_CALLS, call.passed) for call in graph.calls)
    if graph not in known:
        passed = dict.fromkeys(one for call in graph.calls for one, _ in call.passed)
        known[graph] = [*dict.fromkeys(call.callee for call in graph.calls)], [*passed]
    asked = known[graph]
    if asked is not None and any(find(one).flags & _BY_CALLS for one in asked[1]):
        asked = known[graph] = None
    return asked is None or any(one.shared_writes for one in asked[0])
