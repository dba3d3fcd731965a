"""What builtins, functions of the standard library and declared ones do with memory, by their names.

What gives the items of what it is given, as `zip` does, what runs functions, and what binds or reads attributes. Any
other function of a library is taken to give something of its own, or an object of one of its classes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from tnp_migrate.analysis.bound_methods import give_any_function
from tnp_migrate.analysis.calls import Argument
from tnp_migrate.analysis.common_methods import that_calls, that_reads, that_records
from tnp_migrate.analysis.copies import give_copy, give_deep_copy, give_itself, give_replaced
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.field_declarations import declare_field, give_combined, give_factory
from tnp_migrate.analysis.foreign_objects import make_object
from tnp_migrate.analysis.graphs import Graph, Unseen
from tnp_migrate.analysis.heap import (
    ANY_ATTRIBUTE,
    ARRAY,
    DELETER,
    GETTER,
    MADE,
    OBJECT,
    PAIR,
    SETTER,
    Node,
    field,
    find,
    is_array_or_unknown,
    label_of,
    mark,
    second_of,
    unify,
)
from tnp_migrate.analysis.library_calls import Given
from tnp_migrate.analysis.library_functions import MAKING, PARTS, body_like
from tnp_migrate.analysis.named_attributes import give_attribute_named, give_members, set_attribute_named
from tnp_migrate.analysis.operator_methods import run_function_of_operator, run_operators, run_summed
from tnp_migrate.analysis.partials import hold_partial
from tnp_migrate.analysis.places import give_attributes, give_classes_by
from tnp_migrate.analysis.stores import keep_beside
from tnp_migrate.analysis.suspended import hold_frames_of
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.effects import Effects
from tnp_migrate.numpy_facts.values import NOTHING
from tnp_migrate.program.fields import COMBINING, DECLARING, FACTORIES
from tnp_migrate.program.nodes import text_in


def _builtin(state: Transfer, func: ast.expr) -> str:
    """The name of a builtin that is called; "" for a variable, whatever it is called."""
    return func.id if isinstance(func, ast.Name) and state.body.scope.owner(func.id) is None else ""


def call_known(state: Transfer, one: Instruction, call: ast.Call, qualified: str | None, result: Node) -> None:
    """Evaluate a builtin, or a function or class of another library, by its last name, or as it is declared."""
    declared = state.module.names.taught.effects.get(qualified or "")
    if declared is not None:
        _declared(state, declared, call, result)
        return
    name = (qualified or "").rpartition(".")[2] or _builtin(state, call.func)
    given = Given(state, one, call, name, result)
    nodes = given.nodes
    if qualified in traits.MUTATED_ARGUMENT and qualified not in _HANDLERS:  # `np.copyto`, which gives nothing
        mark(result, MADE)
    like = body_like(qualified) if qualified is not None else None
    if (name in MAKING or (like or "").startswith("makes")) and nodes:
        made_of = [*nodes, field(nodes[0], "[]")] if name == "sum" else nodes
        state.graph.computed.append((field(result, "[]") if name == "divmod" else result, made_of))
    handler = _HANDLERS.get(qualified or "") or _HANDLERS.get(name)
    if like == "gives_part" and nodes and qualified in PARTS:
        handler = _part_of_what_is_given if name == "getitem" else _reader
    elif handler is None and (qualified or "").startswith("operator.") and given.joins:
        handler = _joined
    special = _SPECIAL.get(name)
    if special is not None and nodes:
        run_operators(state, one, special, nodes[:2], result)
    run_function_of_operator(state, one, qualified, nodes, result)
    for part in nodes if handler in _ITERATING else ():
        state.iterated(part, one)
    hold_frames_of(call, name, nodes, result)
    if handler is not None and (nodes or handler in _WITHOUT_ARGUMENTS):
        handler(given)
    else:
        make_object(state, call, qualified, result)


def take_items(graph: Graph, into: Node, given: Node) -> None:
    """Let a dict hold what it is made of or updated with: the items of a mapping, the second ones of pairs."""
    item = field(given, "[]")
    second = second_of(item)
    unify(field(into, "[]"), item if second is None else second)
    if second is None:
        graph.paired[into, item] = None


def _declared(state: Transfer, declared: Effects, call: ast.Call, result: Node) -> None:
    """A function of which the user says what it does."""
    for one in declared.given(call, declared.shares):
        unify(result, state.node(one))
    for one in declared.given(call, declared.keeps):
        keep_beside(state.node(one))
    if declared.value.is_array:
        mark(result, ARRAY)


# What gives what it is given, or items of it.


def _same(given: Given) -> None:
    unify(given.result, given.nodes[0])


def _wrapper(given: Given) -> None:
    """`update_wrapper(f, g)`, which gives `f`, with `g` as what it wraps."""
    _same(given)
    for node in given.nodes[1:2]:
        unify(field(given.result, ".__wrapped__"), node)


def _same_items(given: Given) -> None:
    mark(given.result, OBJECT | MADE)
    for part in given.nodes:
        unify(field(given.result, "[]"), field(part, "[]"))


def _dict(given: Given) -> None:
    nodes = given.nodes
    if given.name == "defaultdict" and nodes:
        given.state.defer(given.call, nodes[0], [], field(given.result, "[]"))
        nodes = nodes[1:]
    mark(given.result, OBJECT | MADE)
    for part in nodes:
        take_items(given.state.graph, given.result, part)
    for word in given.call.keywords:
        unify(field(given.result, label_of(word.arg)), given.state.node(word.value))


def _pushed(given: Given) -> None:
    """`heappush(xs, x)`, `insort(xs, x)`."""
    mark(given.nodes[0], OBJECT)
    for item in given.nodes[1:2]:
        given.keep(given.nodes[0], item)
    unify(given.result, field(given.nodes[0], "[]"))


def _chosen(given: Given) -> None:
    items = [field(part, "[]") for part in given.nodes]
    for item in items:
        unify(field(given.result, "[]"), item)
    given.state.graph.computed.append((field(given.result, "[]"), items))


def _nested(given: Given) -> None:
    unify(field(field(given.result, "[]"), "[]"), field(given.nodes[0], "[]"))


def _grouped(given: Given) -> None:
    """`groupby(xs)`: what groups have in common, each with an iterator over its own items."""
    mark(given.result, OBJECT)
    pair, items = field(given.result, "[]"), field(given.nodes[0], "[]")
    mark(pair, OBJECT | PAIR)
    mark(field(pair, "[1]"), OBJECT)
    unify(field(field(pair, "[1]"), "[]"), items)
    if len(given.nodes) == 1:
        unify(field(pair, "[0]"), items)


def _from_iterable(given: Given) -> None:
    unify(field(given.result, "[]"), field(field(given.nodes[0], "[]"), "[]"))


def _tuples(given: Given) -> None:
    mark(given.result, OBJECT)
    item = field(given.result, "[]")
    mark(item, OBJECT | PAIR)
    first = 1 if given.name == "enumerate" else 0
    for position, (part, one) in enumerate(zip(given.call.args, given.nodes, strict=True), first):
        if isinstance(part, ast.Starred):  # `zip(*rows)`: items of each of what is in it, in a place that is not known
            unify(field(item, "[]"), field(field(one, "[]"), "[]"))
        else:
            unify(field(item, label_of(position)), field(one, "[]"))


def _gathered(given: Given) -> None:
    mark(given.result, OBJECT)
    for position, one in enumerate(given.nodes):
        unify(field(given.result, f"[{position}]"), one)


def _part_of_what_is_given(given: Given) -> None:
    unify(given.result, field(given.nodes[0], "[]"))
    if given.name in ("next", "sum") and len(given.nodes) > 1:  # what it gives at the end, or begins with
        unify(given.result, given.nodes[1])
    if given.name == "sum":
        run_summed(given.state, given.one, field(given.nodes[0], "[]"), given.result)


def _joined(given: Given) -> None:
    mark(given.result, OBJECT)
    for node in given.nodes:
        unify(field(given.result, "[]"), field(node, "[]"))
    if given.name in ("iadd", "iconcat", "imul", "ior"):
        unify(given.result, given.nodes[0])


def _in_place(given: Given) -> None:
    """`operator.iadd(x, y)`, which gives `x` unless that is a number, and what the class of `x` says it gives."""
    state = given.state
    if state.kind(given.call.args[0]) not in NOTHING:
        unify(given.result, given.nodes[0])
    if given.joins:
        _joined(given)
    for special in (f"__{given.name}__", f"__{given.name[1:]}__"):
        state.method_of_classes(special, given.nodes[0], given.nodes[1:], given.result, given.one)


def _greatest(given: Given) -> None:
    """`max(xs, key=f)`, which gives one of the items."""
    given.state.graph.unseen.append(Unseen(given.one, given.result, given.nodes))
    for part in given.nodes if len(given.nodes) > 1 else ():
        unify(given.result, part)
    _part_of_what_is_given(given)


def _reader(given: Given) -> None:
    """`itemgetter(0)`, which gives an item of what it is called with, `attrgetter("w")` and `methodcaller("step")`."""
    like = {"attrgetter": "reads_attribute", "methodcaller": "calls_member"}.get(given.name, "gives_part")
    text = text_in(given.call.args[0]) if given.call.args else None
    if given.name == "attrgetter" and len(given.call.args) > 1:
        like = "reads_attributes"
    elif text is not None and given.name != "itemgetter":
        named = that_reads(text) if given.name == "attrgetter" else that_calls(text)
        like = named if named in given.state.slots.bodies else like
    unify(given.result, given.state.slots.function(given.state.slots.bodies[like]))


# What makes and runs functions.


def _record_class(given: Given) -> None:
    slots = given.state.slots
    unify(given.result, slots.function(slots.bodies[that_records(slots.index, given.call) or "holds"]))


def _super(given: Given) -> None:
    """`super()` in a method, whose attributes are those of its instance; `super(C, x)` of any other object."""
    method = given.state.graph.function
    own = given.state.graph.parameters[method.parameters[0]] if method is not None and method.takes_self else None
    if not given.call.args and own is not None:
        unify(given.result, own)
    for node in given.nodes[1:2]:
        if own is None or find(node) is not find(own):
            unify(given.result, node)


def _reference(given: Given) -> None:
    """`weakref.ref(x)`, which gives `x` when it is called."""
    mark(given.result, OBJECT)
    unify(field(given.result, "()"), given.nodes[0])


def _property(given: Given) -> None:
    mark(given.result, OBJECT)
    named = [(str(word.arg)[1:], given.state.node(word.value)) for word in given.call.keywords]  # `fset=f`
    for label, function in (*zip((GETTER, SETTER, DELETER), given.nodes, strict=False), *named):
        unify(field(given.result, label), function)


def _class(given: Given) -> None:
    """`type(name, bases, namespace)`, whose instances have what the class has."""
    if len(given.nodes) == 3:
        mark(given.result, OBJECT)
        unify(field(given.result, ANY_ATTRIBUTE), field(given.nodes[2], "[]"))
        unify(field(given.result, "()"), given.result)
        give_any_function(given.nodes[1], given.result)  # what makes instances of the bases


def _partial(given: Given) -> None:
    words = [given.state.node(word.value) for word in given.call.keywords]
    hold_partial(given.call, given.nodes, words, given.result)


def _cache(given: Given) -> None:
    given.state.slots.cached.update(find(given.nodes[0]).bodies)
    unify(given.result, given.nodes[0])


def _applied(given: Given) -> None:
    """`map(f, xs)` and its like run a function on items."""
    result, made = given.result, Node()
    if given.name == "filter":
        for part in given.nodes[1:]:
            unify(field(result, "[]"), field(part, "[]"))
    elif given.name == "reduce":
        unify(result, made)
    else:
        unify(field(result, "[]"), made)
    items = [field(one, "[]") for one in given.nodes[1:]]
    arguments = [result, items[0]] if given.name == "reduce" and items else items
    places: list[Argument] = [(None, one) for one in items] if given.name == "starmap" else list(enumerate(arguments))
    given.state.defer(given.call, given.nodes[0], places, made)
    if given.name == "reduce":
        of_operator = given.state.module.names.of(given.call.args[0], given.state.body.scope) if items else None
        run_function_of_operator(given.state, given.one, of_operator, [result, *items[:1]], result)
        for one in given.nodes[2:] or items[:1]:
            unify(result, one)


def _set_item(given: Given) -> None:
    """`operator.setitem(d, k, x)`; an array copies `x`."""
    if given.state.kind(given.call.args[0]) != "array" and given.state.kind(given.call.args[-1]) not in NOTHING:
        given.keep(given.nodes[0], given.nodes[-1])


def _attributes(given: Given) -> None:
    if given.name == "vars":
        give_attributes(given.state, given.one, given.nodes[0])
    else:
        mark(given.result, OBJECT)
        unify(field(given.result, "[]"), field(given.nodes[0], ANY_ATTRIBUTE))


def _bases(given: Given) -> None:
    """`inspect.getmro(C)` is `C.__mro__`."""
    give_classes_by(given.state, "__mro__", given.nodes[0], given.state.value(given.call.args[0]), given.result)


def _locals(given: Given) -> None:
    """`locals()["x"]`, `eval("x")`: what some variable of the body has; or one of what `eval` is given."""
    result = given.result if given.name == "eval" else field(given.result, "[]")
    for one in given.state.body.instructions:
        stored = one.operation in ("set_global", "set_cell")
        if (stored or one.operation in ("copy", "parameter")) and one.result < given.one.result:
            held = given.state.registers[one.operands[0] if stored else one.result]
            if not find(held).bodies and is_array_or_unknown(find(held)):
                unify(result, held)
    for node in given.nodes[1:]:
        unify(result, field(node, "[]"))


def _globals(given: Given) -> None:
    give_attributes(given.state, given.one, given.state.slots.module_object(given.state.module))


_HANDLERS: dict[str, Callable[[Given], None]] = {
    **dict.fromkeys("memoryview staticmethod classmethod partialmethod singledispatch inspect.unwrap".split(), _same),
    "update_wrapper": _wrapper,
    **dict.fromkeys(
        "list tuple set frozenset sorted reversed iter deque chain islice cycle UserList sample choices".split(),
        _same_items,
    ),
    **dict.fromkeys("dict OrderedDict defaultdict MappingProxyType UserDict ChainMap".split(), _dict),
    **dict.fromkeys("accumulate compress takewhile dropwhile filterfalse nlargest nsmallest merge".split(), _chosen),
    **dict.fromkeys("tee pairwise batched combinations permutations combinations_with_replacement".split(), _nested),
    "groupby": _grouped,
    **dict.fromkeys("zip enumerate product zip_longest".split(), _tuples),
    **dict.fromkeys("next sum choice heappop".split(), _part_of_what_is_given),
    **dict.fromkeys("max min".split(), _greatest),
    **dict.fromkeys("map filter reduce starmap".split(), _applied),
    **dict.fromkeys("namedtuple NamedTuple make_dataclass".split(), _record_class),
    **dict.fromkeys("cache lru_cache".split(), _cache),
    "copy": give_copy, "copy.deepcopy": give_deep_copy, **dict.fromkeys(("replace", "evolve", "assoc"), give_replaced),
    "pickle.dumps": give_copy, "pickle.loads": give_copy,
    **dict.fromkeys((f"asyncio.{one}" for one in "run wait_for create_task ensure_future shield".split()), _same),
    "asyncio.gather": _gathered,
    "weakref.ref": _reference, "weakref.WeakMethod": _reference, "weakref.proxy": _same,
    **dict.fromkeys("vars asdict astuple".split(), _attributes),
    **dict.fromkeys(("inspect.getmembers", "inspect.getmembers_static"), give_members),

    "inspect.getmro": _bases,
    **dict.fromkeys("heappush heapreplace heappushpop insort insort_left insort_right".split(), _pushed),
    "from_iterable": _from_iterable, "partial": _partial, "types.MethodType": _partial,
    "globals": _globals, "eval": _locals, "locals": _locals, "setitem": _set_item,
    **dict.fromkeys(("typing.cast", "typing.assert_type", "typing.reveal_type"), give_itself),
    "type": _class, "property": _property, "super": _super,
    **dict.fromkeys(DECLARING, declare_field), **dict.fromkeys(FACTORIES, give_factory),
    **dict.fromkeys(COMBINING, give_combined),
    "getattr": give_attribute_named, "inspect.getattr_static": give_attribute_named, "setattr": set_attribute_named,
    **dict.fromkeys(traits.IN_PLACE_FUNCTIONS, _in_place),
}  # fmt: skip
_SPECIAL = {name: f"__{name}__" for name in "abs round divmod pow reversed copy deepcopy".split()}
_WITHOUT_ARGUMENTS = frozenset(
    {_same_items, _dict, _chosen, _tuples, _record_class, _globals, _super, declare_field, _locals}
)
_ITERATING = frozenset(
    {_same_items, _dict, _chosen, _nested, _grouped, _tuples, _part_of_what_is_given, _greatest, _applied}
)
