"""What calls outside the project do with memory: NumPy's functions and methods, builtins, containers, and others.

NumPy's tables say what is a view and what is written to.
"""

from __future__ import annotations

import ast

from tnp_migrate.analysis.bound_methods import bind_any_method
from tnp_migrate.analysis.calls import Argument
from tnp_migrate.analysis.class_bindings import assigned_methods
from tnp_migrate.analysis.effects import callees
from tnp_migrate.analysis.evaluation import Transfer, with_receiver
from tnp_migrate.analysis.foreign_objects import NO_ARRAYS
from tnp_migrate.analysis.frames import as_numpy
from tnp_migrate.analysis.graphs import Deferred, Unseen
from tnp_migrate.analysis.heap import (
    ARRAY,
    FOREIGN,
    LIKELY,
    MADE,
    OBJECT,
    OPAQUE,
    PASSED,
    Node,
    field,
    find,
    label_of,
    mark,
    unify,
)
from tnp_migrate.analysis.known_functions import call_known
from tnp_migrate.analysis.known_methods import call_method, register_dispatched
from tnp_migrate.analysis.lending import calls_none, lend
from tnp_migrate.analysis.library_functions import CONTAINERS, harmless_functions
from tnp_migrate.analysis.named_attributes import attribute_named
from tnp_migrate.analysis.parametrized import PARAMETRIZE
from tnp_migrate.analysis.partials import hold_first, is_partial
from tnp_migrate.analysis.starred_arguments import starred_outputs, unfolded
from tnp_migrate.analysis.writes import (
    function_named,
    is_class_of_something,
    writes_to_first,
    writes_to_itself,
    written_by_class,
)
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.given_back import given_back
from tnp_migrate.numpy_facts.signatures import kept_by, may_not_copy, method_outputs, outputs
from tnp_migrate.program.names import helper_named, is_member
from tnp_migrate.program.nodes import text_in

_CALL = "__call__"
_MOST_LENT = 4  # parameters of a function that is lent, any of which may be given anything
_GIVING = frozenset("run apply".split())  # methods that give what the function gives
_HOLDING = frozenset("submit apply_async run_in_executor".split())  # and whose result holds it
# The classes whose instances run functions, and methods that do; the parameters by which others are given some.
_TASKS = frozenset("Thread Process Timer call_soon".split()) | _HOLDING
_CALLBACKS = frozenset("target callback key func function fun initializer hook".split())
_PLACES = {  # and the places, of functions that take some by no such name
    **dict.fromkeys(
        "apply_along_axis apply_over_axes fromfunction iter timeit takewhile dropwhile filterfalse".split(), 0
    ),
    **dict.fromkeys(
        "cmp_to_key map call callback quad odeint solve_ivp minimize minimize_scalar root root_scalar".split(), 0
    ),
    **dict.fromkeys("fsolve brentq newton least_squares leastsq curve_fit differential_evolution".split(), 0),
    **dict.fromkeys("submit apply_async call_soon".split(), 0),
    **dict.fromkeys("accumulate groupby FuncAnimation generic_filter Timer run_in_executor".split(), 1),
    **dict.fromkeys("nsmallest nlargest piecewise".split(), 2),
    "dump": "default",
    "dumps": "default",
}
# What says on what it runs functions, and what runs none.
_RUNNING = frozenset("map filter reduce starmap partial".split())
_LOOKING = frozenset(
    """getattr setattr hasattr isinstance issubclass callable type id repr str print super vars
    wraps update_wrapper vectorize frompyfunc""".split()  # these call nothing yet
)
_NOT_WRITTEN = NO_ARRAYS | {"list", "dict", "tuple", "set", "instance"}


def call_library(state: Transfer, one: Instruction, call: ast.Call, qualified: str | None) -> None:
    """Evaluate a call of something that is not of the project."""
    result = state.registers[one.result]
    name = as_numpy(qualified) if qualified else None
    for target in written(state, call, qualified):
        state.write(one, target)
        if state.is_blind(target):
            state.graph.blind.append(one)
    last = (name or qualified or ast.unparse(call.func)).rpartition(".")[2]
    runs_alone = last in _RUNNING and not (isinstance(call.func, ast.Attribute) and qualified is None)  # not `pool.map`
    runs_alone = runs_alone or qualified == PARAMETRIZE
    looks = last in _LOOKING or (qualified or "").startswith("inspect.")
    if last in _TASKS or not (runs_alone or looks or last[:1].isupper()):
        _lend(
            state, one, last, known_alone=calls_none(state, call, qualified)
        )  # before what holds all of it makes them one
    if name is not None:
        _numpy(state, one, call, name)
    elif (helper := helper_named(qualified or "")) is not None:
        _helper(state, call, helper, result)
    elif is_class_of_something(call.func):  # which may be a container's
        for _, node in state.arguments(one):
            state.take_items_of_container(one, node, result)
        call_known(state, one, call, qualified, result)
    elif isinstance(call.func, ast.Call) and not callees(state.module, state.slots.index, call.func):
        _of_made(state, one, call, call.func, result)
    elif (method := _of_container(state, call)) is not None:
        call_method(state, one, *method, result)
        state.graph.unseen.append(Unseen(one, result, [state.node(call.args[0])]))
        state.graph.kept |= {(one, state.node(part)): None for part in kept_by(method[0])}
    elif isinstance(call.func, ast.Attribute) and (
        qualified is None or is_member(state.slots.index.modules, qualified)
    ):
        _method(state, one, call, call.func)
    else:
        call_known(state, one, call, qualified, result)


def _method(state: Transfer, one: Instruction, call: ast.Call, method: ast.Attribute) -> None:
    """Evaluate a call of a method of something: of what an array is given by stars `out=` is written to."""
    call_method(state, one, call, method, state.registers[one.result])
    is_array = state.kind(method.value) == "array"
    if is_array and _has_starred_output(state, call, f"numpy.ndarray.{method.attr}"):
        given = with_receiver(state.node(method.value), state.arguments(one))
        state.graph.deferred.append(Deferred(state.slots.library_body("method_makes"), given, Node(), one))
    if method.attr == "__get__":
        given = with_receiver(state.node(method.value), state.arguments(one))
        binds, getter = state.slots.library_body("method_binds"), state.registers[one.operands[0]]
        itself, given_to = state.node(method.value), given[1:2]
        bound = ((binds, given), (getter, given_to), (itself, given_to))  # of a property what it does
        state.graph.deferred += [Deferred(each, passed, state.registers[one.result], one) for each, passed in bound]
    if method.attr in ("__iter__", "__next__"):
        state.graph.unseen.append(Unseen(one, state.registers[one.result], [state.node(method.value)]))


def _lend(state: Transfer, one: Instruction, name: str, *, known_alone: bool) -> None:
    """Run the functions that a library is given on whatever else it is: `sorted(xs, key=f)`, `Thread(None, f, xs)`.

    What calls none may give back those that it is given, so they are run, too; not what may become one, or an array.
    """
    given_ones = state.arguments(one)
    nodes = [node for _, node in given_ones]
    runs, items = name in _TASKS, _items(nodes)
    named = [node for place, node in given_ones if place in _CALLBACKS or (name in _PLACES and place == _PLACES[name])]
    named += _items(named)  # `np.piecewise(x, conditions, [f, g])`
    asked = nodes if runs else named
    are_functions = {node for node in (*nodes, *items) if _is_function(state, node)}
    if known_alone:
        are_functions = {node for node in are_functions if not find(node).flags & ARRAY}
    else:
        are_functions |= {node for node in asked if _may_become_function(node, by_word=node in named)}
    functions = [node for node in (*nodes, *items) if node in are_functions]
    made = [] if known_alone else [node for node in nodes if node not in functions and _may_be_made(node)]
    tables = [node for node in nodes if any(find(held) in functions for held in find(node).fields.values())]
    others = [node for node in nodes if node not in functions and node not in tables] if functions or made else []
    func = getattr(one.node, "func", None)
    if functions and isinstance(func, ast.Attribute) and state.module.names.of(func, state.body.scope) is None:
        others.append(state.node(func.value))  # `xs.sort(key=f)`
    if not others:  # what it has besides arguments may be written to
        state.graph.deferred += [Deferred(function, [], Node(), one) for function in dict.fromkeys(functions)]
    if getattr(func, "attr", "") == "starmap":  # of a pool, which goes through the tuples of arguments
        others += [field(node, "[]") for node in others]
    unpacked = [node for place, node in given_ones if place in ("args", "kwargs")]
    whole = [node for node in others if node not in unpacked]
    compared = Node() if "key" in [place for place, _ in given_ones] else None  # what a key gives
    found = compared or _found_by(state, one, name)
    for given in [*whole, *(field(node, "[]") for node in others)]:
        places: list[Argument] = [(place, given) for place in range(_MOST_LENT)]
        called = [*functions, *(node for node in made if node is not given)]
        state.graph.deferred += [Deferred(function, places, found or Node(), one) for function in called]
    if not known_alone and state.slots.has_method(_CALL):
        _lend_untold(state, one, [node for node in (*nodes, *items) if node not in functions], compared or Node())
    lend(state, one, [compared] if compared is not None else [])


def _found_by(state: Transfer, one: Instruction, name: str) -> Node | None:
    """What a call gives of what the functions give that it runs: `pool.submit(f, x).result()`."""
    result = state.registers[one.result]
    return result if name in _GIVING else field(result, "[]") if name in _HOLDING else None


def _items(nodes: list[Node]) -> list[Node]:
    """What containers hold."""
    return [find(held) for node in nodes for label, held in find(node).fields.items() if label[0] == "["]


def _lend_untold(state: Transfer, one: Instruction, nodes: list[Node], result: Node) -> None:
    """Call what may turn out to be an object that is called as a function is: `minimize(KINDS[name](data), x)`.

    What callers pass is only called where functions are given: each of them would have to say what it is not.
    """
    nodes = list(dict.fromkeys(map(find, nodes)))
    for node in nodes:
        if not (node.flags & (ARRAY | LIKELY | PASSED) or node.bodies or node.classes):
            others = (other for other in nodes if other is not node)
            given: list[Argument] = [(place, other) for other in others for place in range(_MOST_LENT)]
            state.graph.deferred.append(Deferred(node, given, result, one, set(), _CALL))


def _is_function(state: Transfer, node: Node) -> bool:
    """Whether something is a function that may write to or keep what it gets: most of NumPy's do not."""
    known = find(node)
    if known.classes:
        is_assigned = _CALL in assigned_methods(state.slots.index)
        return is_assigned or any(owner.method(_CALL) is not None for owner in known.classes)
    return not known.flags & ARRAY and (is_partial(known) or not harmless_functions().issuperset(known.bodies))


def _may_become_function(node: Node, *, by_word: bool) -> bool:
    """Whether something may turn out to be a function, for all that is known of it, or an object called as one."""
    known = find(node)
    if known.flags & ARRAY or known.bodies or known.classes:
        return False
    is_passed = not known.flags & OBJECT and bool(known.flags & PASSED)
    return by_word or is_passed or bool(known.members) or _may_be_made(known)


def _may_be_made(node: Node) -> bool:
    """Whether something may turn out to be an object of a class that nothing has told yet: `make(S, x)`."""
    known = find(node)
    return bool(known.flags & OBJECT and known.flags & OPAQUE and not (known.bodies or known.classes))


def _of_made(state: Transfer, one: Instruction, call: ast.Call, maker: ast.Call, result: Node) -> None:
    """What a function gives that a call has made: `itemgetter("w")(d)`, `attrgetter("w")(x)`, `wraps(f)(g)`."""
    name = state.module.names.of(maker.func, state.body.scope)
    given = [state.node(part) for part in call.args]
    for node in given:
        unify(result, node if name == "functools.wraps" else field(node, "[]"))
        for wrapped in maker.args[:1] if name == "functools.wraps" else ():
            unify(field(node, ".__wrapped__"), state.node(wrapped))
    if name == "operator.methodcaller" and maker.args and call.args:
        _call_method_of(state, one, call, maker, result)
    register_dispatched(state, maker.func, call.args)
    attribute = text_in(maker.args[0]) if name == "operator.attrgetter" and len(maker.args) == 1 else None
    if attribute is not None and "." not in attribute:  # else the function that it is given runs
        for holder in call.args:
            unify(result, attribute_named(state, one, holder, attribute))
    state.graph.computed.append((result, [state.node(part) for part in maker.args]))  # `getattr(x, "copy")()`
    taken = _attribute_taken(state, maker)
    if taken is not None:
        call_method(state, one, ast.Call(taken, call.args, call.keywords), taken, result)


def _attribute_taken(state: Transfer, call: ast.Call) -> ast.Attribute | None:
    """`x.copy` for `getattr(x, "copy")` and `attrgetter("copy")(x)`."""
    maker, given = call.func, call.args
    if isinstance(maker, ast.Call) and state.module.names.of(maker.func, state.body.scope) == "operator.attrgetter":
        given = [*given, *maker.args]
    elif getattr(maker, "id", "") != "getattr":
        return None
    attribute = text_in(given[1]) if len(given) > 1 else None
    return None if attribute is None or "." in attribute else ast.Attribute(given[0], attribute, ast.Load())


def _call_method_of(state: Transfer, one: Instruction, call: ast.Call, maker: ast.Call, result: Node) -> None:
    """`methodcaller("fill", 0)(x)` calls `x.fill(0)`."""
    method = Node()
    for part in maker.args[:1]:
        if isinstance(part, ast.Constant):
            unify(method, attribute_named(state, one, call.args[0], str(part.value)))
        else:
            bind_any_method(state, call.args[0], part, call, method)
    given: list[Argument] = [(place, state.node(part)) for place, part in enumerate(maker.args[1:])]
    state.defer(call, method, given, result)


def _of_container(state: Transfer, call: ast.Call) -> tuple[ast.Call, ast.Attribute] | None:
    """`dict.get(d, k)` and `type(d).get(d, k)` as `d.get(k)`."""
    func = call.func
    if not isinstance(func, ast.Attribute) or not call.args or func.attr == "fromkeys":
        return None
    name = getattr(func.value, "id", "")
    known = name in (*CONTAINERS, "frozenset", "object") and state.body.scope.owner(name) is None
    if not known and not is_class_of_something(func.value):
        return None
    method = ast.Attribute(call.args[0], func.attr, ast.Load())
    return ast.Call(method, call.args[1:], call.keywords), method


def _helper(state: Transfer, call: ast.Call, name: str, result: Node) -> None:
    """Evaluate a helper that an earlier run has written: a value that was bound again is a new one."""
    if name in traits.PASSING and call.args:
        unify(result, state.node(call.args[0]))
    else:
        mark(result, MADE | FOREIGN | (ARRAY if name in traits.UPDATES or name == "drawn" else 0))


def written(state: Transfer, call: ast.Call, qualified: str | None) -> list[ast.expr]:
    """The arguments, or the receiver, whose memory a call of NumPy or of an array's method writes to."""
    declared = state.module.names.taught.effects.get(qualified or "")
    found = declared.given(call, declared.writes) if declared is not None else []
    if qualified is not None and (as_numpy(qualified) or qualified in traits.MUTATED_ARGUMENT):
        name, call = function_named(qualified), unfolded(call)
        mutated = traits.MUTATED_ARGUMENT.get(name) or ((0, "a") if writes_to_first(name) else None)
        if mutated is not None:
            named = [word.value for word in call.keywords if word.arg == mutated[1]]
            found += call.args[mutated[0] : mutated[0] + 1] or named
        found += outputs(call, name)
        found = [one.value if isinstance(one, ast.Starred) else one for one in found]
        if name == "numpy.nan_to_num" and call.args and writes_to_itself(call):
            found.append(call.args[0])
    elif (target := written_by_class(call)) is not None:
        found.append(target)
    elif isinstance(call.func, ast.Attribute):
        if call.func.attr in traits.MUTATING_METHODS and state.kind(call.func.value) not in _NOT_WRITTEN:
            found.append(call.func.value)
        if call.func.attr in traits.RNG_MUTATING_METHODS:
            found += call.args[:1]
        if state.kind(call.func.value) not in _NOT_WRITTEN:
            found += method_outputs(unfolded(call))
    return [one for one in found if state.kind(one) not in _NOT_WRITTEN]


def _seen_through(call: ast.Call, name: str) -> list[ast.expr]:
    """The arguments whose memory the result of a function may be, though it is none for views."""
    if name == "numpy.nan_to_num" and writes_to_itself(call):
        return call.args[:1]
    return given_back(call, name)


def _has_starred_output(state: Transfer, call: ast.Call, name: str) -> bool:
    """Whether a call of a function of NumPy's is given `out=` among arguments with stars."""
    return bool(starred_outputs(state.slots.index, state.module, unfolded(call), name))


def _as_value(state: Transfer, one: Instruction, name: str, result: Node) -> None:
    """Run what does with memory what a function of NumPy's does, on arguments of which stars say what they are for."""
    function = state.slots.library_function(name)
    if function is not None:
        state.graph.deferred.append(Deferred(function, state.arguments(one), result, one))


def _numpy(state: Transfer, one: Instruction, call: ast.Call, name: str) -> None:
    result = state.registers[one.result]
    if _has_starred_output(state, call, function_named(name)):
        _as_value(state, one, name, result)
    if name in ("numpy.vectorize", "numpy.frompyfunc") and call.args:  # which gives arrays of what the function gives
        hold_first(state.slots.library_body("vectorized"), state.node(call.args[0]), result)
        return
    copies = name in traits.COPY_FUNCTIONS and may_not_copy(call)
    outs = [state.node(part) for part in outputs(call, name)]
    if len(outs) > 1:  # `np.modf(x, out=(a, b))` gives both, as items
        mark(result, OBJECT)
        for position, node in enumerate(outs):
            unify(field(result, label_of(position)), node)
            mark(node, ARRAY)
        return
    given = outs
    if (name in traits.VIEW_FUNCTIONS or copies) and call.args and state.kind(call.args[0]) not in ("list", "tuple"):
        value, node = state.value(call.args[0]), state.node(call.args[0])
        asked = value.ref.method("__array__") if value.kind == "instance" else None
        if asked is not None:  # which gives an array of its own, or one that it keeps
            state.functions([asked], [], result, one, receiver=node)
            return
        may_have_one = value.kind == "unknown" and "__array__" in state.slots.index.methods
        given.append(field(node, ".T") if may_have_one else node)
        state.method_of_classes("__array__", node, [], result, one)
    if name == "numpy.ndenumerate":  # which is asked later
        state.graph.kept |= {(one, state.node(part)): None for part in call.args[:1]}
    given += [state.node(part) for part in _seen_through(call, name)]
    for each in given:
        unify(result, each)
    has_arrays = traits.RESULTS.get(name, "array") in ("array", "list", "tuple")
    if not given:
        state.graph.fresh.add(one.result)
        mark(result, MADE if has_arrays else MADE | FOREIGN)
    if has_arrays:
        mark(result, ARRAY)
