"""Functions that give islands an array in another layout than a tensor's, where NumPy views or copies by the layout.

`x.ravel()` is a view of an array that lies in one piece and a copy of `np.abs(x)[::-1]`. What comes from a tensor lies
in one piece: where an island writes, functions that give it another layout stay on NumPy with it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from tnp_migrate.analysis.memory import roots
from tnp_migrate.analysis.summaries import Summary, kind_of, qualified_name
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Function, Module

Body = Function | Module
Summaries = Mapping[Body, Summary]

# A view or a copy, by the layout; so is what is told an order.
_SHAPING = frozenset("reshape ravel ascontiguousarray asfortranarray require".split())
_TURNED_ATTRIBUTES = frozenset("T mT real imag".split())
# What gives a view, but for what leaves the rows of an array where they lie.
_TURNED = {one.removeprefix("numpy.") for one in traits.VIEW_FUNCTIONS} | traits.VIEW_METHODS | {"einsum"}
_TURNED -= frozenset(
    "asarray asanyarray ascontiguousarray reshape ravel squeeze expand_dims atleast_1d atleast_2d atleast_3d require "
    "frombuffer asmatrix asarray_chkfinite view newbyteorder __array__".split()
)
_PRODUCTS = frozenset(
    "dot matmul inner outer vdot tensordot kron bincount histogram unique nonzero tolist item".split()
)
_NO_ARRAY = frozenset("scalar str none shape dtype module function class super rng".split())


class Layouts:
    """Where arrays of a project are laid out as no tensor is, and where it matters."""

    def __init__(self, summaries: Summaries) -> None:
        self.summaries = summaries

    @cached_property
    def shaping(self) -> set[Body]:
        """Functions that have a view or a copy by the layout, themselves or in what they call."""
        return _with_callers({one for one, summary in self.summaries.items() if any(_shaped(summary))}, self.summaries)

    @cached_property
    def writing(self) -> set[Body]:
        """Functions that write to arrays, themselves or in what they call."""
        found = {one for one, summary in self.summaries.items() if summary.sites or summary.mutated}
        return _with_callers(found, self.summaries)

    @cached_property
    def giving(self) -> set[Body]:
        """Functions that may give another layout, of their own or of what they call."""
        found = {one for one, summary in self.summaries.items() if any(_turned(summary))}
        return _with_callers(found, self.summaries, of_results=True)

    def givers(
        self, islands: Collection[Function], joined: Collection[Function]
    ) -> Iterator[tuple[Function, Function]]:
        """Functions that give another layout to an island, which calls them, or to one that has `joined`: each with it.

        An island matters if it writes to arrays and has a view or a copy by the layout.
        """
        for island in islands:
            if island in joined or (island in self.shaping and island in self.writing):
                for callee in _callees(self.summaries.get(island), of_results=True):
                    if callee not in islands and callee in self.giving:
                        yield callee, island


def _callees(summary: Summary | None, *, of_results: bool) -> Iterator[Function]:
    """What a function calls, or only that of which it may keep or give back the result."""
    if summary is None:
        return
    for call, callees in summary.calls:
        if not of_results or not _is_used_up(summary, call):
            yield from (one for one in callees if not of_results or _may_give_an_array(one))


def _may_give_an_array(function: Function) -> bool:
    return function.returns is None or function.returns.kind not in _NO_ARRAY


def _with_callers(found: set[Body], summaries: Summaries, *, of_results: bool = False) -> set[Body]:
    """Some functions with all that call them, and that call those."""
    callers: dict[Body, list[Body]] = {}
    for one, summary in summaries.items():
        for callee in _callees(summary, of_results=of_results):
            callers.setdefault(callee, []).append(one)
    pending = list(found)
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller not in found:
                found.add(caller)
                pending.append(caller)
    return found


def _shaped(summary: Summary) -> Iterator[ast.AST]:
    """Calls that give a view or a copy of what is written to, or given to others."""
    seen = summary.mutated | summary.returned | summary.escaped
    for node in summary.nodes:
        if not isinstance(node, ast.Call) or not (_name(summary, node) in _SHAPING or _is_ordered(node)):
            continue
        if not seen.isdisjoint(roots(summary, node)):
            yield node


def _turned(summary: Summary) -> Iterator[ast.AST]:
    """What may give an array another layout than a tensor's, and is not used up by what lays out its result anew."""
    for node in summary.function.nodes if summary.function is not None else ():
        if isinstance(node, ast.Attribute):
            turns = node.attr in _TURNED_ATTRIBUTES and kind_of(summary, node.value) in ("array", "unknown")
        elif isinstance(node, ast.Subscript):
            turns = kind_of(summary, node.value) in ("array", "unknown") and _skips(node.slice)
        else:
            turns = isinstance(node, ast.Call) and (_name(summary, node) in _TURNED or _is_ordered(node))
        if turns and not _is_used_up(summary, node):
            yield node


def _name(summary: Summary, call: ast.Call) -> str | None:
    """The name of NumPy's function, or of a method of what is no module."""
    name = qualified_name(summary, call.func)
    if name is not None:
        return name.removeprefix("numpy.") if name.startswith("numpy.") else None
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def _skips(index: ast.expr) -> bool:
    """Whether an index gives parts that do not follow each other: by a step, or of an axis behind the first."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    sliced = [one for one in parts if isinstance(one, ast.Slice)]
    return any(one.step is not None for one in sliced) or (bool(sliced) and len(parts) > 1)


def _is_ordered(call: ast.Call) -> bool:
    return any(word.arg == "order" for word in call.keywords)


def _is_used_up(summary: Summary, node: ast.AST) -> bool:
    """Whether an array goes into what lays out its result anew: a product, a number, or a new array of one axis."""
    parent = summary.module.names.scopes.parent
    above = parent.get(node)
    while isinstance(above, ast.BinOp | ast.UnaryOp | ast.Call | ast.Attribute | ast.Subscript):
        if isinstance(above, ast.BinOp) and isinstance(above.op, ast.MatMult):
            return True
        if isinstance(above, ast.Call) and _lays_out_anew(summary, above):
            return True
        node, above = above, parent.get(above)
    return isinstance(above, ast.Compare | ast.If | ast.While | ast.Assert | ast.Expr | ast.For)


def _lays_out_anew(summary: Summary, call: ast.Call) -> bool:
    name = _name(summary, call)
    if name is None or name in _PRODUCTS or name.startswith(("linalg.", "random.")):
        return name is not None
    value = summary.module.value(call)
    flat = value is not None and (value.kind == "scalar" or (value.is_array and value.rank in (0, 1)))
    return flat and f"numpy.{name}" not in traits.VIEW_FUNCTIONS and name not in traits.VIEW_METHODS
