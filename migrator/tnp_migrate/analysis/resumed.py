"""Suspended calls that go on later: a generator writes to an object's array whenever it is asked for the next item.

`s = next(it); before = s.w; next(it)`: where `it` binds `s.w` anew, `before` keeps what it had. Nothing at the last
call says what that writes to, and who asks may be another function than who has the array. So both are noted of the
array, and go up to callers with it: that a suspended call writes to it, and that a variable has it while one may go on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.graphs import Graph, Having
from tnp_migrate.analysis.heap import HAD_ACROSS, RESUMED, Node, find, is_array_or_unknown, mark, reachable
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.numpy_facts.values import HOLDING, NOTHING, SEQUENCE
from tnp_migrate.program.names import is_numpy
from tnp_migrate.program.nodes import LAZY

_WAITING = frozenset(("yield", "await", "exit"))  # where others run meanwhile, or a context manager goes on
_TAKING = frozenset(("next", "unpack"))
_MEMBERSHIP = frozenset(("In", "NotIn"))
_BINDING = frozenset(("set_cell", "set_global", "function"))  # the last has what is given for defaults
_METHODS = frozenset("send throw close __next__ asend athrow aclose".split())
_ASKING_NOTHING = frozenset("isinstance issubclass len type id hasattr print repr callable range super".split())
_NO_GENERATOR = HOLDING | NOTHING | {"array", "function", "class", "module"}
_MOST_LOOKED_AT = 100_000  # registers and calls: of larger bodies all is taken to be had across one


def note_resumed(evaluated: Transfer, live: Liveness, having: Having) -> None:
    """Note what a body writes to when it goes on, and what it has while suspended calls may."""
    graph = evaluated.graph
    if graph.module.name == LIBRARY:
        return
    points = [*_points(evaluated)]
    graph.resumes = bool(points)
    given = [*graph.parameters.values(), *graph.variables("cell", "global")]
    given += [graph.registers[each] for each in graph.body.results]
    outside = reachable(given) if graph.body.is_suspended else {}
    for place, nodes, _ in graph.all_writes():
        runs_later = _runs_later(graph, place.node)
        for node in filter(is_array_or_unknown, nodes):
            if runs_later or node in outside:
                mark(node, RESUMED)
    if points:
        had = _Having(graph, live, having, points)
        for node in filter(is_array_or_unknown, having):
            if had.is_had_across(node):
                mark(node, HAD_ACROSS)


def _runs_later(graph: Graph, node: ast.AST | None) -> bool:
    """Whether something runs when the next item is asked for: a function that `map` is given, what makes each item."""
    parent = graph.module.names.scopes.parent
    if isinstance(node, ast.Call):
        name = graph.module.names.of(node.func, graph.body.scope) or ""
        if getattr(node.func, "id", "") in LAZY or name.startswith("itertools."):
            return True
    while node is not None and not isinstance(node, ast.stmt | ast.GeneratorExp):
        node = parent.get(node)
    return isinstance(node, ast.GeneratorExp) and not _is_taken_at_once(graph, parent.get(node))


def _is_taken_at_once(graph: Graph, above: ast.AST | None) -> bool:
    """Whether what makes items is asked for all of them where it stands: `sum(f(x) for x in xs)`."""
    func = above.func if isinstance(above, ast.Call) else None
    if not isinstance(func, ast.Name) or graph.body.scope.owner(func.id) is not None:
        return False
    return func.id not in LAZY and func.id != "next"


class _Having:
    """What has an array of an object's beside that: variables, displays with it, and functions inside of the body."""

    def __init__(self, graph: Graph, live: Liveness, having: Having, points: list[Instruction]) -> None:
        self._graph, self._live, self._having, self._points = graph, live, having, points
        self._is_large = len(points) * len(graph.registers) > _MOST_LOOKED_AT
        self._displays: dict[int, list[int]] = {}
        self._bound: set[int] = set()
        for one in graph.body.instructions:
            if one.operation in _BINDING:
                self._bound.update(one.operands)
            for register in one.operands if one.operation == "display" else ():
                self._displays.setdefault(register, []).append(one.result)

    def is_had_across(self, node: Node) -> bool:
        """Whether something has an array while a suspended call may go on."""
        registers = dict.fromkeys(self._having[node])
        pending = list(registers)
        while pending:
            for display in self._displays.get(pending.pop(), ()):
                new = [one for one in self._having[find(self._graph.registers[display])] if one not in registers]
                registers |= dict.fromkeys(new)
                pending += new
        if self._is_large or not self._bound.isdisjoint(registers):
            return True
        live = self._live.is_live_after
        return any(one.result != each and live(each, one) for each in registers for one in self._points)


def _points(evaluated: Transfer) -> Iterator[Instruction]:
    """The instructions at which a suspended call may go on."""
    graph = evaluated.graph
    own = [call for call in graph.calls if call.callee.module.name != LIBRARY]
    resuming = {call.instruction for call in own if call.callee.resumes or not call.callee.is_done}
    for one in graph.body.instructions:
        if one.operation in _WAITING or one in resuming:
            yield one
        elif one.operation in _TAKING or (one.operation == "operator" and one.detail in _MEMBERSHIP):
            taken = graph.body.behind_copies(one.operands[-1])
            register = taken.operands[0] if taken.operation == "iterate" else one.operands[-1]
            if _may_be_generator(evaluated, register):
                yield one
        elif one.operation == "call" and _may_resume(evaluated, one):
            yield one


def _may_resume(evaluated: Transfer, one: Instruction) -> bool:
    """Whether a call of what is none of the project's functions may ask a generator that it is given, or has."""
    graph, func = evaluated.graph, getattr(one.node, "func", None)
    if isinstance(one.node, ast.Call) and evaluated.slots.callees(evaluated.module, one.node):
        return False
    name = graph.module.names.of(func, graph.body.scope) if func is not None else None
    if is_numpy(name or ""):
        return False
    if isinstance(func, ast.Attribute) and name is None:
        index = evaluated.slots.index
        if func.attr in _METHODS or func.attr in index.methods or func.attr in (evaluated.slots.names or ()):
            return True
    elif isinstance(func, ast.Name) and name is None:
        if graph.body.scope.owner(func.id) is not None:
            return True  # what callers pass, or a variable has
        if func.id in _ASKING_NOTHING:
            return False
    return any(_may_be_generator(evaluated, each) for each in one.operands[1:])


def _may_be_generator(evaluated: Transfer, register: int) -> bool:
    """Whether something may be a suspended call, or ask one for its items."""
    kind, made = evaluated.kind_of(register), evaluated.body.behind_copies(register)
    if kind != "list" or evaluated.value(made.node).ref == SEQUENCE:
        return kind not in _NO_GENERATOR
    if isinstance(made.node, ast.Call):
        is_lazy = getattr(made.node.func, "id", "") in LAZY
        asks = is_lazy and any(_may_be_generator(evaluated, each) for each in made.operands[1:])
        return asks or bool(evaluated.slots.callees(evaluated.module, made.node))
    return made.operation != "display" or isinstance(made.node, ast.GeneratorExp)
