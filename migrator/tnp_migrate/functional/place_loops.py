"""Loops over places that are written out: `for p, g in zip([self.w, self.b], grads): p -= lr * g`.

The arrays of the places are in a list of their own while the loop runs, whose items it binds anew, and behind the loop
the places get them back: `updated = [self.w, self.b]` before it and `self.w, self.b = updated` after it. So a `break`,
or a `zip` that is over early, leaves the places that the loop has not come to as they are.
Nothing in the loop may look at the places, which have their old arrays meanwhile.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tnp_migrate.functional.access_paths import Path, text_of
from tnp_migrate.functional.alias_graph import Link
from tnp_migrate.functional.displays import Display
from tnp_migrate.functional.expression_calls import Rewrite, leaves
from tnp_migrate.functional.loop_parts import counter_of, parts_of_loop
from tnp_migrate.functional.loop_targets import Row
from tnp_migrate.functional.place_checks import Gathered, PlaceChecks
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.statement_layout import indent_of
from tnp_migrate.functional.store_forms import listed
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Refused
from tnp_migrate.program.nodes import walk

_SHORT = 2  # letters of a name that has no plural: `p`


@dataclass(eq=False)
class PlaceLoops(PlaceChecks):
    """The loops over places."""

    gathered_names: dict[ast.expr, str] = field(default_factory=dict)
    counters: dict[ast.stmt, str] = field(default_factory=dict)

    def gather_places(self, node: ast.stmt, rewrite: Rewrite) -> list[Gathered]:
        """The lists of places that a loop writes to, each in a variable now; none where it cannot be done."""
        self.apart.pop(node, None)
        found = [*self._candidates(node)]
        try:
            if found and isinstance(node, ast.For):
                self.check_places_of(node, found)
        except Refused:
            found = []
        if not found or not isinstance(node, ast.For):
            self._forget_walked()
            return []
        parts = parts_of_loop(self.unit, node)
        gathered: set[ast.expr] = {one.leaf for one in found if one.leaf is not None}
        self.apart[node] = {
            leaf: [(path, Link("may", node)) for path, _ in origins(self.unit, self.known, given)]
            for leaf, given in parts
            if leaf not in gathered and self.unit.may_be_array(leaf)
        }
        for one in found:
            self._gather(one, rewrite)
        return found

    def _candidates(self, node: ast.stmt) -> Iterator[Gathered]:
        """The lists of places that a loop goes over, by variables which its body writes to."""
        parts = parts_of_loop(self.unit, node) if isinstance(node, ast.For) and not node.orelse else []
        for leaf, given in parts:
            if isinstance(leaf, ast.Name) and isinstance(node, ast.For) and self.is_written(leaf.id, node):
                places, display = self._places(given)
                if places:
                    yield Gathered(leaf, given, places, display=display)
        for name in self._indexed(node) if isinstance(node, ast.For) and not node.orelse else ():
            places, display = self._places(name)
            if places and display is not None and not display.is_tuple:
                yield Gathered(None, name, places, display=display)

    def _indexed(self, node: ast.For) -> Iterator[ast.Name]:
        """The lists of places that a loop writes to by their items, and does nothing else with."""
        parent, names = self.unit.module.names.scopes.parent, dict[str, list[ast.Name]]()
        for one in walk(node):
            if isinstance(one, ast.Name) and (one.id,) in self.now.displays:
                names.setdefault(one.id, []).append(one)
        for uses in names.values():
            items = [parent.get(one) for one in uses]
            picked = [one for one in items if isinstance(one, ast.Subscript) and one.value in uses]
            stored = [one for one in picked if not isinstance(one.ctx, ast.Load)]
            by_key = any(not isinstance(one.slice, ast.Constant) for one in picked)
            in_place = all(isinstance(parent.get(one), ast.AugAssign) and self._is_array(one) for one in stored)
            counted = all(getattr(getattr(one, "func", None), "id", "") == "len" for one in items if one not in picked)
            if stored and by_key and in_place and counted:
                yield uses[0]

    def _is_array(self, item: ast.Subscript) -> bool:
        """Whether an item of a list is surely an array, which an operator writes to in place."""
        value = self.unit.value(item)
        return value.is_array and value.sure and (value.has_axes or bool(value.rank))

    def _places(self, given: ast.expr) -> tuple[tuple[Path, ...], Display | None]:
        """The places that a list has the arrays of, in order; none where they are not known one by one."""
        display = self.now.displays.get((given.id,)) if isinstance(given, ast.Name) else None
        if display is not None and isinstance(given, ast.Name):
            if any(not key[1:-1].isdigit() for key in display.keys):
                return (), None  # a dict, whose keys a loop goes over
            items = [self._holder_of((given.id, key)) for key in display.keys]
            return (tuple(one for one in items if one is not None), display) if None not in items else ((), None)
        written = self.written_out(given)
        elements = written.elts if isinstance(written, ast.Tuple | ast.List) else []
        paths = [self.unit.path(one) for one in elements]
        return (tuple(one for one in paths if one is not None), None) if None not in paths else ((), None)

    def _holder_of(self, item: Path) -> Path | None:
        """The place whose array an item of a list has, nearest to the text: what is an attribute, or a variable."""
        around = [
            one for one, link in self.now.of.get(item, {}).items() if link.kind == "same" and one[0][0] not in "^!"
        ]
        around = [one for one in around if one[0] != item[0]]
        return min(around, key=lambda one: (-len(one), one)) if around else None

    def _gather(self, one: Gathered, rewrite: Rewrite) -> None:
        """Put the arrays of places into a list of their own."""
        unit, given = self.unit, one.given
        is_list = one.display is not None and not one.display.is_tuple
        if is_list and isinstance(given, ast.Name):
            one.name = given.id
        else:
            assert one.leaf is not None
            if given not in self.gathered_names:
                self.gathered_names[given] = unit.fresh(_named(one.leaf.id, given))
            one.name = self.gathered_names[given]
            rewrite.before.append(flat(f"{one.name} = ", self._as_list(given)))
            rewrite.inside[given] = (one.name,)
        around = (path[0] for path in self.related(one.places))
        self.names_held[one.name] = frozenset((one.name, *around))
        self.now.rebind((one.name,))

    def _as_list(self, given: ast.expr) -> Parts:
        """The text of a list of places that is the loop's own."""
        if isinstance(given, ast.Tuple):
            return flat("[", *listed([(self.unit.span(one),) for one in given.elts]), "]")
        is_list = isinstance(self.unit.index.stand_ins.get(given, given), ast.List)
        return (self.unit.span(given),) if is_list else flat("list(", self.unit.span(given), ")")

    def items_of_places(
        self, node: ast.For | ast.AsyncFor, gathered: list[Gathered], rewrite: Rewrite
    ) -> list[tuple[ast.expr, Path]]:
        """The variables of a loop that are items of such lists, which a counter names."""
        walking = [(one.leaf, one.name) for one in gathered if one.leaf is not None]
        if not walking:
            return []
        counter = counter_of(self.unit, node)
        if counter is None:
            if node not in self.counters:
                self.counters[node] = self.unit.fresh("i")
            counter = self.counters[node]
            self.count_turns(node, counter, rewrite)
        return [(leaf, (name, f"[{counter}]")) for leaf, name in walking]

    def bind_turn(
        self, node: ast.For | ast.AsyncFor, rows: list[Row], items: list[tuple[ast.expr, Path]], stored: str
    ) -> None:
        """Bind what a loop binds at each turn."""
        apart = self.apart.get(node)
        if apart is None:
            self.bind_targets(node, rows, items, stored)
            return
        self.live_inside = self.liveness.inside[node] | self.liveness.always
        for _, path in items[:1]:
            self.rebind((path[-1][1:-1],))
        places = {leaf: [(path, Link("same", node))] for leaf, path in items}
        if self.now.ever is not None:
            self.now.had |= {path: self.names_held[path[0]] for _, path in items}
        for leaf in leaves(node.target):
            self.bind_origins(leaf, places.get(leaf) or apart.get(leaf, []))
        self.live_inside = None

    def give_back_places(self, node: ast.stmt, gathered: list[Gathered], items: list[tuple[ast.expr, Path]]) -> None:
        """After the walk over a loop: the places get their arrays back, and so do all that hold them."""
        if not gathered or not isinstance(node, ast.For):
            return
        lines = self.behind_loops.setdefault(node, [])
        inside = f"{self.unit.module.source.newline}{indent_of(self.unit, node)}    "
        self.statement = node
        for one in gathered:
            self._let_go(node, *([one.leaf.id] if one.leaf is not None else []))
            texts = [text_of(path) for path in one.places]
            line = f"{', '.join(texts)} = {one.name}" if len(texts) > 1 else f"{texts[0]} = {one.name}[0]"
            followers = ["".join(map(str, each)) for path in one.places for each in self.follow(path)]
            is_sure = self.unit.index.stand_ins.get(one.given) not in self.unit.index.perhaps_empty
            if followers and not is_sure:
                raise Refused(node, f"`{texts[0]}` is held elsewhere, by objects that may have no such attribute")
            lines += [line, *followers] if is_sure else [f"if {one.name}:{inside}{line}"]
        for one in gathered:
            self._link_again(one)
        for _, path in items[:1]:
            self._let_go(node, path[-1][1:-1])

    def _let_go(self, node: ast.For, *names: str) -> None:
        """Leave the variables of a loop that nothing reads behind it."""
        for name in names:
            if not self.liveness.is_live(name, node) and self.unit.scope.owner(name) in (self.unit.scope, None):
                self.now.rebind((name,))

    def _link_again(self, one: Gathered) -> None:
        """Note what holds the arrays behind the loop: those of the user's own list, and what has taken one in it."""
        container: Path = (one.name,)
        inside = [path for path in self.now.of if path[0] == one.name]
        held = [
            other for path in inside for other in self.now.of[path] if other[0] != one.name and self.is_read_on(other)
        ]
        for other in held:
            for path in one.places:
                self.now.add(other, path, Link("may", self.here))
        for path in inside:
            self.now.rebind(path)
        self.now.rebind(container)
        del self.names_held[one.name]
        if one.display is None or one.display.is_tuple or not self.is_read_on(container):
            return
        if not held:
            self.now.displays[container] = one.display
        for key, path in zip(one.display.keys, one.places, strict=True):
            self.now.add((one.name, key) if not held else container, path, Link("may" if held else "same", self.here))

    def note_walked(self, node: ast.stmt) -> None:
        """Note the variables with lists that a loop goes over by variables which it writes to."""
        parts = parts_of_loop(self.unit, node) if isinstance(node, ast.For) and self.now.displays else []
        self.walked = frozenset(
            given
            for leaf, given in parts
            if isinstance(given, ast.Name) and isinstance(leaf, ast.Name) and isinstance(node, ast.For)
            if (given.id,) in self.now.displays and self.is_written(leaf.id, node)
        )

    def _forget_walked(self) -> None:
        """A loop that goes over a list as over any: it is no longer known which item is which."""
        for name in self.walked:
            self.now.forget_items((name.id,))


def _named(leaf: str, given: ast.expr) -> str:
    """A name for a list of places: of `net.params()` that of the method."""
    called = given.func if isinstance(given, ast.Call) else given
    if isinstance(called, ast.Attribute):
        return called.attr
    return f"{leaf}s" if len(leaf) > _SHORT else "updated"
