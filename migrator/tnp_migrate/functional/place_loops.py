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
from itertools import combinations

from tnp_migrate.functional.access_paths import Path, is_outside, names_in, text_of
from tnp_migrate.functional.alias_graph import Link
from tnp_migrate.functional.displays import Display
from tnp_migrate.functional.element_loops import is_in_try
from tnp_migrate.functional.expression_calls import Rewrite, leaves
from tnp_migrate.functional.loop_sights import Sights
from tnp_migrate.functional.loop_targets import Row, Turns
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.store_forms import listed
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unit import Refused
from tnp_migrate.program.attributes import attribute_name
from tnp_migrate.program.index import Module
from tnp_migrate.program.nodes import walk

_SHORT = 2  # letters of a name that has no plural: `p`


@dataclass(eq=False)
class Gathered:
    """A list of places that a loop writes to by a variable; `name` is the variable with their arrays.

    `display` is what is known of a list of the user's own that has these arrays by its name.
    """

    leaf: ast.Name
    given: ast.expr
    places: tuple[Path, ...]
    name: str = ""
    display: Display | None = None


@dataclass(eq=False)
class PlaceLoops(Turns):
    """The loops over places."""

    gathered_names: dict[ast.expr, str] = field(default_factory=dict)
    counters: dict[ast.stmt, str] = field(default_factory=dict)

    def gather_places(self, node: ast.stmt, rewrite: Rewrite) -> list[Gathered]:
        """The lists of places that a loop writes to, each in a variable now; none where it cannot be done."""
        self.apart.pop(node, None)
        found = [*self._candidates(node)]
        try:
            if found and isinstance(node, ast.For):
                self._check_gathered(node, found)
        except Refused:
            found = []
        if not found or not isinstance(node, ast.For):
            self._forget_walked()
            return []
        parts = parts_of_loop(node)
        gathered = {one.leaf for one in found}
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
        parts = parts_of_loop(node) if isinstance(node, ast.For) and not node.orelse else []
        for leaf, given in parts:
            if isinstance(leaf, ast.Name) and isinstance(node, ast.For) and self.is_written(leaf.id, node):
                places, display = self._places(given)
                if places:
                    yield Gathered(leaf, given, places, display=display)

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

    def _check_gathered(self, node: ast.For, found: list[Gathered]) -> None:
        """Refuse what is not as if each place were written to where the loop stands."""
        sights = Sights(self.unit, self.known, node)
        places = [path for one in found for path in one.places]
        self.statement = node
        if not self.is_left_at_end(node) or self.is_run_in_try():
            raise Refused(node, "something may go on behind an exception in the loop, and see the places")
        if not all(self._are_two(one, other) for one, other in combinations(places, 2)):
            raise Refused(node, "two places of the loop may be one")
        shared = [self.related([path]) for path in places]
        for path, around in zip(places, shared, strict=True):
            if around & (set(places) - {path}) or self.is_in_tuple(path) or [*self.either_groups(path)]:
                raise Refused(node, f"`{text_of(path)}` may be another place of the loop")
            self.check_seen(sights, path, around, found)
        written = {one.leaf for one in found}
        for leaf, given in parts_of_loop(node):
            read = {path for path, _ in origins(self.unit, self.known, given)} if leaf not in written else set()
            if any(read & around for around in shared):
                raise Refused(node, f"`{ast.unparse(leaf)}` may be an array that the loop writes to")

    def _are_two(self, one: Path, other: Path) -> bool:
        """Whether two paths are two places: attributes of one name, or items, may be of one object by two names."""
        if one[-1] != other[-1] or len(one) == 1:
            return one != other
        return one != other and (self.are_two(one[:-1], other[:-1]) or self._are_made(one[:-1], other[:-1]))

    def _are_made(self, one: Path, other: Path) -> bool:
        """Whether two attributes of an object, each under a name of its own, have objects that are made for them."""
        both = len(one) == len(other) == 2 and one[0] == other[0] and one[-1][0] == other[-1][0] == "."
        return both and all(self._is_made(self.unit.attribute(path)) for path in (one, other))

    def _is_made(self, key: str) -> bool:
        """Whether an attribute, given by its key, gets nothing but objects that are made where it is bound."""
        stores = self.unit.index.attribute_stores.get(attribute_name(key), [])
        return bool(stores) and all(_gets_new_object(module, store) for module, store in stores)

    def is_run_in_try(self) -> bool:
        """Whether something that leads to this function stands where an exception ends."""
        function = self.unit.function
        pending, seen = [function] if function is not None else [], {function}
        while pending:
            for module, call in self.known.running.calls_to(pending.pop()):
                around = module.function_around(call)
                if is_in_try(module, call):
                    return True
                pending += [around] if around is not None and around not in seen else []
                seen.add(around)
        return False

    def check_seen(self, sights: Sights, path: Path, around: set[Path], found: list[Gathered]) -> None:
        """Refuse a place that something in a loop can see."""
        own = {one.given.id for one in found if one.display is not None and isinstance(one.given, ast.Name)}
        holders = {one for one in (path, *around) if not is_outside(one)}
        holders |= {one for end in range(1, len(path)) if path[end][0] == "[" for one in self.now.same(path[:end])}
        attributes = {part[1:] for one in holders for part in one if part[0] == "."}
        roots = own | {one[0] for one in holders if not any(part[0] == "." for part in one)}
        captured = self.liveness.always | self.inner_names | self.known.imported
        closed = bool(attributes) or any(
            one in captured or self.unit.scope.owner(one) is not self.unit.scope for one in roots - own
        )
        bound = roots | {name for one in holders for name in names_in(text_of(one))}
        seen = sights.seen(roots, attributes, bound=bound, closed=closed, lent=any(map(is_outside, around)))
        if seen is not None:
            raise Refused(seen, f"`{text_of(path)}` may be seen while the loop runs")

    def _gather(self, one: Gathered, rewrite: Rewrite) -> None:
        """Put the arrays of places into a list of their own."""
        unit, given = self.unit, one.given
        is_list = one.display is not None and not one.display.is_tuple
        if is_list and isinstance(given, ast.Name):
            one.name = given.id
        else:
            if given not in self.gathered_names:
                wanted = f"{one.leaf.id}s" if len(one.leaf.id) > _SHORT else "updated"
                self.gathered_names[given] = unit.fresh(wanted)
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
        return flat(self.unit.span(given)) if isinstance(given, ast.List) else flat("list(", self.unit.span(given), ")")

    def items_of_places(
        self, node: ast.For | ast.AsyncFor, gathered: list[Gathered], rewrite: Rewrite
    ) -> list[tuple[ast.expr, Path]]:
        """The variables of a loop that are items of such lists, which a counter names."""
        if not gathered:
            return []
        counter = _counter_of(node)
        if counter is None:
            if node not in self.counters:
                self.counters[node] = self.unit.fresh("i")
            counter = self.counters[node]
            self.count_turns(node, counter, rewrite)
        return [(one.leaf, (one.name, f"[{counter}]")) for one in gathered]

    def bind_turn(
        self, node: ast.For | ast.AsyncFor, rows: list[Row], items: list[tuple[ast.expr, Path]], stored: str
    ) -> None:
        """Bind what a loop binds at each turn."""
        apart = self.apart.get(node)
        if apart is None:
            self.bind_targets(node, rows, items, stored)
            return
        self.live_inside = self.liveness.inside[node] | self.liveness.always
        self.rebind((items[0][1][-1][1:-1],))
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
        self.statement = node
        for one in gathered:
            self._let_go(node, one.leaf.id)
            texts = [text_of(path) for path in one.places]
            lines.append(f"{', '.join(texts)} = {one.name}" if len(texts) > 1 else f"{texts[0]} = {one.name}[0]")
            for path in one.places:
                lines += ["".join(map(str, line)) for line in self.follow(path)]
        for one in gathered:
            self._link_again(one)
        self._let_go(node, items[0][1][-1][1:-1])

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
        parts = parts_of_loop(node) if isinstance(node, ast.For) and self.now.displays else []
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


def parts_of_loop(node: ast.For) -> list[tuple[ast.expr, ast.expr]]:
    """The variables of a loop with what each goes over, through `zip` and `enumerate`."""
    return [*_taken_apart(node.target, node.iter)]


def _taken_apart(target: ast.expr, given: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    name = given.func.id if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) else ""
    targets = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    args = given.args if isinstance(given, ast.Call) else []
    plain = not any(isinstance(one, ast.Starred) for one in (*targets, *args))
    if name == "zip" and plain and len(targets) == len(args):
        for one, each in zip(targets, args, strict=True):
            yield from _taken_apart(one, each)
    elif name == "enumerate" and plain and len(targets) == 2 and args:
        yield from _taken_apart(targets[1], args[0])
    else:
        yield from ((leaf, given) for leaf in leaves(target))


def _gets_new_object(module: Module, store: ast.Attribute) -> bool:
    """Whether an attribute is bound to an object that is made there: `self.hidden = Layer(3, 2)`."""
    above = module.names.scopes.parent.get(store)
    value = above.value if isinstance(above, ast.Assign) and above.targets == [store] else None
    made = module.value(value.func) if isinstance(value, ast.Call) else None
    return made is not None and made.kind == "class" and made.ref.method("__new__") is None


def _counter_of(node: ast.For | ast.AsyncFor) -> str | None:
    """The variable that counts the turns of a loop from 0, if it has one that nothing else binds."""
    call, target = node.iter, node.target
    counts = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "enumerate"
    if not counts or not isinstance(target, ast.Tuple | ast.List) or len(getattr(call, "args", ())) != 1:
        return None
    first = target.elts[0]
    bound = [
        one
        for part in node.body
        for one in walk(part)
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)
    ]
    is_kept = isinstance(first, ast.Name) and not any(one.id == first.id for one in bound)
    return first.id if is_kept and isinstance(first, ast.Name) and not getattr(call, "keywords", ()) else None
