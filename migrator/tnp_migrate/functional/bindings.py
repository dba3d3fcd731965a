"""Bindings: a target becomes one more holder of what a value shares its memory with."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.effects import callees
from tnp_migrate.functional.access_paths import (
    ESCAPED,
    TEMPORARY,
    Path,
    is_outside,
    may_be_one_slot,
    starts_with,
    text_of,
)
from tnp_migrate.functional.alias_graph import SLOT, Link
from tnp_migrate.functional.callee_results import given_by, parameters_of_item
from tnp_migrate.functional.displays import (
    Display,
    adds_key,
    display_of,
    headers_of,
    keeps_items,
    names_of_inner_functions,
    taken_whole,
    values_of,
)
from tnp_migrate.functional.holders import Holders
from tnp_migrate.functional.liveness import Live
from tnp_migrate.functional.moved_items import moved
from tnp_migrate.functional.own_objects import makes_object
from tnp_migrate.functional.points_to import Origin, origins
from tnp_migrate.functional.split_views import parts_of
from tnp_migrate.program.index import Function

_TEMPORARY: Path = (f"{TEMPORARY}_",)


@dataclass(eq=False)
class Bindings(Holders):
    """Holders that targets are bound to."""

    lazily: set[str] = field(default_factory=set)  # attributes that a generator takes hold of, or binds, at any time
    walked: frozenset[ast.Name] = frozenset()  # lists that the loop to come goes over as over places
    live_inside: Live | None = None  # of the loop whose targets are bound now: what is read after that

    @cached_property
    def inner_names(self) -> frozenset[str]:
        """The names that functions inside this body use."""
        return names_of_inner_functions(self.unit.body)

    def bind(self, pairs: list[tuple[ast.expr, ast.expr]]) -> None:
        """Bind targets to values."""
        for target, value in pairs:
            if isinstance(target, ast.Tuple | ast.List):
                self.unpack(target, value)
            elif (display := self.display(target, value)) is not None:
                self.bind_display((getattr(target, "id", ""),), value, display)
            else:
                self.bind_origins(target, origins(self.unit, self.known, value))
                if isinstance(target, ast.Name) and makes_object(self.unit, value):
                    self.now.new.add((target.id,))

    def unpack(self, target: ast.Tuple | ast.List, value: ast.expr) -> None:
        """`a, b = b, a` binds all at once."""
        value = self.written_out(value)
        in_order = not any(isinstance(one, ast.Starred) for one in target.elts)  # a list of the rest holds its items
        container = self.now.displays.get((value.id,)) if isinstance(value, ast.Name) and in_order else None
        if container is not None and isinstance(value, ast.Name):
            root: Path = (value.id,)
            given = [[((*root, key), Link("same", value))] for key in container.keys]
        elif isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts) and in_order:
            given = [origins(self.unit, self.known, one) for one in value.elts]
        else:
            given = [[(path, Link("may", value)) for path, _ in origins(self.unit, self.known, value)]] * len(
                target.elts
            )
            given = [one if self.unit.may_be_array(leaf) else [] for one, leaf in zip(given, target.elts, strict=True)]
            given = [self.item_of_result(value, position, one) for position, one in enumerate(given)]
            given = self.rows_of(target, value) or given
        if isinstance(value, ast.Call) and self.gives_twice(value):
            given = [[*one, (ESCAPED, Link("may", value))] for one in given]
        temporaries: list[Path] = [(f"{TEMPORARY}{position}",) for position in range(len(given))]
        for temporary, found in zip(temporaries, given, strict=True):
            self.attach(temporary, found)
        made = value.elts if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(temporaries) else []
        self.now.new |= {one for one, part in zip(temporaries, made, strict=False) if makes_object(self.unit, part)}
        for temporary, leaf in zip(temporaries, target.elts, strict=True):
            self.bind_origins(leaf, [(temporary, Link("same", value))])
        for temporary in temporaries:
            self.now.rebind(temporary)

    def item_of_result(self, value: ast.expr, position: int, found: list[Origin]) -> list[Origin]:
        """What is known of an item of the tuple that a call gives; `found` is what the whole of it shares."""
        if not isinstance(value, ast.Call):
            return found
        item = given_by(self.unit, value, position)
        if item is not None:
            return origins(self.unit, self.known, item)
        others = self.of_other_items(value, position) if found else set()
        return [one for one in found if one[0] not in others]

    def of_other_items(self, call: ast.Call, position: int) -> set[Path]:
        """The places of arguments that a call gives in other items of its tuple only."""
        own, others = set[Path](), set[Path]()
        for function in callees(self.unit.module, self.unit.index, call):
            summary = self.known.summaries.get(function)
            names = parameters_of_item(summary, function, position) if summary is not None else None
            if names is None:
                return set()
            for name, argument in passed(self.unit.module, function, call):
                given = {path for path, _ in origins(self.unit, self.known, argument)}
                own |= given if name in names else set()
                others |= given
        return others - own

    def display(self, target: ast.expr, value: ast.expr) -> Display | None:
        """What is known of a container that is written out and bound to a variable of this body alone."""
        if not isinstance(target, ast.Name) or self.unit.scope.owner(target.id) is not self.unit.scope:
            return None
        if target.id in self.liveness.always or target.id in self.inner_names:
            return None
        return display_of(self.written_out(value))

    def written_out(self, value: ast.expr) -> ast.expr:
        """The tuple or list that an expression gives, where it is known what its items are."""
        if value in self.unit.index.stand_ins:
            return self.unit.index.stand_ins[value]
        if isinstance(value, ast.Call):
            given = given_by(self.unit, value) or parts_of(self.unit, value)
            if isinstance(given, ast.Tuple | ast.List):
                return given
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            sides = [self.written_out(one) for one in (value.left, value.right)]
            kind = ast.Tuple if isinstance(sides[0], ast.Tuple) else ast.List
            known = all(isinstance(one, kind) for one in sides)
            return kind([each for one in sides for each in values_of(one)], ast.Load()) if known else value
        words = value.keywords if isinstance(value, ast.Call) else []
        out = next((word.value for word in words if word.arg == "out"), None)
        return out if isinstance(out, ast.Tuple) and len(out.elts) > 1 else value

    def bind_display(self, path: Path, value: ast.expr, display: Display) -> None:
        """Bind a variable to a container whose items become places."""
        value = self.written_out(value)
        items = values_of(value)
        repeated = value.left if isinstance(value, ast.BinOp) else value  # `[x] * 3` has one array three times
        own = len(repeated.elts) if isinstance(repeated, ast.List) else len(items)
        places: list[Path] = [(f"{TEMPORARY}{position}",) for position in range(len(items))]
        for position, one in enumerate(items):
            again = position >= own and self.unit.may_be_array(one)
            same = [(places[position - own], Link("same", value))]
            self.attach(places[position], same if again else origins(self.unit, self.known, one))
        self.rebind(path)
        self.now.displays[path] = display
        for position, key in enumerate(display.keys):
            self.now.add((*path, key), places[position], Link("same", items[position]))
            self.now.rebind(places[position])

    def append(self, path: Path, value: ast.expr) -> None:
        """Note the last item of a list that was written out."""
        display = self.now.displays[path]
        key = f"[{len(display.keys)}]"
        self.attach((*path, key), origins(self.unit, self.known, value))
        self.now.displays[path] = replace(display, keys=(*display.keys, key))

    def note_displays(self, statement: ast.stmt) -> None:
        """Forget what is known of containers that a statement uses as a whole."""
        for node in headers_of(statement) if self.now.displays else ():
            kept = {*self.items_written(node, self.now.displays), *self.walked}
            for path in dict.fromkeys(taken_whole(self.with_turns(node), self.now.displays, kept)):
                self.now.forget_items(path)
        items = {one: one[:-1] for one in self.now.of if len(one) > 1 and one[-1][0] == "["}
        items = {one: of for one, of in items.items() if of not in self.now.displays and not is_outside(one)}
        containers = set(items.values())
        kept = {name for node in headers_of(statement) for name in self.items_written(node, containers)}
        for item in dict.fromkeys(moved(self.unit, statement, items, kept)):
            self.lose(item, items[item])
            self.now.rebind(item)
        self.unit.tuples = frozenset(path[0] for path, one in self.now.displays.items() if one.is_tuple)
        self.unit.lengths = {path[0]: len(one.keys) for path, one in self.now.displays.items()}

    def with_turns(self, node: ast.AST) -> ast.AST:
        """`ys = [xs[i] for i in range(2)]` as `ys = xs[0], xs[1]`, where it is bound as that: each takes an item."""
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.ListComp) or len(node.targets) > 1:
            return node
        known = self.display(node.targets[0], node.value) is not None
        return ast.Assign(node.targets, ast.Tuple(values_of(node.value), ast.Load())) if known else node

    def items_written(self, node: ast.AST, containers: Container[Path]) -> Iterator[ast.Name]:
        """Those of some containers that are passed to functions which do nothing but read and write to their arrays."""
        for call in [one for one in ast.walk(node) if isinstance(one, ast.Call)] if containers else ():
            functions = callees(self.unit.module, self.unit.index, call)
            given = [*call.args, *(word.value for word in call.keywords)]
            for argument in [one for one in given if isinstance(one, ast.Name) and (one.id,) in containers]:
                names = [
                    name
                    for one in functions
                    for name, other in passed(self.unit.module, one, call)
                    if other is argument
                ]
                pairs = list(zip(functions, names, strict=False))
                if functions and len(pairs) == len(functions) and all(self.hands_on_nothing(*pair) for pair in pairs):
                    yield argument

    def hands_on_nothing(self, function: Function, name: str) -> bool:
        """Whether a function writes to items of a parameter in place, at most: nothing of it stays or comes back."""
        summary = self.known.summaries.get(function)
        if summary is None or function.nested or not keeps_items(function, name):
            return False
        held = (found for key, found in summary.aliases.items() if key.startswith("."))
        return ("parameter", name) not in summary.returned.union(summary.escaped, *held)

    def rows_of(self, target: ast.Tuple | ast.List, value: ast.expr) -> list[list[Origin]]:
        """`x, y = a` binds views of the rows of an array of two axes or more."""
        known = origins(self.unit, self.known, value)
        if (self.unit.rank(value) or 0) < 2 or len(known) != 1 or known[0][1].kind not in ("same", "view"):
            return []
        if any(isinstance(one, ast.Starred) for one in target.elts):
            return []
        path, link = known[0]
        text = link.text or text_of(path)
        return [[(path, Link("view", value, f"{text}[{position}]"))] for position in range(len(target.elts))]

    def gives_twice(self, call: ast.Call) -> bool:
        """Whether a function of the project may return the same array in two places of a tuple."""
        for function in callees(self.unit.module, self.unit.index, call):
            for node in function.nodes:
                if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
                    shared = [
                        one for one in node.value.elts if isinstance(one, ast.Name | ast.Subscript | ast.Attribute)
                    ]
                    roots = [next((n.id for n in ast.walk(one) if isinstance(n, ast.Name)), "") for one in shared]
                    if len(set(roots)) < len(roots):
                        return True
        return False

    def rebind(self, path: Path) -> None:
        """Note that a variable, or another place, gets another value."""
        if len(path) == 1:
            self.lose_items(path[0])
        end = len(path)
        beside = [one for length in range(1, end) for one in self.slots_beside(path, length)]
        for slot in [*beside, *self.slots_by_other_keys(path)]:
            self.lose(slot, path[:-1])
            self.now.rebind(slot)
        self.now.rebind(path)

    def lose_items(self, key: str) -> None:
        """An item whose key gets another value has no name any more, yet is in its container."""
        for item, container in self.now.read_by(key):
            self.lose(item, container)

    def lose(self, item: Path, container: Path) -> None:
        """What is read later of what an item was is in the container still, or not: which of its items is not known."""
        link = Link("may", self.here)
        for one in sorted(self.related([item])):
            if not is_outside(one) and not starts_with(one, container) and self.is_read_on(one):
                self.now.add(container, one, link)
                self.now.add(one, ESCAPED, link)
        for one in [one for one in self.now.exact(item) if starts_with(one, container)]:
            self.now.add(one, ESCAPED, link)

    def is_read_on(self, path: Path) -> bool:
        """Whether what a place holds may be read once a variable is bound: by a loop, in its body or after it."""
        if path[0].startswith(TEMPORARY):  # a value that is bound next
            return True
        own = len(path) == 1 and self.unit.scope.owner(path[0]) is self.unit.scope
        return self.is_live(path) and (self.live_inside is None or not own or path[0] in self.live_inside)

    def attach(self, place: Path, found: list[Origin]) -> None:
        """Link a place to the memory that its new value shares."""
        for other, link in found:
            self.now.add(place, other, link)
            for slot in self.same_attribute(other):
                self.now.add(other, slot, Link("may", link.node))
            if other[-1].startswith("["):  # another key may hold the same array
                for end in [end for end, part in enumerate(other) if part.startswith("[")]:  # of the containers around
                    for beside, near in list(self.now.of.get(other[:end], {}).items()):
                        direct = end == len(other) - 1 and near.kind == "same"
                        self.now.add(place, beside, Link("may", near.node, SLOT if direct else ""))
                for slot in [one for one in self.now.of if one != other and may_be_one_slot(one, other)]:
                    self.now.add(other, slot, Link("may", link.node))

    def bind_origins(self, target: ast.expr, found: list[Origin]) -> None:
        """Bind one target to what is known of a value."""
        if isinstance(target, ast.Tuple | ast.List):
            for leaf in target.elts:
                given = found if self.unit.may_be_array(leaf) else []
                self.bind_origins(leaf, [(path, replace(link, kind="may", text="")) for path, link in given])
            return
        if isinstance(target, ast.Starred):
            target = target.value
        path = self.unit.path(target)
        if isinstance(target, ast.Attribute):
            self.now.forget_attribute(target.attr)
        if path is None:
            holder = self.unit.path(target.value) if isinstance(target, ast.Subscript | ast.Attribute) else None
            for other, link in found:
                self.now.add(other, holder or ESCAPED, Link("may", link.node))
            return
        self.attach(_TEMPORARY, found)
        self.rebind(path)
        if path[-1].startswith("."):
            self.loosen_attribute(self.unit.attribute(path), target, path)
        if found:
            self.now.add(path, _TEMPORARY, Link("same", target))
            self.now.rebind(_TEMPORARY)
        elif path[-1].startswith(".") and path[-1][1:] not in self.lazily:
            self.now.fresh.add(path)
        if path[-1].startswith("["):
            self.note_slot(target, path, found)

    def note_slot(self, target: ast.expr, path: Path, found: list[Origin]) -> None:
        """Note what an item of a container was bound to: of one that is not written out another key may be its slot."""
        container = path[:-1]
        display = self.now.displays.get(container)
        if display is None:
            for other, link in found:
                if other not in self.now.of.get(container, {}):
                    self.now.add(container, other, Link("may", link.node, SLOT))
        elif adds_key(target) and path[-1] not in display.keys:
            self.now.displays[container] = replace(display, keys=(*display.keys, path[-1]))
