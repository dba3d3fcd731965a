"""Graphs of all bodies of a project: strongly connected components of the call graph, callees first."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from tnp_migrate.analysis.cells import end_cells
from tnp_migrate.analysis.common_methods import common_bodies, common_of
from tnp_migrate.analysis.entry_aliasing import hold_aliased
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.fixed_attributes import note_fixed
from tnp_migrate.analysis.graphs import Deferred, Graph
from tnp_migrate.analysis.heap import (
    ANY_ATTRIBUTE,
    ARRAY,
    INSTANCE,
    MANY_KINDS,
    SHARED,
    STORED,
    Node,
    find,
    is_array_or_unknown,
    may_become_array,
    name_any,
    reachable,
    unify,
)
from tnp_migrate.analysis.heap import field as field_of
from tnp_migrate.analysis.holds import find_holds
from tnp_migrate.analysis.late_calls import Late
from tnp_migrate.analysis.left_behind import lasting_puts, put_by
from tnp_migrate.analysis.lending import note_uses
from tnp_migrate.analysis.library_functions import LIBRARY, library_bodies
from tnp_migrate.analysis.members import share_holders
from tnp_migrate.analysis.open_calls import hand_around, repeat_calls
from tnp_migrate.analysis.own_arrays import note_own
from tnp_migrate.analysis.partials import is_partial
from tnp_migrate.analysis.receivers import Receivers, receivers_of
from tnp_migrate.analysis.resumed import note_resumed
from tnp_migrate.analysis.rotated import rotated
from tnp_migrate.analysis.slot_holders import hidden_writes
from tnp_migrate.analysis.slots import Known, Slots
from tnp_migrate.analysis.stored_parameters import stored_parameters
from tnp_migrate.analysis.stores import put_item
from tnp_migrate.analysis.suspended import hold_frame
from tnp_migrate.analysis.transfer import HANDLERS
from tnp_migrate.analysis.two_places import note_two_places
from tnp_migrate.analysis.uniqueness import note_second_holders
from tnp_migrate.analysis.unseen import note_hidden
from tnp_migrate.analysis.views import join_views
from tnp_migrate.ir.instructions import Body
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.ir.lowering import lower_module
from tnp_migrate.ir.state import ModuleBodies
from tnp_migrate.program.classes import is_array
from tnp_migrate.program.index import Class, Index, Module
from tnp_migrate.program.private_variables import private_variables

_ROUNDS = 5
_LARGE = 2000  # bodies of a project of which a round's heap, which is in cycles, is freed before the next


@dataclass(eq=False)
class Solution:
    """The graphs of all bodies; `failed` are the nodes of those that are nested too deeply to be read."""

    graphs: dict[Body, Graph]
    slots: Slots
    failed: list[ast.AST] = field(default_factory=list)


def solve(index: Index, bound_anew: frozenset[ast.AugAssign] = frozenset()) -> Solution:
    """Evaluate every body of a project, again where it turns out what is held and who calls whom: five times at most.

    Rounds go from below: a call of what is evaluated later is left to the next one, which evaluates that before. Calls
    that go in a circle cannot be told apart, and what they mix would find calls that close the circle again. The last
    round makes all calls, and looks for holds. `bound_anew` are operators in place that the functional stage leaves as
    they are, for want of another holder in the text.
    """
    library, its_bodies = library_bodies()
    lowered = {library: its_bodies}  # first of all, as everything may call them
    private = private_variables(index)
    for module in index.modules.values():
        own = private.get(module, frozenset())
        lowered[module] = lower_module(module.source.tree, module.names.scopes, index.stand_ins, own)
    receivers = receivers_of(lowered)
    common, its_bodies = common_bodies(index)
    lowered[common] = its_bodies
    known = Known()
    is_large = sum(len(one.bodies) for one in lowered.values()) > _LARGE
    for _ in range(_ROUNDS - 1):
        found = _solved(index, lowered, known, receivers, of_variables=True)[1]
        if is_large:
            gc.collect()
        if found.says_no_more_than(known) and not found.waiting:
            for body, called in found.calls.items():  # the last round evaluates before what was found to be called late
                known.calls.setdefault(body, {}).update(called)
            break
        known = found
    solution, _ = _solved(index, lowered, known, receivers, bound_anew)
    hold_aliased(solution.graphs.values())
    solution.failed = [node for one in lowered.values() for node in one.failed]
    return solution


def _solved(
    index: Index,
    lowered: dict[Module, ModuleBodies],
    known: Known,
    receivers: Receivers,
    bound_anew: frozenset[ast.AugAssign] = frozenset(),
    *,
    of_variables: bool = False,
) -> tuple[Solution, Known]:
    """Evaluate every body once, with what an earlier round has found out about variables.

    Where only what variables hold is asked for, the holds are not looked for: nothing in the heap hangs on them.
    """
    graphs: dict[Body, Graph] = {}
    arrays = _array_classes(index)
    # What a module's own statements bind functions may use, wherever no call says so.
    order = [(module, body) for module, bodies in lowered.items() for body in bodies.bodies]
    order.sort(key=lambda pair: pair[0].name != LIBRARY and not isinstance(pair[1].node, ast.Module))
    for module, body in order:
        graph = graphs[body] = Graph(body, module, module.functions.get(body.node))
        graph.parameters = {name: Node() for name in _parameters(body)}
        if graph.function is not None and graph.function.takes_self and graph.function.owner not in arrays:
            for name in graph.function.parameters[:1]:
                graph.parameters[name].flags |= INSTANCE
    by_node: dict[object, Body] = {body.node: body for body in graphs}
    by_node.update((body.name, body) for body in graphs if graphs[body].module.name == LIBRARY)
    slots = Slots(index, by_node, receivers, bound_anew)
    slots.waiting = {} if of_variables else None
    slots.begin(known, order)
    done: set[Body] = set()
    evaluated: list[Transfer] = []
    for component in components(graphs, slots, known):
        made = [Transfer(graphs[body], slots, graphs, done, frozenset(component)) for body in component]
        finish = partial(_finish, slots=slots, of_variables=of_variables)
        circle = [one.graph for one in made]
        for step in (partial(Transfer.run, handlers=HANDLERS, then=note_uses), Transfer.settle, _note_own, finish):
            for one in made:
                with index.blaming(one.module):
                    step(one)
            if step is Transfer.settle:
                hand_around(circle)
        done.update(component)
        for one in made:
            one.graph.is_done = True
        evaluated += made
    return Solution(graphs, slots), _found(slots, evaluated)


def _found(slots: Slots, evaluated: list[Transfer]) -> Known:
    """What a round has found out for the next one."""
    found = slots.known()
    for one in evaluated:
        for late, bodies in one.late().items():
            found.calls.setdefault(one.body, {}).update(dict.fromkeys(bodies))
            if late.of_variable and not late.depth:
                _note_late(found, late)
        for call in one.graph.calls:
            found.calls.setdefault(one.body, {})[call.callee.body] = None
        found.stateful |= {body: None for node in _with_attributes(one.graph) for body in node.bodies}
    for body, called in (slots.waiting or {}).items():
        found.waiting.setdefault(body, {}).update(called)
        found.calls.setdefault(body, {}).update(called)
    return found


def _with_attributes(graph: Graph) -> Iterator[Node]:
    """The functions of which attributes have been bound."""
    for node in reachable(graph.registers):
        if node.bodies and any(label[0] == "." and find(held).flags & STORED for label, held in node.fields.items()):
            yield node


def _note_late(found: Known, call: Deferred) -> None:
    """Note what a call has turned out to run, for the next round; too many functions to follow say nothing."""
    node = find(call.function)
    if 0 < len(node.bodies) <= MANY_KINDS or node.classes or is_partial(node) or node.members:
        found.late.setdefault((call.instruction, call.method), Late()).note(node)


def _array_classes(index: Index) -> set[Class]:
    """The classes whose instances may be arrays, by what they or their kin say of their bases."""
    classes = [one for module in index.modules.values() for one in module.classes.values()]
    return {kin for one in classes if is_array(one) for kin in one.kin}


def _parameters(body: Body) -> list[str]:
    node = body.node
    return [] if isinstance(node, ast.Module) else [one.arg for one in _arguments(node.args)]


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    rest = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]


def _note_own(evaluated: Transfer) -> None:
    repeat_calls(evaluated.graph)
    note_own(evaluated.graph, evaluated.slots)
    note_hidden(evaluated.graph)


def _finish(evaluated: Transfer, slots: Slots, *, of_variables: bool) -> None:
    """Note what a body's result hands out: what is not its alone, as far as it is no object that others see change."""
    graph = evaluated.graph
    if graph.body in slots.keeping:
        for node in graph.results:
            unify(field_of(slots.function(graph.body), "()"), node)
    hold_frame(graph)
    share_holders(graph.registers)
    _note_picked(graph)
    _name_any(graph)
    _put_locally(graph)
    join_views([*graph.registers, *graph.parameters.values(), *graph.results])
    _name_any(graph)  # of what these have found to be arrays; from here on no two nodes become one
    for node in reachable([one for _, one in (*graph.stores, *graph.kept)]):
        node.flags |= STORED
    if not of_variables:
        live, having = Liveness(graph.body), graph.having()
        note_second_holders(graph, live, having)
        note_fixed(graph, slots.index)
        find_holds(graph, live, having)
        note_resumed(evaluated, live, having)
    for one in graph.deferred:
        one.of_variable = bool(find(one.function).flags & SHARED)
    cells_last = end_cells(graph, slots)
    if not of_variables:
        note_two_places(graph, cells_last=cells_last)
        graph.stored_parameters = stored_parameters(graph)
        graph.puts = [*dict.fromkeys(map(find, put_by(graph, cells_last=cells_last)))]
        graph.lasting_puts = lasting_puts(graph)
        graph.hidden_writes = [*hidden_writes(graph)]
        graph.rotated = frozenset(rotated(graph))
        graph.gives = handed_out(graph)
    graph.shared_writes |= graph.written()
    graph.shared_writes = {node: None for node in graph.shared_writes if find(node).flags & SHARED}
    graph.has_effects = bool(graph.writes) or any(call.callee.has_effects for call in graph.calls)


def _name_any(graph: Graph) -> None:
    """Let what computed names give be what the attributes hold, as far as that is known."""
    while sum(name_any(node) for node in reachable(graph.registers) if ANY_ATTRIBUTE in node.fields):
        pass  # what one object has been given may be another's: all are asked before they are asked again


def _note_picked(graph: Graph) -> None:
    """Take what `getattr(x, name)` gives for any array of `x`, unless it is read at once and nothing is written to."""
    if not graph.picked:
        return
    outer = reachable([*graph.parameters.values(), *graph.results])
    unknown = [one for one in graph.deferred if find(one.function) in outer]  # what callers pass may keep it
    outer |= reachable([node for one in unknown for _, node in one.arguments])
    writes = bool(graph.writes or graph.shared_writes or any(call.written for call in graph.calls))
    for holder, picked in graph.picked:
        inside = reachable([picked])
        if writes or any(one in outer or one.flags & (STORED | SHARED) for one in inside):
            unify(picked, field_of(holder, ANY_ATTRIBUTE))


def _put_locally(graph: Graph) -> None:
    """Put items into what no caller can tell to be an array, and nothing here does."""
    if not graph.item_stores:
        return
    inside = reachable([*graph.parameters.values(), *graph.results])
    for one in graph.item_stores:
        is_empty = one.instruction.operation == "call" and one.label not in find(one.holder).fields  # nothing to copy
        if find(one.holder) not in inside and not find(one.holder).flags & ARRAY and not is_empty:
            put_item(graph, one)


def handed_out(graph: Graph) -> list[Node]:
    """The arrays that a result leads to and something else does as well: a parameter's objects, or what outlives calls.

    So are those that two ways through the result lead to. What is reached by an object that is not the call's own is
    left out: who has the object sees what is bound to its fields. The parameter itself is no news to the caller, nor
    as an item of a tuple, unless a call gives it back of which no text shows what it runs.
    What `*x` and `**x` gather is: what is in it is known where the call is.
    """
    captured = [find(held) for node in reachable(graph.results) if node.bodies for held in node.fields.values()]
    own = {find(one) for one in graph.parameters.values()} - {find(one.result) for one in graph.unseen}
    gathered = {find(one) for one in graph.gathered}
    outside = reachable(list(graph.parameters.values()))
    found = dict.fromkeys(one for one in captured if one in outside and is_array_or_unknown(one))
    for result in dict.fromkeys(map(find, graph.results)):
        ways: dict[Node, int] = {result: 1}
        plain = {result}  # what the call gives, and the items of a tuple that it gives
        pending = [result]
        while pending:
            one = pending.pop()
            if one in outside or one.flags & SHARED:
                known = one in plain and one in own and not one.flags & SHARED
                if one in gathered or (may_become_array(one) and not known):
                    found[one] = None
                continue
            for label, held in one.fields.items():
                node = find(held)
                if one in plain and label[1:-1].isdecimal():
                    plain.add(node)
                ways[node] = ways.get(node, 0) + 1
                if ways[node] == 1:
                    pending.append(node)
                elif is_array_or_unknown(node):
                    found[node] = None
    return list(found)


def components(graphs: dict[Body, Graph], slots: Slots, known: Known) -> list[list[Body]]:
    """The strongly connected components of the call graph, callees first (Tarjan), without recursion."""
    edges = {body: [*_called(graph, slots), *known.calls.get(body, ())] for body, graph in graphs.items()}
    number: dict[Body, int] = {}
    low: dict[Body, int] = {}
    stack: list[Body] = []
    on_stack: set[Body] = set()
    found: list[list[Body]] = []
    for start in graphs:
        if start in number:
            continue
        work = [(start, iter(edges[start]))]
        number[start] = low[start] = len(number)
        stack.append(start)
        on_stack.add(start)
        while work:
            body, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[body])
                if low[body] == number[body]:
                    component = []
                    while True:
                        one = stack.pop()
                        on_stack.discard(one)
                        component.append(one)
                        if one is body:
                            break
                    found.append(component)
            elif following not in number:
                number[following] = low[following] = len(number)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(edges[following])))
            elif following in on_stack:
                low[body] = min(low[body], number[following])
    return found


def _called(graph: Graph, slots: Slots) -> list[Body]:
    """The bodies that a body's calls may run, and those that a function makes: a module's own it has before it runs."""
    found: dict[Body, None] = {} if isinstance(graph.body.node, ast.Module) else dict.fromkeys(graph.body.inner)
    for one in graph.body.instructions:
        if one.operation == "call" and isinstance(one.node, ast.Call):
            functions = slots.callees(graph.module, one.node)
            common = common_of(slots.bodies, graph.body, one.node, functions)
            run = [slots.bodies[each.node] for each in functions if each.node in slots.bodies]
            found |= dict.fromkeys(run if common is None else [common])
    return list(found)
