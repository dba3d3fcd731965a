"""What calls outside the project do with memory: NumPy's functions and methods, builtins, containers, and others.

NumPy's tables say what is a view and what is written to. What gives the items of what it is given, as `zip` and
`dict.get` do, is named here. A function of another library is taken to give something of its own, and an object of
one of its classes to hold what it was made with.
"""

from __future__ import annotations

import ast

from tnp_migrate.analysis.calls import Argument
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.foreign_objects import NO_ARRAYS, make_object
from tnp_migrate.analysis.frames import as_numpy
from tnp_migrate.analysis.graphs import Unseen
from tnp_migrate.analysis.heap import (
    AGAIN,
    ANY_ATTRIBUTE,
    ARRAY,
    FOREIGN,
    MADE,
    OBJECT,
    PAIR,
    SENT,
    STORED,
    Node,
    arrays_held,
    field,
    find,
    is_of_known_origin,
    label_of,
    mark,
    second_of,
    unify,
)
from tnp_migrate.analysis.library_functions import MAKING, body_like
from tnp_migrate.analysis.partials import hold_partial
from tnp_migrate.analysis.writes import function_named, writes_to_first, writes_to_itself
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.effects import Effects
from tnp_migrate.numpy_facts.signatures import kept_by, method_outputs, outputs
from tnp_migrate.program.names import helper_named, is_within

_SAME_ITEMS = frozenset("list tuple set frozenset sorted reversed iter deque chain islice cycle UserList".split())
_CHOSEN = frozenset("accumulate compress takewhile dropwhile filterfalse nlargest nsmallest merge".split())
_NESTED = frozenset("from_iterable tee pairwise batched groupby".split())
_AN_ITEM = frozenset("next max min sum choice heappop".split())
_ITEM_METHODS = frozenset("get pop popleft popitem setdefault __getitem__ __next__ send asend".split())
_ITEMS_METHODS = frozenset("values copy __iter__ most_common".split())
_ITERATING = _SAME_ITEMS | _AN_ITEM | frozenset("dict zip enumerate product map filter reduce starmap".split())
_SAME = frozenset("memoryview staticmethod classmethod singledispatch update_wrapper".split())
_CONTAINERS = frozenset("list tuple dict set frozenset object".split())
_DICTS = frozenset("dict OrderedDict defaultdict MappingProxyType UserDict ChainMap".split())
_NOT_WRITTEN = NO_ARRAYS | {"list", "dict", "tuple", "set", "instance"}


def call_library(state: Transfer, one: Instruction, call: ast.Call, qualified: str | None) -> None:
    """Evaluate a call of something that is not of the project."""
    result = state.registers[one.result]
    name = as_numpy(qualified) if qualified else None
    for target in written(state, call, qualified):
        state.write(one, target)
        if state.is_blind(target):
            state.graph.blind.append(one)
    if name is not None:
        _numpy(state, one, call, name)
    elif (helper := helper_named(qualified or "")) is not None:
        _helper(state, call, helper, result)
    elif isinstance(call.func, ast.Call):
        _of_made(state, call, call.func, result)
    elif (method := _of_container(state, call)) is not None:
        _method(state, one, *method, result)
        state.graph.unseen.append(Unseen(one, result, [state.node(call.args[0])]))
    elif isinstance(call.func, ast.Attribute) and (qualified is None or _is_method(state, qualified)):
        _method(state, one, call, call.func, result)
        if call.func.attr in ("__iter__", "__next__"):
            state.graph.unseen.append(Unseen(one, result, [state.node(call.func.value)]))
    else:
        _other(state, one, call, qualified, result)


def _of_made(state: Transfer, call: ast.Call, maker: ast.Call, result: Node) -> None:
    """What a function gives that a call has made: `itemgetter("w")(d)`, `attrgetter("w")(x)`, `wraps(f)(g)`."""
    name = state.module.names.of(maker.func, state.body.scope)
    given = [state.node(part) for part in call.args]
    for node in given:
        unify(result, node if name == "functools.wraps" else field(node, "[]"))
    attribute = maker.args[0] if name == "operator.attrgetter" and len(maker.args) == 1 else None
    if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
        for node in given:
            unify(result, field(node, f".{attribute.value}"))
    state.graph.computed.append((result, [state.node(part) for part in maker.args]))  # `getattr(x, "copy")()`


def _of_container(state: Transfer, call: ast.Call) -> tuple[ast.Call, ast.Attribute] | None:
    """`dict.get(d, k)` as `d.get(k)`."""
    func = call.func
    if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name) or not call.args:
        return None
    if func.value.id not in _CONTAINERS or state.body.scope.owner(func.value.id) is not None or func.attr == "fromkeys":
        return None
    method = ast.Attribute(call.args[0], func.attr, ast.Load())
    return ast.Call(method, call.args[1:], call.keywords), method


def _helper(state: Transfer, call: ast.Call, name: str, result: Node) -> None:
    """Evaluate a helper that an earlier run has written: a value that was bound again is a new one."""
    if name == "received" and call.args:
        unify(result, state.node(call.args[0]))
    else:
        mark(result, MADE | FOREIGN | (ARRAY if name in traits.UPDATES else 0))


def _is_method(state: Transfer, qualified: str) -> bool:
    """Whether a qualified name is of something that a module of the project holds: `stores.A.copy()`."""
    modules = state.slots.index.modules
    return is_within(modules, qualified) and qualified.rpartition(".")[0] not in modules


def written(state: Transfer, call: ast.Call, qualified: str | None) -> list[ast.expr]:
    """The arguments, or the receiver, whose memory a call of NumPy or of an array's method writes to."""
    declared = state.module.names.taught.effects.get(qualified or "")
    found = declared.given(call, declared.writes) if declared is not None else []
    if qualified is not None and (as_numpy(qualified) or qualified in traits.MUTATED_ARGUMENT):
        name = function_named(qualified)
        mutated = traits.MUTATED_ARGUMENT.get(name) or ((0, "a") if writes_to_first(name) else None)
        if mutated is not None:
            named = [word.value for word in call.keywords if word.arg == mutated[1]]
            found += call.args[mutated[0] : mutated[0] + 1] or named
        found += outputs(call, name)
        if name == "numpy.nan_to_num" and call.args and writes_to_itself(call):
            found.append(call.args[0])
    elif isinstance(call.func, ast.Attribute):
        if call.func.attr in traits.MUTATING_METHODS and state.kind(call.func.value) not in _NOT_WRITTEN:
            found.append(call.func.value)
        if call.func.attr in traits.RNG_MUTATING_METHODS:
            found += call.args[:1]
        if state.kind(call.func.value) not in _NOT_WRITTEN:
            found += method_outputs(call)
    return [one for one in found if state.kind(one) not in _NOT_WRITTEN]


def _numpy(state: Transfer, one: Instruction, call: ast.Call, name: str) -> None:
    result = state.registers[one.result]
    copies = name in traits.COPY_FUNCTIONS and any(
        word.arg == "copy" and not (isinstance(word.value, ast.Constant) and word.value.value is True)
        for word in call.keywords
    )
    given = outputs(call, name)
    if (name in traits.VIEW_FUNCTIONS or copies) and call.args and state.kind(call.args[0]) not in ("list", "tuple"):
        value = state.value(call.args[0])
        asked = value.ref.method("__array__") if value.kind == "instance" else None
        if asked is not None:  # which gives an array of its own, or one that it keeps
            state.functions([asked], [], result, one, receiver=state.node(call.args[0]))
            return
        given = [*given, call.args[0]]
    for part in given:
        unify(result, state.node(part))
    has_arrays = traits.RESULTS.get(name, "array") in ("array", "list", "tuple")
    if not given:
        state.graph.fresh.add(one.result)
        mark(result, MADE if has_arrays else MADE | FOREIGN)
    if has_arrays:
        mark(result, ARRAY)


def _method(state: Transfer, one: Instruction, call: ast.Call, func: ast.Attribute, result: Node) -> None:  # noqa: PLR0912  # a ladder of cases by name
    receiver, kind = state.node(func.value), state.kind(func.value)
    if kind in NO_ARRAYS:
        return
    if kind in ("array", "rng"):
        copies = func.attr == "astype" and any(word.arg == "copy" for word in call.keywords)
        given = method_outputs(call)
        if func.attr in traits.VIEW_METHODS or func.attr == "__getitem__" or copies:
            given = [*given, func.value]
        for part in given:
            unify(result, state.node(part))
        if not given:
            state.graph.fresh.add(one.result)
            mark(result, MADE)
        if traits.ARRAY_METHODS.get(func.attr, "array") == "array":
            mark(result, ARRAY)
        return
    for part in kept_by(call):
        _keep(state, one, receiver, call, part)
    if func.attr in ("send", "asend"):
        for part in call.args:
            unify(field(receiver, SENT), state.node(part))
    if func.attr in _ITEM_METHODS:
        key = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
        at = key if isinstance(key, int | str) and not isinstance(key, bool) and func.attr != "pop" else None
        unify(result, field(receiver, label_of(at)))
        for part in call.args[1:] if func.attr in ("get", "pop", "setdefault") else ():
            unify(result, state.node(part))
    elif func.attr == "items":
        mark(result, OBJECT)
        pair = field(result, "[]")
        mark(pair, OBJECT | PAIR)
        unify(field(pair, "[1]"), field(receiver, "[]"))
    elif func.attr in _ITEMS_METHODS:
        is_object = find(receiver).flags & (ARRAY | OBJECT) == OBJECT
        if func.attr != "copy" or kind in ("list", "dict", "set") or is_object:
            unify(field(result, "[]"), field(receiver, "[]"))
    elif func.attr in traits.VIEW_METHODS:  # of what may be an array: the fields of views are its own then
        unify(result, field(receiver, ".T"))
    elif func.attr == "fromkeys":
        for part in call.args[1:]:
            unify(field(result, "[]"), state.node(part))
    elif func.attr in ("enter_context", "enter_async_context"):
        for part in call.args:
            state.enter(state.node(part), result, one)
        state.graph.unseen.append(Unseen(one, result, [result]))
    elif func.attr == "_replace":
        unify(result, receiver)
    elif func.attr == "_asdict":
        unify(field(result, "[]"), field(receiver, "[]"))
    gives = traits.ARRAY_METHODS.get(func.attr, "array" if func.attr[:2] == "__" else "unknown")
    if gives == "array" and find(receiver).flags & ARRAY:
        mark(result, ARRAY)
    elif gives in ("array", "tuple"):
        state.graph.computed.append((field(result, "[]") if gives == "tuple" else result, [receiver]))
    if func.attr not in _ITEM_METHODS and is_of_known_origin(receiver) and kind not in ("class", "instance"):
        mark(result, MADE)


def _keep(state: Transfer, one: Instruction, receiver: Node, call: ast.Call, given: ast.expr) -> None:
    """Note that a container keeps an argument of a method of it, or the items of it."""
    assert isinstance(call.func, ast.Attribute)
    node = state.node(given)
    mark(node, STORED)
    state.graph.stores.append((one, node))
    if call.func.attr in ("extend", "extendleft", "update") and not any(word.value is given for word in call.keywords):
        if call.func.attr == "update":
            _take_items(state, receiver, node)
        else:
            unify(field(receiver, "[]"), field(node, "[]"))
    elif state.kind(given) not in NO_ARRAYS:
        unify(field(receiver, "[]"), node)


def _other(state: Transfer, one: Instruction, call: ast.Call, qualified: str | None, result: Node) -> None:  # noqa: PLR0912, PLR0915  # a ladder of cases by name
    """Evaluate a builtin, or a function or class of another library, by its last name, or as it is declared."""
    declared = state.module.names.taught.effects.get(qualified or "")
    if declared is not None:
        _declared(state, declared, call, result)
        return
    name = (qualified or "").rpartition(".")[2] or getattr(call.func, "id", "")
    nodes = [state.node(part) for part in call.args]
    if qualified in traits.MUTATED_ARGUMENT:  # `operator.iadd`, which the functional stage follows by its name
        mark(result, MADE)
    if name in _ITERATING:
        for part in nodes:
            state.iterated(part, one)
    like = body_like(qualified) if qualified is not None else None
    if (name in MAKING or like == "makes") and nodes:
        made_of = [*nodes, field(nodes[0], "[]")] if name == "sum" else nodes
        state.graph.computed.append((field(result, "[]") if name == "divmod" else result, made_of))
    if name == "defaultdict" and nodes:
        state.defer(call, nodes[0], [], field(result, "[]"))
        nodes = nodes[1:]
    if name in _SAME_ITEMS or name in _DICTS:
        mark(result, OBJECT | MADE)
        for part in nodes:
            _take_items(state, result, part) if name in _DICTS else unify(field(result, "[]"), field(part, "[]"))
        for word in call.keywords if name in _DICTS else ():
            unify(field(result, label_of(word.arg)), state.node(word.value))
    elif name in _CHOSEN:
        for part in nodes:
            unify(field(result, "[]"), field(part, "[]"))
        state.graph.computed.append((field(result, "[]"), [field(part, "[]") for part in nodes]))
    elif name in _NESTED:
        for part in nodes[:1]:
            inside = field(part, "[]")
            if name == "from_iterable":
                unify(field(result, "[]"), field(inside, "[]"))
            else:
                unify(field(field(result, "[]"), "[]"), inside)
    elif like == "gives_part" and name != "getitem":
        unify(result, state.slots.library_function(qualified or "") or Node())
    elif like == "gives_part" and nodes:
        unify(result, field(nodes[0], "[]"))
    elif name in ("zip", "enumerate", "product", "zip_longest", "combinations", "permutations"):
        _tuples(result, nodes, first=1 if name == "enumerate" else 0)
    elif name in _AN_ITEM:
        for part in nodes if len(nodes) > 1 and name in ("max", "min") else ():
            unify(result, part)
        if nodes:
            unify(result, field(nodes[0], "[]"))
    elif name in ("map", "filter", "reduce", "starmap") and nodes:
        _applied(state, name, call, nodes, result)
    elif name == "partial" and nodes:
        hold_partial(call, nodes, [state.node(word.value) for word in call.keywords], result)
    elif name in _SAME and nodes:
        unify(result, nodes[0])
    elif name in ("cache", "lru_cache") and nodes:
        state.slots.cached.update(find(nodes[0]).bodies)
        unify(result, nodes[0])
    elif name == "getattr" and len(call.args) > 1:
        attribute = call.args[1].value if isinstance(call.args[1], ast.Constant) else None
        if isinstance(attribute, str):
            unify(result, _attribute(state, call.args[0], attribute))
        else:
            state.graph.picked.append((nodes[0], result))
        for part in nodes[2:]:
            unify(result, part)
    elif name == "setattr" and len(call.args) > 2:
        attribute = call.args[1].value if isinstance(call.args[1], ast.Constant) else None
        mark(nodes[0], OBJECT)
        mark(nodes[2], STORED | AGAIN)
        if isinstance(attribute, str):
            unify(field(nodes[0], f".{attribute}"), nodes[2])
        elif not find(nodes[2]).bodies:
            unify(field(nodes[0], ANY_ATTRIBUTE), nodes[2])
    elif name in ("copy", "replace") and nodes:  # what it holds is the same, only not what is bound to it later
        if state.kind(call.args[0]) != "array":
            unify(result, nodes[0])
            state.graph.handed.setdefault(one.result, []).extend(arrays_held(find(nodes[0])))
    elif name == "globals":
        unify(result, state.slots.namespace(state.module))
    elif name in ("vars", "asdict", "astuple") and nodes:
        mark(result, OBJECT)
        unify(field(result, "[]"), field(nodes[0], ANY_ATTRIBUTE))
        if name == "vars":
            state.graph.handed.setdefault(one.result, []).append(field(result, "[]"))
    else:
        make_object(state, call, qualified, result)


def _attribute(state: Transfer, holder: ast.expr, name: str) -> Node:
    """What `getattr(x, "name")` gives: of a module its function."""
    qualified = state.module.names.of(holder, state.body.scope)
    function = state.slots.library_function(f"{qualified}.{name}") if qualified is not None else None
    return function or field(state.node(holder), f".{name}")


def _take_items(state: Transfer, into: Node, given: Node) -> None:
    """Let a dict hold what it is made of or updated with: the items of a mapping, the second ones of pairs."""
    item = field(given, "[]")
    second = second_of(item)
    unify(field(into, "[]"), item if second is None else second)
    if second is None:
        state.graph.paired[into, item] = None


def _declared(state: Transfer, declared: Effects, call: ast.Call, result: Node) -> None:
    """A function of which the user says what it does."""
    for one in declared.given(call, declared.shares):
        unify(result, state.node(one))
    for one in declared.given(call, declared.keeps):
        mark(state.node(one), STORED | AGAIN)
    if declared.value.is_array:
        mark(result, ARRAY)


def _tuples(result: Node, nodes: list[Node], first: int) -> None:
    mark(result, OBJECT)
    item = field(result, "[]")
    mark(item, OBJECT | PAIR)
    for position, one in enumerate(nodes, first):
        unify(field(item, f"[{position}]"), field(one, "[]"))


def _applied(state: Transfer, name: str, call: ast.Call, nodes: list[Node], result: Node) -> None:
    """Evaluate what runs a function on the items of something: `map(f, xs)`."""
    given = Node()
    if name == "filter":
        for part in nodes[1:]:
            unify(field(result, "[]"), field(part, "[]"))
    elif name == "reduce":
        unify(result, given)
    else:
        unify(field(result, "[]"), given)
    items = [field(one, "[]") for one in nodes[1:]]
    arguments = [result, items[0]] if name == "reduce" and items else items
    places: list[Argument] = [(None, one) for one in items] if name == "starmap" else list(enumerate(arguments))
    state.defer(call, nodes[0], places, given)
    if name == "reduce":
        for one in nodes[2:] or items[:1]:
            unify(result, one)
