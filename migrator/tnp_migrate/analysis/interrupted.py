"""Writes that an exception keeps from being given back: a function writes to what it is passed, and raises then.

`try: fill(x)` with `fill` writing to `x` and raising: NumPy's `x` has what was written, while a tensor comes back by
the result alone. What stands in a `try`, or in a `with` that swallows exceptions, stays on NumPy with its callee.
"""

from __future__ import annotations

import ast

from tnp_migrate.analysis.graphs import Call, Graph, Having
from tnp_migrate.analysis.heap import SHARED, STORED, Node, find, reachable
from tnp_migrate.ir.liveness import Liveness

_RAISING = frozenset(
    "raise call unknown item set_item operator augmented unpack iterate next await yield delete_item".split()
)
_SWALLOWING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})


def note_interrupted(graph: Graph, live: Liveness, having: Having) -> None:
    """Hold what a call writes to that may raise then, where something runs after that; note whether the body may."""
    calls = [(call, written) for call in graph.calls if (written := call.written)]
    graph.fails_late = any(call.callee.fails_late for call, _ in calls) or _may_fail_late(graph, live, calls)
    guarded = [
        (call.instruction, written)
        for call, written in calls
        if call.callee.fails_late and _is_guarded(graph, call.instruction.node)
    ]
    if not guarded:
        return
    outside = reachable([*graph.parameters.values()])
    for instruction, written in guarded:
        passed = {find(graph.registers[register]) for register in instruction.given}
        for node in [one for one in written if one in passed]:
            lasts = node in outside or bool(node.flags & (SHARED | STORED))
            if lasts or any(live.is_live_after(one, instruction) for one in having.get(node, ())):
                graph.hold(node, instruction, instruction)


def _may_fail_late(graph: Graph, live: Liveness, calls: list[tuple[Call, dict[Node, None]]]) -> bool:
    """Whether something that may raise stands behind a write of the body, or of one of the calls that write."""
    writing = [*(write.instruction for write in graph.writes), *(call.instruction for call, _ in calls)]
    if not writing:
        return False
    raising = [one for one in graph.body.instructions if one.operation in _RAISING or isinstance(one.node, ast.Assert)]
    return any(live.may_follow(first, then) for first in writing for then in raising)


def _is_guarded(graph: Graph, node: ast.AST | None) -> bool:
    """Whether something runs after an exception of what an expression calls."""
    below = node
    for above in graph.module.names.scopes.ancestors(node) if node is not None else ():
        if type(above).__name__ in ("Try", "TryStar") and below in above.body:  # type: ignore[attr-defined]
            return True
        contexts = above.items if isinstance(above, ast.With | ast.AsyncWith) and below in above.body else []
        if any(_swallows(graph, item.context_expr) for item in contexts):
            return True
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            return False
        below = above
    return False


def _swallows(graph: Graph, context: ast.expr) -> bool:
    """Whether a context manager may go on after an exception: those that say so, and some of the project."""
    func = context.func if isinstance(context, ast.Call) else context
    value = graph.module.value(context)
    if value is not None and value.kind == "instance":
        method = value.ref.method("__exit__")
        given = [one.value for one in method.nodes if isinstance(one, ast.Return)] if method is not None else []
        return any(one is not None and getattr(one, "value", True) for one in given)
    made = graph.module.value(func)
    if made is not None and made.kind == "function":  # a generator that catches what is raised where it yields
        return any(isinstance(one, ast.Try) and one.handlers for one in made.ref.nodes)
    return getattr(func, "attr", getattr(func, "id", "")) in _SWALLOWING
