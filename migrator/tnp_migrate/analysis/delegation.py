"""What a `__getattr__` hands on what it is asked for to: `return getattr(self.inner, name)`, `return self[name]`.

Run as any other method it would give whatever the object holds, for the name is not known to it. Who asks knows it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from tnp_migrate.analysis.graphs import Deferred, Graph, Unseen
from tnp_migrate.analysis.heap import OBJECT, Node, find, give_bodies, label_of, mark, unify
from tnp_migrate.analysis.heap import field as of_key
from tnp_migrate.analysis.slots import Slots
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.program.classes import binds
from tnp_migrate.program.decorators import is_property, runs_as_written
from tnp_migrate.program.index import Class, Function

_SPECIAL = ("__getattr__", "__getattribute__")
_ITEMS = frozenset({"dict.__getitem__", "dict.get"})
_NAMESPACE = "__dict__"
_ASKING = frozenset({"startswith", "endswith", "hasattr", "isinstance", "len", "type", "repr", "str", "format"})


ASKED = "asked for "  # stands before a name in the place of a method's: of an attribute that an object may make up
HELD = "held as "  # and of one of what it hands that on to


@dataclass(frozen=True)
class Way:
    """The steps from an object to something that it holds; given is that, or its attribute or item of the name."""

    steps: tuple[str, ...]
    gives: Literal["itself", "attribute", "item"]


def _are_made_up(slots: Slots) -> bool:
    """Whether a class of the project says what an attribute is that its instances do not have."""
    return any(map(slots.has_method, _SPECIAL))


def ask_for(graph: Graph, slots: Slots, one: Instruction, holder: Node, name: str, result: Node) -> None:
    """Ask for an attribute that an instruction reads, once it is known who makes it up."""
    if _are_made_up(slots):
        graph.deferred.append(Deferred(holder, [], result, one, set(), f"{ASKED}{name}"))


def is_handed_on(one: Deferred, function: Function | None) -> bool:
    """Whether a call of a special method, where an attribute is read, is left to who knows the name that is asked."""
    asks = one.method in _SPECIAL and getattr(getattr(one.instruction.node, "func", None), "attr", "") not in _SPECIAL
    return asks and function is not None and ways_of(function) is not None


def handed_on(one: Deferred, graph: Graph, slots: Slots) -> list[Deferred]:
    """Give what objects hand on that are asked for an attribute, or for a method which is called.

    Given are the calls that ask in turn what they hand it on to.
    """
    if one.method is None or not _are_made_up(slots):
        return []
    kind = next((each for each in (ASKED, HELD) if one.method.startswith(each)), "")
    name, found = one.method.removeprefix(kind), []
    if not name.isidentifier() or (not kind and name[:2] == "__"):  # of special methods the class alone is asked
        return []
    for owner in find(one.function).classes:
        method = owner.method(name) if kind == HELD else None
        if method is not None and method.node in slots.bodies and method not in one.followed:
            one.followed |= {method}
            if is_property(method):
                found.append(_asking(one, one.function, name))
            else:
                give_bodies(one.result, [slots.bodies[method.node]])
                mark(one.result, OBJECT)
                unify(of_key(one.result, "self"), one.function)
        for way in delegated(owner, name):
            step = (way, find(one.function))
            if step not in one.followed:  # which those that it comes to have, too: an object may hold itself
                one.followed |= {step}
                found += _follow(one, graph, way, name, is_call=not kind)
    return found


def _follow(one: Deferred, graph: Graph, way: Way, name: str, *, is_call: bool) -> Iterator[Deferred]:
    target = one.function
    for step in way.steps:
        target = of_key(target, step)
    if is_call:
        if way.gives == "attribute":
            yield _asking(one, target, name)
        return
    key = {"itself": None, "attribute": f".{name}", "item": label_of(name)}[way.gives]
    held = target if key is None else of_key(target, key)
    unify(one.result, held)
    graph.unseen.append(Unseen(one.instruction, one.result, [held]))
    if way.gives == "attribute":
        yield _asking(one, target, f"{HELD}{name}")


def _asking(one: Deferred, asked: Node, method: str) -> Deferred:
    given = one.arguments if method.isidentifier() else []
    return Deferred(asked, given, one.result, one.instruction, set(), method, one.depth + 1, one.followed)


def delegated(owner: Class, name: str) -> tuple[Way, ...]:
    """The ways on which instances of a class give an attribute that `__getattribute__`, or `__getattr__`, is asked for.

    The first is asked for all attributes, the other for those that an instance does not have of its own.
    """
    always, otherwise = _ways(owner)
    is_own = binds(owner, name) or owner.method(name) is not None or hasattr(object, name)
    return always if is_own else always + otherwise


@cache
def _ways(owner: Class) -> tuple[tuple[Way, ...], tuple[Way, ...]]:
    always, otherwise = (owner.method(special) for special in ("__getattribute__", "__getattr__"))
    assigned = () if otherwise else tuple(_assigned(owner, "__getattr__"))
    return (always and ways_of(always)) or (), (otherwise and ways_of(otherwise)) or assigned


def _assigned(owner: Class, special: str) -> Iterator[Way]:
    """`__getattr__ = dict.__getitem__`."""
    for one in owner.lineage:
        for statement in one.node.body:
            if isinstance(statement, ast.Assign) and ast.unparse(statement.value) in _ITEMS:
                yield from (Way((), "item") for target in statement.targets if ast.unparse(target) == special)


@cache
def ways_of(method: Function) -> tuple[Way, ...] | None:
    """The ways of a method that does nothing else than to hand on what it is asked for; None of any other."""
    if method.node.name not in _SPECIAL or len(method.positional) != len(method.parameters) or not method.takes_self:
        return None
    if len(method.positional) != 2 or not runs_as_written(method):  # the object, and the name
        return None
    itself, asked = method.positional
    reader = _Reader(itself, asked)
    return tuple(dict.fromkeys(reader.ways)) if all(map(reader.follows, method.node.body)) else None


@dataclass
class _Reader:
    """Reads the body of such a method."""

    itself: str
    asked: str
    steps: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of local names
    ways: list[Way] = field(default_factory=list)

    def follows(self, statement: ast.stmt) -> bool:
        """Whether a statement hands on, raises, asks, or is without an effect; its ways are noted."""
        match statement:
            case ast.Return(value):
                return self._gives(value)
            case ast.Assign([ast.Name(name)], value):
                steps = self._path(value)
                self.steps |= {} if steps is None else {name: steps}
                return steps is not None
            case ast.If(test, body, orelse):
                return self._asks(test) and all(map(self.follows, [*body, *orelse]))
            case ast.Try(body, handlers, orelse, final):
                caught = [one for handler in handlers for one in handler.body]
                return all(map(self.follows, [*body, *caught, *orelse, *final]))
            case ast.Raise() | ast.Pass() | ast.Expr(ast.Constant()):
                return True
        return False

    def _gives(self, value: ast.expr | None) -> bool:
        if value is None or isinstance(value, ast.Constant):
            return True
        if isinstance(value, ast.IfExp):
            return self._asks(value.test) and self._gives(value.body) and self._gives(value.orelse)
        way = self._way(value)
        self.ways += [] if way is None else [way]
        return way is not None

    def _way(self, value: ast.expr) -> Way | None:
        steps = self._path(value)
        if steps is not None:
            return Way(steps, "itself")
        match value:
            case ast.Subscript(base, key) if self._is_asked(key):
                return _of(self._path(base), is_item=True)
            case ast.Call(ast.Name("getattr"), [base, key, *_]) if self._is_asked(key):
                return _of(self._path(base), is_item=False)
            case ast.Call(ast.Attribute(base, "get" | "__getitem__"), [key, *_]) if self._is_asked(key):
                return _of(self._path(base), is_item=True)
            case ast.Call(ast.Attribute(base, name), [*_, key]) if name in _SPECIAL and self._is_asked(key):
                return _of(() if self._is_above(base) else self._path(base), is_item=False)
        return None

    def _path(self, place: ast.expr) -> tuple[str, ...] | None:
        """The steps from the object to what an expression gives."""
        match place:
            case ast.Name(name):
                return () if name == self.itself else self.steps.get(name)
            case ast.Attribute(base, name) if name != _NAMESPACE:
                return _then(self._path(base), f".{name}")
            case ast.Attribute(base, _):
                return _then(self._path(base), _NAMESPACE)
            case ast.Subscript(base, ast.Constant(key)):
                return _then(self._path(base), key)
            case ast.Call(ast.Name("vars"), [base]):
                return _then(self._path(base), _NAMESPACE)
            case ast.Call(ast.Name("getattr"), [base, ast.Constant(str(name))]):
                return _then(self._path(base), f".{name}")
            case ast.Call(ast.Attribute(base, special), [*_, ast.Constant(str(name))]) if special in _SPECIAL:
                return (f".{name}",) if self._is_above(base) else None
        return None

    def _is_above(self, base: ast.expr) -> bool:
        """`object`, or `super()`: what asks the object itself."""
        return ast.unparse(base) in ("object", "super()")

    def _is_asked(self, key: ast.expr) -> bool:
        return isinstance(key, ast.Name) and key.id == self.asked

    def _asks(self, test: ast.expr) -> bool:
        """Whether a test does nothing: it compares names and what the object holds, or asks what a text begins with."""
        calls = [one.func for one in ast.walk(test) if isinstance(one, ast.Call)]
        return all(getattr(one, "attr", getattr(one, "id", "")) in _ASKING for one in calls)


def _then(steps: tuple[str, ...] | None, key: object) -> tuple[str, ...] | None:
    if steps is None:
        return None
    if steps[-1:] == (_NAMESPACE,):
        return (*steps[:-1], f".{key}")
    is_step = isinstance(key, str) and (key[0:1] == "." or key == _NAMESPACE)
    return (*steps, str(key) if is_step else label_of(key if isinstance(key, int | str) else None))


def _of(steps: tuple[str, ...] | None, *, is_item: bool) -> Way | None:
    if steps is None:
        return None
    if is_item and steps[-1:] == (_NAMESPACE,):
        return Way(steps[:-1], "attribute")
    return Way(steps, "item" if is_item else "attribute")
