"""Abstract values of calls whose arguments are evaluated: library functions, the project's own, methods, builtins."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce

from tnp_migrate.analysis.argument_binding import binds_receiver
from tnp_migrate.analysis.field_values import fields_given, run_by, taken
from tnp_migrate.analysis.frames import Frame
from tnp_migrate.analysis.objects_made import is_object, makes_objects, takes_objects
from tnp_migrate.analysis.objects_passed import all_objects, pass_starred
from tnp_migrate.analysis.open_attributes import is_open, may_be_replaced
from tnp_migrate.analysis.open_containers import hold_items
from tnp_migrate.analysis.parametrized import parametrized
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.host_dtypes import dtype_kind, host_dtype
from tnp_migrate.numpy_facts.libraries import LIBRARIES, library_of
from tnp_migrate.numpy_facts.ranks import rank_of_sizes
from tnp_migrate.numpy_facts.results import drawn, is_text, is_ufunc_or_reduction, method_call, numpy_call
from tnp_migrate.numpy_facts.scipy_results import gives_array
from tnp_migrate.numpy_facts.values import (
    NONE,
    SCALAR,
    SEQUENCE,
    UNKNOWN,
    Value,
    array,
    foreign,
    iterated,
    join,
    parts_of,
)
from tnp_migrate.program.attributes import is_variable
from tnp_migrate.program.classes import is_of_library
from tnp_migrate.program.decorators import gives_the_same, is_replaced
from tnp_migrate.program.dispatch import methods_meant
from tnp_migrate.program.fields import start_of
from tnp_migrate.program.index import Class, Function
from tnp_migrate.program.names import UFUNC_METHODS, helper_named, is_numpy

_FEW = 4  # methods of one name: with more, what a call on an unknown object passes says nothing of each
_SCALAR_BUILTINS = frozenset("len int float complex bool ord hash id".split())
_TUPLES_OF = frozenset(f"itertools.{name}" for name in "product permutations combinations".split())
_HEAPS = frozenset(f"heapq.{name}" for name in "heappush heappop heapreplace heappushpop".split())
_GIVING_FIRST = frozenset("copy.copy copy.deepcopy functools.cache functools.lru_cache".split())
_LISTS = frozenset("list sorted dir".split())
_OF_LINES = frozenset("split rsplit splitlines partition rpartition readlines".split())
_OF_NUMBERS = frozenset("count find rfind index rindex startswith endswith tell seek write fileno".split())
_ONLY_TEXT = frozenset("lower upper strip lstrip rstrip splitlines casefold swapcase".split())
_STRINGS = frozenset("str repr format chr input bin hex ascii".split())


def library_value(frame: Frame, name: str, node: ast.Call, positional: list[Value]) -> Value:
    """Give what a call of a library's function returns; only NumPy and copy are known."""
    helper = helper_named(name)
    if helper is not None and helper in traits.BETWEEN | traits.PASSING:
        return _of_helper(helper, positional)
    if name == "collections.defaultdict" and node.args:
        first = node.args[0]
        made = frame.module.values.get(first.body, UNKNOWN) if isinstance(first, ast.Lambda) else _empty(frame, first)
        if len(node.args) > 1 or node.keywords:  # which may hold anything
            made = UNKNOWN
        return Value("dict", element=made if made.kind != "unknown" else None)
    if name in ("collections.Counter", "collections.deque"):
        element = iterated(positional[0]) if positional else None
        return Value("list", element=element, ref=SEQUENCE) if name.endswith("deque") else Value("dict", element=SCALAR)
    if name in _HEAPS and positional and positional[0].kind == "list":
        return _of_heap(frame, name, node, positional)
    if name in _TUPLES_OF and positional:
        items = [iterated(one) for one in (positional if name.endswith("product") else positional[:1])]
        element = reduce(join, items)
        return (
            Value("list", element=Value("tuple", element=replace(element, sure=False))) if element.is_array else UNKNOWN
        )
    if not is_numpy(name):
        return _of_other_library(frame, name, node, positional)
    if name.rpartition(".")[2] in UFUNC_METHODS and name.count(".") > 1:
        return array()
    joined = next((one for one in positional if one.library and LIBRARIES[one.library].joins), None)
    if joined is not None and is_ufunc_or_reduction(name):
        return joined
    found = numpy_call(name, node, positional, frame.qualified)
    if name == "numpy.dtype" and node.args:
        return Value("dtype", dtype_kind(node.args[0], frame.value, frame.qualified))
    return _on_host(frame, name, node, found)


def _of_other_library(frame: Frame, name: str, node: ast.Call, positional: list[Value]) -> Value:
    """What a function gives that is not NumPy's, by what is declared of it or known."""
    if name in _GIVING_FIRST:
        return positional[0] if positional else UNKNOWN
    if name in traits.IN_PLACE_FUNCTIONS:
        return positional[0] if positional and positional[0].kind in ("array", "list") else UNKNOWN
    library, declared = library_of(name), frame.module.names.taught.effects.get(name)
    if declared is not None and declared.value.kind != "unknown":
        return declared.value
    if gives_array(name, node, positional):
        return array(sure=False)
    return foreign(library) if library is not None and LIBRARIES[library].own else UNKNOWN


def _empty(frame: Frame, maker: ast.expr) -> Value:
    """What a builtin makes of nothing, a container, which others may fill: `list`, `dict`, `set`."""
    name = maker.id if isinstance(maker, ast.Name) and frame.scope.owner(maker.id) is None else ""
    return builtin_value(name, []) if name in ("list", "dict", "set") else UNKNOWN


def _on_host(frame: Frame, name: str, node: ast.Call, found: Value) -> Value:
    """Note that an array is of records, objects or text."""
    host = host_dtype(name, node, frame.value, frame.qualified) if found.kind in ("array", "unknown") else None
    return array(host, found.rank) if host is not None else found


def _of_heap(frame: Frame, name: str, node: ast.Call, positional: list[Value]) -> Value:
    """`heappush(heap, x)`, and what `heappop(heap)` gives."""
    element = positional[0].element
    if len(positional) > 1:
        element = join(element, positional[1])
        if isinstance(node.args[0], ast.Name):
            hold_items(frame, Value("list", element=element), node.args[0].id)
    return NONE if name == "heapq.heappush" else element or UNKNOWN


def _of_helper(name: str, positional: list[Value]) -> Value:
    """What a helper gives that an earlier run has written."""
    if name == "Stores":
        return Value("stores")  # copies what it is given, as an array does
    if name == "drawn":
        return _of_draws(iterated(positional[0]) if positional else UNKNOWN)
    if name in traits.PASSING:
        return positional[0] if positional else UNKNOWN
    given = positional[0] if positional and positional[0].kind != "unknown" else array(sure=False)
    return replace(given, rank=rank_of_sizes(positional[1:])) if name == "resized" else given


def _of_draws(draw: Value) -> Value:
    """What the draws of a loop are, of what one is: stacked, or each of several so."""
    if draw.kind == "tuple" and draw.items is not None:
        return Value("tuple", items=tuple(map(_of_draws, draw.items)))
    if draw.is_array:
        return array(draw.dtype, draw.rank + 1 if draw.rank is not None else None)
    return array(rank=1) if draw.kind == "scalar" else array(sure=False)


def call_functions(
    frame: Frame,
    functions: list[Function],
    node: ast.Call,
    positional: list[Value],
    named: dict[str | None, Value],
    receiver: Value | None,
) -> Value:
    """Join what the functions give that a call may run; `receiver` is what they are read from, if they are methods."""
    found = UNKNOWN
    for position, one in enumerate(functions):
        bound = receiver is not None and binds_receiver(one, receiver.kind, node)
        given = call_function(frame, one, node, positional, named, bound=bound)
        if is_replaced(one):
            given = _only_likely(given) if gives_the_same(one) else UNKNOWN
        if not given.is_array and _may_be_another(frame, one):
            given = UNKNOWN
        found = join(found, given) if position else given
    return found


def _only_likely(value: Value) -> Value:
    """Of a value what is likely of another that is like it: arrays, and tuples of them."""
    if value.kind == "tuple" and value.items:
        return Value("tuple", items=tuple(map(_only_likely, value.items)))
    return replace(value, sure=False) if value.is_array else UNKNOWN


def _may_be_another(frame: Frame, function: Function) -> bool:
    """Whether something is bound in the place of a function: `model.predict = f`, `setattr(Model, "predict", f)`."""
    name = function.node.name
    if function.owner is None:
        return may_be_replaced(frame.index, function.module, name)
    return is_variable(frame.index, name) or is_open(frame.index, function.owner, name)


def note_replaced(frame: Frame, function: Function) -> None:
    """Note that a decorator of the project, or the dispatch on types, may pass a function anything."""
    for parameter in function.parameters if is_replaced(function) else ():
        frame.trace.note_unknown(function, parameter, anything=True)


def call_function(
    frame: Frame,
    function: Function,
    node: ast.Call,
    positional: list[Value],
    named: dict[str | None, Value],
    *,
    bound: bool,
) -> Value:
    """Join what a call passes into the function's arguments; give what the function returns."""
    arguments = function.node.args
    parameters = [one.arg for one in [*arguments.posonlyargs, *arguments.args]]
    if bound and function.takes_self and parameters:
        parameters = parameters[1:]
    if not any(isinstance(one, ast.Starred) for one in node.args):
        for parameter, value in zip(parameters, positional, strict=False):
            _pass(frame, function, parameter, value)
        if arguments.vararg is not None:
            for value in positional[len(parameters) :]:
                _pass(frame, function, arguments.vararg.arg, value)
    pass_starred(frame, function, node)
    known = {*parameters, *(one.arg for one in arguments.kwonlyargs)}
    for keyword, value in named.items():
        if keyword is not None:
            other = arguments.kwarg is not None and keyword not in known
            _pass(frame, function, arguments.kwarg.arg if other and arguments.kwarg else keyword, value)
    returned = frame.trace.read(function, "returns") or UNKNOWN
    if is_object(returned):
        frame.trace.whole = False  # all that is passed to the function counts
        passed = any(map(is_object, [*positional, *named.values()]))
        if not passed and takes_objects(function) and not makes_objects(function):
            return array(sure=False)  # it was another call that passed objects
    return returned


def set_property(frame: Frame, receiver: Value, name: str, value: Value) -> bool:
    """Pass what is assigned to a property to its setter; say whether an attribute is one that has a setter."""
    setters = methods_meant(receiver, f"{name}.setter")
    for one in setters:
        for parameter in one.parameters[1:2]:
            _pass(frame, one, parameter, value)
    return bool(setters)


def _pass(frame: Frame, function: Function, parameter: str, value: Value) -> None:
    if value.kind == "unknown":
        frame.trace.note_unknown(function, parameter, anything=value.library is None)
        if value.library is None:
            return
    value = replace(value, sure=False) if value.is_array else value
    frame.trace.write(function, "arguments", parameter, "join", value)


def pass_parametrized(frame: Frame, function: Function, decorator: ast.expr) -> None:
    """Join what `pytest.mark.parametrize` gives a test into its arguments."""
    given = parametrized(frame.module.names, decorator, frame.scope)
    if given is None:
        return
    item = iterated(frame.module.values.get(given.values, UNKNOWN))
    parts = parts_of(item, [False] * len(given.names)) if given.in_tuples else [item]
    for name, value in zip(given.names, parts, strict=False):
        _pass(frame, function, name, value)


def construct(
    frame: Frame, owner: Class, node: ast.Call, positional: list[Value], named: dict[str | None, Value]
) -> Value:
    """Join what a call of a class passes into its constructor, or into the fields of a dataclass."""
    start = start_of(owner)
    if start is not None:
        call_function(frame, start, node, positional, named, bound=True)
    else:
        for each, given in fields_given(owner, node, positional, named):
            for function, parameter, passed in run_by(each, given):
                _pass(frame, function, parameter, passed)
            frame.trace.write(owner, "binding", each.name, "join", taken(frame, each, given))
    made = Value("instance", ref=owner)
    if is_of_library(owner):
        return made  # of a class of a library, whose instances may be arrays themselves
    for maker in (owner.maker, owner.method("__new__")):  # which may give something else
        given = call_function(frame, maker, node, positional, named, bound=True) if maker is not None else made
        if given.is_array:
            return given
    return made


def method_value(frame: Frame, node: ast.Call, positional: list[Value], named: dict[str | None, Value]) -> Value:
    """Give what a method call returns; a call on an unknown receiver reaches every method of that name."""
    assert isinstance(node.func, ast.Attribute)
    receiver = frame.module.values.get(node.func.value, UNKNOWN)
    name = node.func.attr
    if name == "__new__" and positional and positional[0].kind == "class":
        return Value("instance", ref=positional[0].ref)
    if receiver.kind == "array":
        found = method_call(receiver, name, node, frame.qualified)
        return _on_host(frame, f"numpy.ndarray.{name}", node, found)
    if receiver.kind == "rng":
        return drawn(name, node, positional)
    if receiver.kind == "dict":
        return _of_dict(frame, node, receiver, positional)
    if receiver.kind == "list":
        if name in ("append", "appendleft", "insert") and positional and isinstance(node.func.value, ast.Name):
            element = join(receiver.element, positional[-1]) if receiver.element else positional[-1]
            hold_items(frame, Value("list", element=element), node.func.value.id)
        elif name in ("extend", "extendleft") and positional and isinstance(node.func.value, ast.Name):
            element = join(receiver.element, iterated(positional[0]))
            hold_items(frame, Value("list", element=element), node.func.value.id)
        return receiver.element or UNKNOWN if name in ("pop", "popleft") else UNKNOWN
    if receiver.kind in ("str", "file"):
        return _of_text(name)
    return _of_unknown(frame, node, receiver, positional, named) if receiver.kind == "unknown" else UNKNOWN


def _of_unknown(
    frame: Frame, node: ast.Call, receiver: Value, positional: list[Value], named: dict[str | None, Value]
) -> Value:
    """What a method of something unknown gives: each of the project that has its name is reached."""
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr
    methods = frame.index.methods.get(name, ())
    if not methods and receiver.library is None and _is_of_text(node):
        return _of_text(name)
    if len(methods) <= _FEW:
        for function in methods:
            call_function(frame, function, node, positional, named, bound=binds_receiver(function, "unknown", node))
    if name == "astype" and receiver.library is None:
        return array(sure=False)
    return receiver


def _of_text(name: str) -> Value:
    """What a method of a text gives, or of a file: more of it, lines or parts of it, or a number."""
    if name in _OF_LINES:
        return Value("list", element=Value("str"))
    return SCALAR if name in _OF_NUMBERS or name.startswith("is") else Value("str")


def _is_of_text(node: ast.Call) -> bool:
    """Whether only text has such a method; `s.str.lower()` is a column's."""
    assert isinstance(node.func, ast.Attribute)
    name, of = node.func.attr, node.func.value
    separator = name == "split" and all(map(is_text, node.args))
    is_column = isinstance(of, ast.Attribute) and of.attr == "str"
    return (name in _ONLY_TEXT or separator) and len(node.args) <= 1 and not node.keywords and not is_column


def _of_dict(frame: Frame, node: ast.Call, receiver: Value, positional: list[Value]) -> Value:
    """What a method of a dict gives."""
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr
    if name in ("get", "pop", "setdefault"):
        given = positional[1] if len(positional) > 1 else None
        element = join(receiver.element or UNKNOWN, given) if given is not None else receiver.element
        if name == "setdefault" and element is not None and isinstance(node.func.value, ast.Name):
            hold_items(frame, Value("dict", element=element), node.func.value.id)
        return element or UNKNOWN
    if name == "keys":
        return Value("list", element=iterated(receiver))
    if name in ("values", "items") and receiver.element is not None:
        pair = Value("tuple", items=(iterated(receiver), receiver.element))
        return Value("list", element=receiver.element if name == "values" else pair)
    return UNKNOWN


def builtin_value(name: str, positional: list[Value]) -> Value:  # noqa: PLR0912 - one branch for each builtin
    """Give what a call of a builtin returns."""
    first = positional[0] if positional else UNKNOWN
    if name in _SCALAR_BUILTINS:
        return Value("scalar", "complex128") if name == "complex" else SCALAR
    if name in ("abs", "round", "pow", "divmod") and any(one.kind == "instance" for one in positional):
        return UNKNOWN  # made by a method of its class
    if name in ("abs", "round", "sum", "min", "max", "pow"):
        if first.is_array and (
            name in ("sum", "pow", "round") or (name == "abs" and (first.dtype or "").startswith("complex"))
        ):
            return array(None, None, sure=first.sure)
        if name == "sum" and iterated(first).kind == "instance":
            return UNKNOWN
        if name == "sum" and len(positional) > 1:  # lists are joined, too
            return join(iterated(first), positional[1])
        if name in ("sum", "min", "max") and len(positional) == 1:
            return iterated(first)
        return join(first, positional[1]) if name in ("min", "max") and len(positional) > 1 else first
    if name == "range":
        return Value("list", element=SCALAR, ref=SEQUENCE)
    if name in _LISTS:
        return Value("list", element=iterated(first) if positional else None)
    if name == "tuple":
        return first if first.kind in ("tuple", "shape") else Value("tuple", element=iterated(first))
    if name == "dict":
        return first if first.kind == "dict" else Value("dict")
    if name in ("set", "frozenset"):
        return Value("set")
    if name == "enumerate":
        return Value("list", element=Value("tuple", items=(SCALAR, iterated(first))))
    if name == "zip":
        return Value("list", element=Value("tuple", items=tuple(map(iterated, positional))))
    if name == "reversed":
        return first
    if name == "type":
        return Value("class", ref=first.ref) if first.kind == "instance" else UNKNOWN
    if name == "next":
        return first.element if all_objects([first]) is not None and first.element else UNKNOWN
    if name == "open":
        return Value("file")
    if name in ("bytearray", "memoryview"):
        return foreign("array")
    return Value("str") if name in _STRINGS else UNKNOWN
