"""Whether nothing sees that the arrays of some places are in a list of their own while a loop runs."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import combinations

from tnp_migrate.functional.access_paths import Path, is_outside, names_in, text_of
from tnp_migrate.functional.displays import Display
from tnp_migrate.functional.element_loops import is_in_try
from tnp_migrate.functional.loop_parts import parts_of_loop
from tnp_migrate.functional.loop_sights import Sights
from tnp_migrate.functional.loop_targets import Turns
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.unit import Refused
from tnp_migrate.program.attributes import attribute_name
from tnp_migrate.program.index import Module


@dataclass(eq=False)
class Gathered:
    """A list of places that a loop writes to by a variable, or by items, `params[i]`, where it has no such variable.

    `name` is the variable with their arrays. `display` is what is known of a list of the user's own, if it is that.
    """

    leaf: ast.Name | None
    given: ast.expr
    places: tuple[Path, ...]
    name: str = ""
    display: Display | None = None


@dataclass(eq=False)
class PlaceChecks(Turns):
    """The checks that a loop over places has to pass."""

    def check_places_of(self, node: ast.For, found: list[Gathered]) -> None:
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
        written: set[ast.expr] = {one.leaf for one in found if one.leaf is not None}
        for leaf, given in parts_of_loop(self.unit, node):
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
        own = {one.given.id for one in found if one.leaf is not None and isinstance(one.given, ast.Name)}
        lists = {one.given.id for one in found if one.leaf is None and isinstance(one.given, ast.Name)}
        holders = {one for one in (path, *around) if not is_outside(one) and one[0] not in lists}
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


def _gets_new_object(module: Module, store: ast.Attribute) -> bool:
    """Whether an attribute is bound to an object that is made there: `self.hidden = Layer(3, 2)`."""
    above = module.names.scopes.parent.get(store)
    value = above.value if isinstance(above, ast.Assign) and above.targets == [store] else None
    made = module.value(value.func) if isinstance(value, ast.Call) else None
    return made is not None and made.kind == "class" and made.ref.method("__new__") is None
