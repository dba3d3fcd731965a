"""What a call of a value runs: the functions and methods of what the heap says by now that the value may be."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.analysis.argument_binding import takes
from tnp_migrate.analysis.asked_writes import writes_anything
from tnp_migrate.analysis.class_bindings import assigned_methods
from tnp_migrate.analysis.common_methods import (
    BY_PATTERN,
    MOST_GUESSED,
    PROPERTIES,
    SPECIAL,
    class_made_by,
    kinds_of,
    makers_apart,
    that_calls,
)
from tnp_migrate.analysis.delegation import is_handed_on
from tnp_migrate.analysis.graphs import Deferred, Graph
from tnp_migrate.analysis.heap import ARRAY, FUNCTIONS, MANY_KINDS, Node, find
from tnp_migrate.analysis.implicit_calls import UNNAMED, assigned_unnamed, methods_run
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.open_attributes import is_open
from tnp_migrate.analysis.slots import Named, Slots
from tnp_migrate.ir.instructions import Body
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.decorators import is_cached_property, is_property, runs_as_written
from tnp_migrate.program.index import Class, Function

_NOT_LEFT: Collection[Body] = []  # what calls leave out of what they may run, of which all is followed
_MOST_MAKERS = 96  # functions of one call that make the instances of classes
_OF_SELF = (*UNNAMED, "__call__")  # what `self` has of its class, where nothing else says of which it is


@dataclass(eq=False)
class Resolution:
    """What the calls of one body run."""

    graph: Graph
    slots: Slots
    graphs: Mapping[Body, Graph]
    _kept: dict[tuple[Node, str | None], tuple[list[tuple[Body, Node | None]], Collection[Body]]] = field(
        default_factory=dict
    )
    _changes: int = 0

    def of(self, one: Deferred) -> Iterable[tuple[Body, Node | None]]:
        """The bodies that a call may run, and what each is bound to; none that Python would refuse the arguments of."""
        found: Iterable[tuple[Body, Node | None]] = self._meant(one)
        if one.is_written:
            count = sum(isinstance(place, int) for place, _ in one.arguments)
            found = (pair for pair in found if self._has_places(pair[0], count))
        return (pair for pair in found if not is_handed_on(one, self.graphs[pair[0]].function))

    def _meant(self, one: Deferred) -> Iterable[tuple[Body, Node | None]]:
        node, name = find(one.function), one.method or "__call__"
        if name.startswith(PROPERTIES):
            return [(body, node) for body in self._writing_properties(node, name.removeprefix(PROPERTIES))]
        if name.startswith(BY_PATTERN):
            return self._of_pattern(one, node, name[1:])
        if one.method is not None and not node.classes and (name not in _OF_SELF or not self._is_self(node)):
            return ()
        return self._of(one, node, name)

    def kept(self, one: Deferred) -> Iterable[tuple[Body, Node | None]]:
        """The same, found once while the heap does not change: many calls ask of one object."""
        key = find(one.function), one.method
        found = self._kept.get(key)
        if found is None or any(body not in one.done for body, _ in found[0]):  # running one may lead to more
            return self._noted(one, key)
        one.left = one.left if found[1] is _NOT_LEFT else found[1]
        return found[0]

    def _noted(self, one: Deferred, key: tuple[Node, str | None]) -> Iterator[tuple[Body, Node | None]]:
        before, one.left, changes = one.left, _NOT_LEFT, self._changes
        found = []
        for pair in self.of(one):
            found.append(pair)
            yield pair
        left = one.left
        one.left = before if left is _NOT_LEFT else left
        if changes == self._changes:
            self._kept[key] = found, left

    def forget(self) -> None:
        """Note that the heap has changed."""
        self._changes += 1
        self._kept.clear()

    def _of(self, one: Deferred, node: Node, name: str) -> Iterator[tuple[Body, Node | None]]:
        if name in UNNAMED:
            yield from ((body, node) for body in self._followed(one, self._special(self._classes_of(node), name)))
            return
        named = self._of_name(node, name)
        yield from ((body, node) for body in named.methods)
        for body in self._in_place_of(one, named, name):  # a function of a library, written in C, is no method
            yield body, None if self.graphs[body].module.name == LIBRARY else node
        bound = node.fields.get("self")
        if one.method is not None:
            return
        if (many := node.fields.get(FUNCTIONS)) is not None:
            one.left = find(many).bodies
            return
        for body in self._followed(one, node.bodies):
            takes = bound is not None and body.outer is not None and self._is_method(body)
            yield body, bound if takes else None

    def _of_name(self, node: Node, name: str) -> Named:
        """What the classes that an object may be of have under a name."""
        owners = self._classes_of(node) if name == "__call__" else node.classes
        known = self.slots.had_by_classes.get((name, id(owners)))
        if known is None:
            known = self.slots.had_by_classes[name, id(owners)] = owners, self._found(owners, name)
        return known[1]

    def _found(self, owners: Collection[Class], name: str) -> Named:
        index, bodies = self.slots.index, self.slots.bodies
        if not self.slots.has_method(name) and not self.slots.classes_binding(name):
            owners = [owner for owner in owners if is_open(index, owner, name)]
        methods = dict.fromkeys(method for owner in owners if (method := owner.method(name)) is not None)
        own = [bodies[each.node] for each in methods if each.node in bodies]
        if len(own) > MOST_GUESSED:
            common = bodies.get(that_calls(name))
            own = [] if common is None else [common]
        lineages = dict.fromkeys(each for owner in owners for each in owner.lineage)
        defined = {bodies.get(each.methods[name].node) for each in lineages if name in each.methods}
        return Named(own, defined, [*map(self.slots.class_of, lineages)])

    def _classes_of(self, node: Node) -> Collection[Class]:
        """The classes that an object may be of: `self` is of those that a method is one of."""
        method = self.graph.function
        if not node.classes and method is not None and method.owner is not None and self._is_self(node):
            return method.owner.derived
        return node.classes

    def _is_self(self, node: Node) -> bool:
        """Whether an object is the one whose method the body is."""
        return self._own is not None and find(self._own) is node

    @cached_property
    def _own(self) -> Node | None:
        method = self.graph.function
        if method is None or method.owner is None or not method.takes_self or not method.parameters:
            return None
        return self.graph.parameters.get(method.parameters[0])

    def _special(self, owners: Collection[Class], called: str) -> list[Body]:
        """The methods of some classes that run without being named, and write to something."""
        known = self.slots.run_unnamed.get((called, id(owners)))
        if known is None:
            run = dict.fromkeys(each.node for owner in owners for each in methods_run(owner, called))
            bodies = [self.slots.bodies[each] for each in run if each in self.slots.bodies]
            names = assigned_unnamed(self.slots.index)
            lineages = dict.fromkeys(each for owner in owners for each in owner.lineage) if names else ()
            known = owners, bodies, [*map(self.slots.class_of, lineages)]
            self.slots.run_unnamed[called, id(owners)] = known
        every = dict.fromkeys([*known[1], *(self._assigned(known[2]) if owners else ())])
        found = [body for body in every if writes_anything(self.graphs[body], self.slots.writing)]
        return found if len(found) <= MOST_GUESSED else [self.slots.bodies[SPECIAL]]

    def _assigned(self, holders: Iterable[Node]) -> Iterator[Body]:
        """The functions that some classes have under the names of special methods without defining them."""
        names = assigned_unnamed(self.slots.index)
        for name in names:
            yield from self._of_any_class(name)
        labels = [f".{name}" for name in names]
        for holder in holders:
            fields = find(holder).fields
            for label in labels:
                if label in fields:
                    yield from find(fields[label]).bodies

    def _of_any_class(self, name: str) -> Iterator[Body]:
        """The functions that whichever class may have under a name."""
        functions = assigned_methods(self.slots.index).get(name, {}).get(None, ())
        yield from (self.slots.bodies[one.node] for one in functions if one.node in self.slots.bodies)

    def _writing_properties(self, node: Node, pattern: str) -> Iterator[Body]:
        """What an object has as properties that write to anything."""
        for method in _fitting(node.classes, pattern):
            is_read = is_property(method) or is_cached_property(method)
            body = self.slots.bodies.get(method.node) if is_read else None
            if body is not None and writes_anything(self.graphs[body], self.slots.writing):
                yield body

    def _of_pattern(self, one: Deferred, node: Node, pattern: str) -> Iterator[tuple[Body, Node | None]]:
        """The methods of an object or an array under a computed name."""
        bodies = self._taking(node.classes, pattern, tuple(place for place, _ in one.arguments))
        yield from ((body, node) for body in self._followed(one, bodies))
        if node.flags & ARRAY and any(re.fullmatch(pattern, name) for name in traits.MUTATING_METHODS):
            yield self.slots.bodies["method_writes"], node

    def _taking(self, owners: Collection[Class], pattern: str, places: tuple[str | int | None, ...]) -> list[Body]:
        """The methods of some classes under a computed name that take arguments at some places."""
        key = pattern, places, id(owners)
        known = self.slots.under_patterns.get(key)
        if known is None:
            plain = (one for one in _fitting(owners, pattern) if one.node.name[:2] != "__" and not is_property(one))
            nodes = [one.node for one in plain if takes(one, places)]
            bodies = [self.slots.bodies[each] for each in nodes if each in self.slots.bodies]
            known = self.slots.under_patterns[key] = owners, bodies
        return known[1]

    def _in_place_of(self, call: Deferred, named: Named, name: str) -> Iterator[Body]:
        """The functions that classes have in the place of methods: what decorators give, or it is assigned."""
        label, holders = f".{name}", named.holders
        for position, holder in enumerate(holders):
            root = holder
            if root.up is not None:
                root = holders[position] = find(root)
            held = root.fields.get(label)
            if held is not None:
                for body in self._followed(call, find(held).bodies):
                    if body not in named.defined:
                        yield body
        if holders:
            yield from self._of_any_class(name)

    def _followed(self, one: Deferred, bodies: Collection[Body]) -> Collection[Body]:
        """The functions that a call may run; none of so many that this says nothing of which is meant."""
        if len(bodies) <= MANY_KINDS:
            return bodies
        apart = self._apart(bodies)
        if apart:
            return apart
        one.left = bodies
        return ()

    def made_alike(self, one: Deferred) -> list[Class]:
        """The classes, news of the result, whose instances a call makes as those of another that is followed."""
        bodies, known = find(one.function).bodies, find(one.result).classes
        many = one.method is None and len(bodies) > MANY_KINDS
        owners = (each for owners in self._apart(bodies).values() for each in owners) if many else ()
        return [owner for owner in owners if owner not in known]

    def _apart(self, bodies: Collection[Body]) -> Mapping[Body, list[Class]]:
        """Very many functions as far as they can be followed: those that make instances alike are one."""
        known = self.slots.apart.get(id(bodies))
        if known is None:
            known = self.slots.apart[id(bodies)] = bodies, self._told_apart(bodies)
        return known[1]

    def _told_apart(self, bodies: Collection[Body]) -> Mapping[Body, list[Class]]:
        owners = {body: class_made_by(self.slots.index, self.graphs[body].module, body) for body in bodies}
        apart = makers_apart(owners)
        is_followed = len(apart) <= _MOST_MAKERS and kinds_of(owners) <= MANY_KINDS
        return apart if is_followed else {}

    def _has_places(self, body: Body, count: int) -> bool:
        """Whether a function takes so many arguments by position; a receiver may be the first of them, or before."""
        graph = self.graphs[body]
        if graph.function is not None and not runs_as_written(graph.function):
            return True
        positional, _, rest, _ = graph.signature
        return count <= len(positional) or bool(rest) or graph.module.name == LIBRARY

    def _is_method(self, body: Body) -> bool:
        function = self.graphs[body].function
        return "self" in body.parameters if function is None else function.takes_self


def _fitting(owners: Collection[Class], pattern: str) -> Iterator[Function]:
    """The methods of some classes whose names a pattern fits."""
    for one in dict.fromkeys(each for owner in owners for each in owner.lineage):
        yield from (method for method in one.methods.values() if re.fullmatch(pattern, method.node.name))
