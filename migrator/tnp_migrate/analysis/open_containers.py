"""Names of lists, dicts and sets that something puts items into where the evaluation of their makers does not see it.

`SIZES = [1, 2]` says what `SIZES[0]` is, unless some function appends to `SIZES`, to what it has passed it to, or to
what has been bound to it. By bare names, so that all objects under one name are taken for one. After
`rows[i].append(x)`, `rows` is a list of lists still, which may hold anything. Where the text shows all that is put
there, `self.trees.append(Tree())`, and that is of one class, so are the items; arrays as well, as in
`self.params["W"] = np.zeros(3)`, which stay arrays whatever an operator does to them in place.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, reduce

from tnp_migrate.analysis.frames import Frame
from tnp_migrate.analysis.memory import ITEMS
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import UNKNOWN, Value, iterated, join
from tnp_migrate.program.index import Index, Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import all_arguments

_FILLED_FIRST = frozenset("heappush heappushpop heapreplace insort insort_left insort_right setitem".split())

_MUTABLE = frozenset({"list", "dict", "set"})
_ARRAYS = frozenset({"array"})  # which an operator in place leaves what they are
_TOLD = _ARRAYS | {"instance"}
_FOLLOWED = frozenset("append appendleft insert setdefault".split())  # methods of a variable, where it is evaluated
_TELLING = frozenset("append appendleft insert add extend extendleft".split())  # that put what they are passed last
_MOST_LENT = 4  # parameters of a function that is lent, any of which may be given anything


def as_bound(frame: Frame, target: ast.expr, value: Value) -> Value:
    """What is known of a container by the name that it is bound to: of numbers, say, unless others fill it."""
    name = _name(target)
    containers = _containers(frame.index)
    if name in containers.below:
        return _opened_below(value, 0 if isinstance(target, ast.Subscript) else containers.below[name])
    sources = containers.sources.get(name, ())
    if sources is None or (sources and isinstance(target, ast.Subscript)):
        return _opened(value, UNKNOWN, _ARRAYS)
    return value if isinstance(target, ast.Attribute) else as_filled(frame, name, value)


def hold_items(frame: Frame, value: Value, name: str) -> None:
    """Note what a container has under a name when something has been put into it here, and what others fill below."""
    depth = _containers(frame.index).below.get(name)
    frame.hold(value if depth is None else _opened_below(value, depth), name)


def as_filled(frame: Frame, name: str, value: Value) -> Value:
    """What is known of a container that is read under a name: with what the last round has put into it by now."""
    containers = _containers(frame.index)
    sources = containers.sources.get(name)
    if not sources:
        return value
    put = [frame.trace.read(containers, "put", one) for one in sources]
    known = [one for one in put if one is not None]
    kept = _ARRAYS if name in containers.changed else _TOLD
    return _opened(value, reduce(join, known) if known else None, kept)


def note_put(frame: Frame, place: ast.expr, value: Value) -> None:
    """Note what is put into what a name or an attribute holds, where something is said by that."""
    containers = _containers(frame.index)
    if isinstance(place, ast.Name | ast.Attribute) and _name(place) in containers.told:
        frame.trace.write(containers, "putting", _name(place), "join", value)


def note_operated(frame: Frame, node: ast.AugAssign, value: Value) -> None:
    """Note what an operator in place puts into a list, or binds an item to: arrays stay arrays.

    Of an item of which nothing is known yet others tell.
    """
    note_put(frame, node.target, iterated(frame.value(node.value)))
    if isinstance(node.target, ast.Subscript):
        before = frame.module.values[node.target]
        if before.kind != "unknown":
            note_put(frame, node.target.value, before if before.is_array else value)


def take_put(index: Index, *, joined: bool) -> bool:
    """Let what a round over the project has put into containers be known to the next; say whether that is news.

    Each round counts alone, as what the first puts is not yet known. `joined` adds to what the one before has put.
    """
    one = _containers(index)
    before, one.put, one.putting = one.put, one.putting, {}
    if joined:
        one.put |= {name: join(value, one.put.get(name)) for name, value in before.items()}
    return before != one.put


def note_call(frame: Frame, call: ast.Call, positional: list[Value]) -> None:
    """Note what a call of a method puts into a container: `xs.append(x)`."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _TELLING:
        plain = bool(positional) and not call.keywords and not any(isinstance(one, ast.Starred) for one in call.args)
        put = positional[-1] if plain else UNKNOWN
        if "extend" not in call.func.attr:
            note_put(frame, call.func.value, put)
        elif not plain or not _is_of_one_name(call.args[-1], call.func.value):  # whose items are counted already
            note_put(frame, call.func.value, iterated(put))


def _is_of_one_name(one: ast.expr, other: ast.expr) -> bool:
    """Whether two are containers under one name, and not an item of one: `xs.extend(xs[0])`."""
    return isinstance(one, ast.Name | ast.Attribute) and _name(one) == _name(other)


def _opened(value: Value, put: Value | None, kept: Container[str]) -> Value:
    """What is left to say of a container into which something is put; None where that is not known yet.

    `kept` are the kinds of what is put there that say what the items are.
    """
    if value.kind == "tuple" and value.items:
        return replace(value, items=tuple(_opened(one, put, kept) for one in value.items))
    if value.kind not in _MUTABLE:
        return value
    element = value.element
    is_kept = _holds_arrays(element) if element is not None else put is None
    if not is_kept:
        either = join(element, put) if put is not None and put.kind in kept else UNKNOWN
        element = UNKNOWN if either.joins else either  # one of lists and arrays is as good as unknown
    return Value(value.kind, element=element)


def _opened_below(value: Value, depth: int) -> Value:
    """What is left to say of a container of which items so many levels down are filled."""
    if not depth:
        return _opened(value, UNKNOWN, _ARRAYS)
    if value.kind == "tuple" and value.items:
        return replace(value, items=tuple(_opened_below(one, depth - 1) for one in value.items))
    if value.element is None or value.kind not in (*_MUTABLE, "tuple"):
        return value
    return replace(value, element=_opened_below(value.element, depth - 1))


def _holds_arrays(value: Value) -> bool:
    """Whether a value is an array, or a container of arrays, of however many levels."""
    while value.kind in _MUTABLE and value.element is not None:
        value = value.element
    return value.is_array


# The kinds of nodes that `_filled`, `_bindings` and `_put` look at.
_BINDING = frozenset(
    getattr(ast, name)
    for name in (
        "Subscript AugAssign Attribute Call Assign AnnAssign NamedExpr For comprehension FunctionDef AsyncFunctionDef"
    ).split()
)


@dataclass(eq=False)
class _Containers:
    """The bare names of variables and attributes whose containers are filled elsewhere, too.

    Each with the names under which that is done, or None where the text does not tell what is put there. Operators work
    in place on items of what is `changed`. `put` is what the last round over the project has put there, by these names,
    and `putting` what this one does. Of what is in `below` only items so many levels down are filled, or those of them.
    """

    sources: Mapping[str, frozenset[str] | None]
    changed: frozenset[str]
    below: Mapping[str, int]
    put: dict[str, Value] = field(default_factory=dict)
    putting: dict[str, Value] = field(default_factory=dict)

    @cached_property
    def told(self) -> frozenset[str]:
        """The names under which something is put that counts."""
        return frozenset().union(*(one for one in self.sources.values() if one is not None))


@lru_cache(maxsize=1)
def _containers(index: Index) -> _Containers:
    """Read which containers of a project are filled, and where that is told."""
    parameters = _parameters(index)
    unseen: dict[str, int] = {}  # how many items deep, at least
    untold: set[str] = set()
    changed: set[str] = set()
    filled: dict[str, int] = {}  # how many items deep
    fewest: dict[str, int] = {}
    same: dict[str, set[str]] = {}  # by a name what it may be bound to
    unlike: set[tuple[str, str]] = set()  # where one may be an item of the other
    inside: dict[tuple[str, int], set[str]] = {}  # by a name and how many items deep what is put there
    for module in index.modules.values():
        for node in module.names.scopes.parent:
            if node.__class__ not in _BINDING:
                continue
            for place in _filled(node):
                filled[_name(place)] = max(_depth(place), filled.get(_name(place), 0))
                fewest[_name(place)] = min(_depth(place), fewest.get(_name(place), _depth(place)))
                if not _tells(module, node, place):
                    untold.add(_name(place))
                if not _is_seen(module, node, place):
                    unseen[_name(place)] = min(_depth(place), unseen.get(_name(place), _depth(place)))
                if isinstance(module.names.scopes.parent.get(node), ast.AugAssign):
                    changed.add(_name(place))
            for name, values in _bindings(module, node, parameters):
                same.setdefault(name, set()).update(values)
                unlike.update((name, one) for one in values - _itself(module, node, name))
            for place, values in _put(node):
                inside.setdefault((_name(place), _depth(place)), set()).update(values)
    deep = {value for (name, depth), values in inside.items() if filled.get(name, 0) > depth for value in values}
    starts = {name: {*same.get(name, ()), *({name} & unseen.keys())} for name in filled}
    begun = [(one, 0 if (name, one) in unlike else fewest[name]) for name in untold for one in same.get(name, ())]
    begun += [*((name, 0) for name in deep), *((name, unseen[name]) for name in untold & unseen.keys())]
    levels = _levels_led_to(begun, same, unlike)
    opened = {name for name, level in levels.items() if not level}
    sources: dict[str, set[str]] = {}
    for name in filled.keys() - untold:
        for one in _led_to(starts[name], same, opened):
            sources.setdefault(one, set()).add(name)
    opened |= levels.keys() & sources.keys()
    operated = _led_to({one for name in changed for one in starts[name]}, same)
    told = {one: frozenset(names) for one, names in sources.items()}
    below = {name: level for name, level in levels.items() if name not in opened}
    return _Containers(told | dict.fromkeys(opened), frozenset(operated), below)


def _levels_led_to(
    begun: Iterable[tuple[str, int]], same: Mapping[str, set[str]], unlike: Container[tuple[str, str]]
) -> dict[str, int]:
    """How many items down names are filled, and what they are bound to: any number where one may be an item."""
    found: dict[str, int] = {}
    pending = [*begun]
    while pending:
        name, level = pending.pop()
        if level < found.get(name, level + 1):
            found[name] = level
            pending += [(one, 0 if (name, one) in unlike else level) for one in same.get(name, ())]
    return found


def _led_to(names: Iterable[str], same: Mapping[str, set[str]], known: Container[str] = ()) -> set[str]:
    """What names are bound to, and what that is bound to, but for what is known already."""
    pending = [name for name in names if name not in known]
    found = set(pending)
    while pending:
        new = [name for name in same.get(pending.pop(), ()) if name not in found and name not in known]
        found.update(new)
        pending += new
    return found


def _parameters(index: Index) -> dict[tuple[str, int], set[str]]:
    """What the parameters are called of functions under a bare name, by their places; of a class those of its maker."""
    found: dict[tuple[str, int], set[str]] = {}
    for function in index.functions():
        names = {function.node.name}
        if function.owner is not None and function.node.name in ("__init__", "__new__"):
            names |= {one.node.name for one in function.owner.derived}
        for position, one in enumerate(all_arguments(function.node.args)[function.takes_self :]):
            for name in names:
                found.setdefault((name, position), set()).add(one.arg)
    return found


def _depth(place: ast.expr) -> int:
    """How many items deep an expression is below what it is a part of."""
    depth = 0
    while isinstance(place, ast.Subscript | ast.Call | ast.Starred):
        depth, place = depth + 1, place.func if isinstance(place, ast.Call) else place.value
    return depth


def _name(place: ast.expr) -> str:
    """The bare name of what an expression is a part of, or a call's function."""
    while isinstance(place, ast.Subscript | ast.Call | ast.Starred):
        place = place.func if isinstance(place, ast.Call) else place.value
    return place.attr if isinstance(place, ast.Attribute) else getattr(place, "id", "")


def _filled(node: ast.AST) -> Iterator[ast.expr]:
    """What a node puts something into."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        yield node.value
    elif isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Subscript):
        yield node.target
    elif isinstance(node, ast.Attribute):  # called, or bound to another name and called there
        if node.attr in traits.KEEPING_METHODS or node.attr in ("__setitem__", "__ior__", "__iadd__"):
            yield node.value
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _FILLED_FIRST:
        yield from node.args[:1]


def _tells(module: Module, node: ast.AST, place: ast.expr) -> bool:
    """Whether a node says what it puts into what a name or an attribute holds, and that is evaluated."""
    above = module.names.scopes.parent.get(node)
    if not isinstance(place, ast.Name | ast.Attribute):
        return False
    if isinstance(node, ast.Attribute):
        return node.attr in _TELLING and isinstance(above, ast.Call) and above.func is node
    is_stored = isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice)
    return isinstance(node, ast.AugAssign) or (is_stored and isinstance(above, ast.Assign | ast.AugAssign))


def _is_seen(module: Module, node: ast.AST, place: ast.expr) -> bool:
    """Whether what is filled is a variable of the function that does so: the evaluation follows it."""
    while isinstance(place, ast.Subscript) and isinstance(node, ast.Subscript):
        place = place.value
    above = module.names.scopes.parent.get(node)
    is_method = isinstance(node, ast.Attribute) and node.attr in _FOLLOWED
    is_followed = is_method and isinstance(above, ast.Call) and above.func is node
    if not isinstance(place, ast.Name) or (isinstance(node, ast.Call | ast.Attribute) and not is_followed):
        return False
    scope = module.names.scopes.around(place)
    return scope.kind == "function" and scope.owner(place.id) is scope


def _bindings(
    module: Module, node: ast.AST, parameters: dict[tuple[str, int], set[str]]
) -> Iterator[tuple[str, set[str]]]:
    """Names, with those of what a node binds to them or passes for them."""
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        parts = [one.elts if isinstance(one, ast.Tuple | ast.List) else [one] for one in targets]
        bound = [_name(one) for several in parts for one in several if not isinstance(one, ast.Subscript)]
        is_one = len(targets) > 1 or isinstance(node.value, ast.BinOp)  # `x = y = []`, `x, y = [[]] * 2`
        others = bound if is_one and len(bound) > 1 else ()
        yield from ((name, {*_leaves(node.value), *others}) for name in bound)
    elif isinstance(node, ast.For | ast.comprehension):
        yield from ((_name(one), set(_leaves(node.iter))) for one in walk(node.target) if isinstance(one, ast.Name))
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        inside = module.names.scopes.inside(node)
        returned = [one.value for one in inside if isinstance(one, ast.Return) and one.value is not None]
        yield node.name, {name for one in returned for name in _leaves(one)}
    elif isinstance(node, ast.Call):
        called = _name(node.func)
        for position, one in enumerate(node.args):
            yield from ((name, set(_leaves(one))) for name in parameters.get((called, position), ()))
        given = {name for one in node.args for name in _leaves(one)}
        for lent in [name for name in given if (name, 0) in parameters]:  # `map(fill, [xs])`, `partial(fill, xs)`
            yield from (
                (name, given - {lent}) for place in range(_MOST_LENT) for name in parameters.get((lent, place), ())
            )
        yield from ((word.arg, set(_leaves(word.value))) for word in node.keywords if word.arg is not None)


def _itself(module: Module, node: ast.AST, name: str) -> set[str]:
    """The names of what a node binds a name to as it is: `a = b`, `a = make()`, `def a(): return b`."""
    values: list[ast.expr | None] = []
    if (
        isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name | ast.Attribute)
    ):
        values = [node.value]
    elif isinstance(node, ast.FunctionDef) and node.name == name:
        values = [one.value for one in module.names.scopes.inside(node) if isinstance(one, ast.Return)]
    known = [one for one in values if one is not None and not (isinstance(one, ast.Constant) and one.value is None)]
    is_plain = all(isinstance(one, ast.Name | ast.Attribute) or _is_call_by_name(one) for one in known)
    return {_name(one) for one in known} if is_plain else set()


def _is_call_by_name(node: ast.expr) -> bool:
    """Whether a node calls a function under a name, no method that gives items."""
    return isinstance(node, ast.Call) and (
        isinstance(node.func, ast.Name) or (isinstance(node.func, ast.Attribute) and node.func.attr not in ITEMS)
    )


def _put(node: ast.AST) -> Iterator[tuple[ast.expr, set[str]]]:
    """Containers, with the names of what a node puts into them."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in traits.KEEPING_METHODS:
        yield node.func.value, {name for one in node.args[-1:] for name in _leaves(one)}
    elif isinstance(node, ast.Assign):
        shown = isinstance(node.value, ast.List | ast.Tuple | ast.Dict | ast.Set)
        for target in node.targets:
            if shown or isinstance(target, ast.Subscript):
                yield target.value if isinstance(target, ast.Subscript) else target, set(_leaves(node.value))


def _leaves(value: ast.expr) -> Iterator[str]:
    """The bare names that an expression may give, or a display of it holds."""
    pending: list[ast.expr | None] = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, ast.Tuple | ast.List | ast.Set):
            pending += one.elts
        elif isinstance(one, ast.Dict):
            pending += one.values
        elif isinstance(one, ast.IfExp):
            pending += [one.body, one.orelse]
        elif isinstance(one, ast.BoolOp):
            pending += one.values
        elif isinstance(one, ast.Call) and getattr(one.func, "attr", "") in ITEMS:
            pending.append(one.func.value)  # type: ignore[attr-defined]
        elif isinstance(one, ast.BinOp):
            pending += [one.left, one.right]
        elif isinstance(one, ast.NamedExpr):
            pending += [one.target, one.value]
        elif isinstance(one, ast.Subscript | ast.Call | ast.Starred) and not _name(one):
            pending.append(one.func if isinstance(one, ast.Call) else one.value)
        elif one is not None and (name := _name(one)):
            yield name
