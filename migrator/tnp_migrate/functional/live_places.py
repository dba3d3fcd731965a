"""The places that hold arrays at one point of a walk: what shares memory, and which of them are read later."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from tnp_migrate.functional.access_paths import (
    ESCAPED,
    TEMPORARY,
    Path,
    entry,
    is_outside,
    may_be_one_slot,
    names_in,
    starts_with,
    text_of,
)
from tnp_migrate.functional.alias_graph import Link, Links
from tnp_migrate.functional.known import Known
from tnp_migrate.functional.liveness import Liveness
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.unit import Refused, Unit
from tnp_migrate.program.attributes import meets
from tnp_migrate.program.nodes import walk


@dataclass(eq=False)
class Places:
    """The links at one point of a walk. `links` is None where the flow does not come."""

    unit: Unit
    known: Known
    liveness: Liveness
    links: Links | None = field(default_factory=Links)
    statement: ast.stmt | None = None
    still_read: frozenset[str] = frozenset()  # by the rest of the statement that a call stands in
    bound_inside: frozenset[str] = frozenset()  # by `:=` in the statement at hand
    to_be_bound: frozenset[str] = frozenset()  # by the assignment at hand, when its value is there
    # By a list with the arrays of places that are apart, for a loop to bind anew, what those are known by.
    names_held: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def now(self) -> Links:
        """The links at this point, which the flow reaches."""
        assert self.links is not None
        return self.links

    @property
    def here(self) -> ast.AST:
        """The statement at this point."""
        assert self.statement is not None
        return self.statement

    def check_names(self, paths: Iterable[Path]) -> None:
        """Refuse places that the names in them no longer lead to: `v[(k := 1)] = 9` where `v` is in `d[k]`."""
        for path in paths if self.bound_inside else ():
            if not self.bound_inside.isdisjoint(names_in(text_of(path))):
                raise Refused(self.here, f"the statement binds a name of `{text_of(path)}` anew, by `:=`")

    def overlap(self, array: ast.expr, value: ast.expr) -> bool:
        """Whether a value may be a view of an array that is written to."""
        written = self.related(path for path, _ in origins(self.unit, self.known, array))
        return bool((written & {path for path, _ in origins(self.unit, self.known, value)}) - {ESCAPED})

    def related(self, paths: Iterable[Path]) -> set[Path]:
        """Places with all that may share memory with them."""
        found = set(paths)
        return found | {one for path in found for one in self.now.exact(path)} | set(self.now.possible(found))

    def goes_through(self, path: Path, key: str) -> Path | None:
        """The part of a path up to an attribute, given by its key; None where it goes through no such one."""
        ends = (position + 1 for position, part in enumerate(path) if part.startswith("."))
        return next((path[:end] for end in ends if meets(self.unit.attribute(path[:end]), key)), None)

    def loosen_attribute(self, key: str, node: ast.AST, bound: Path = ESCAPED) -> None:
        """An attribute is bound anew, of the object `bound` or of any: others may be that object."""
        for path in [one for one in sorted({*self.now.of, *self.now.fresh}) if len(one) > 1 and not is_outside(one)]:
            part = self.goes_through(path, key)
            if part is None or (bound != ESCAPED and self.are_two(part[:-1], bound[:-1])):
                continue
            self.now.loosen_place(path, node)
            if bound != ESCAPED:
                self.now.add(path, bound, Link("may", node))

    def same_attribute(self, path: Path) -> list[Path]:
        """The places known here that may be an attribute's under another name of its object."""
        if not path[-1].startswith("."):
            return []
        key, known = self.unit.attribute(path), sorted({*self.now.of, *self.now.fresh} - {path})
        near = [one for one in known if one[-1].startswith(".") and meets(self.unit.attribute(one), key)]
        return [one for one in near if not self.are_two(one[:-1], path[:-1])]

    def are_two(self, one: Path, other: Path) -> bool:
        """Whether two paths surely name different objects, or are one path, which is followed."""
        made = any(len(path) == 1 and self.unit.is_made_object(path[0]) for path in (one, other))
        return one == other or (made and other not in self.related([one]))

    def whole_of(self, path: Path) -> tuple[Path, Path, Link] | None:
        """The array of which a place holds a row, if that is no number, with the place that is linked to it."""
        around = ((one, self.now.of.get(one, {})) for one in sorted(self.now.same(path)))
        found = [(one, far, link) for one, links in around for far, link in links.items() if link.kind == "item"]
        known = len(found) == 1 and not is_outside(found[0][1]) and self.unit.numpy is not None
        return found[0] if known else None

    def items_of(self, reached: Collection[Path]) -> dict[Path, tuple[Path, str]]:
        """What is read later of what are rows of some arrays, or numbers, with the array and the text that picks it."""
        found: dict[Path, tuple[Path, str]] = {}
        for base in sorted(reached) if self.unit.numpy is not None else ():
            for other, link in self.now.of.get(base, {}).items() if not is_outside(base) else ():
                group = self.now.same(other) if link.kind == "whole" else set()
                if any(self.is_live(one) for one in group) and all(len(one) == 1 for one in group):
                    found |= {} if any(is_outside(one) or one in found for one in group) else {other: (base, link.text)}
        return found

    def slots_beside(self, path: Path, length: int) -> list[Path]:
        """The places in an item that are found by other names of a container, which is so much of the item's path."""
        found: set[Path] = set()
        for one in self.now.same(path[:length]) - {path[:length]}:
            twin = (*one, *path[length:])
            parts = [(place, place[: len(twin)]) for place in self.now.of]
            found |= {place for place, part in parts if part == twin or may_be_one_slot(part, twin)}
        return sorted(found)

    def slots_by_other_keys(self, path: Path) -> list[Path]:
        """The places in items that may be the item of a path, by another key of the container: `d["a"]` of `d[k]`."""
        end = len(path)
        return sorted(one for one in self.now.of if one[:end] != path and may_be_one_slot(one[:end], path))

    def is_live(self, path: Path) -> bool:
        """Whether what a place holds may be read later."""
        if path[0].startswith(TEMPORARY):
            return False
        if path[0] in self.unit.kept.values():
            return True
        if is_outside(path) or (len(path) > 1 and path[:1] not in self.now.displays):
            return True
        assert self.statement is not None
        if self.unit.function is not None and self.unit.scope.owner(path[0]) is not self.unit.scope:
            return True
        if len(path) == 1 and path[0] in self.to_be_bound:  # what it holds so far is not read later
            return path[0] in self.still_read | self.liveness.always
        read = path[0] in self.still_read or self.is_in_body(path[0])
        return read or self.liveness.is_live(path[0], self.statement)

    def is_caught(self) -> bool:
        """Whether something may go on behind an exception in the statement, and read what it leaves."""
        around = self.unit.module.names.scopes.ancestors(self.here)
        return any(isinstance(one, ast.Try | ast.With) or type(one).__name__ == "TryStar" for one in around)

    def is_in_body(self, name: str) -> bool:
        """Whether the body of the statement reads a variable, which what is in its head may write to."""
        if not isinstance(self.statement, ast.If | ast.For | ast.AsyncFor | ast.With | ast.AsyncWith | ast.Match):
            return False
        return any(isinstance(one, ast.Name) and one.id == name for one in walk(self.statement))

    def is_shared(self, path: Path) -> bool:
        """Whether anything that is read later, or the caller, holds what a place holds."""
        return any(self.is_live(one) for one in (*self.now.exact(path), *self.now.possible({path})))

    def is_only_callers(self, path: Path) -> bool:
        """Whether what a parameter holds is held by nothing else but the caller."""
        kept = self.unit.kept.values()
        exact = [one for one in self.now.exact(path) if self.is_live(one) and one[0] not in kept]
        possible = [one for one in self.now.possible({path, *exact}) if self.is_live(one)]
        return exact == [entry(path[0])] and not possible

    def holders(self, path: Path) -> list[Path]:
        """The places that may hold what a place holds, and are read later."""
        return [one for one in sorted(self.related([path])) if self.is_live(one) and not starts_with(one, path)]
