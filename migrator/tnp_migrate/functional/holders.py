"""What holds an array, and what a write has to bring to its other holders."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from tnp_migrate.functional.access_paths import (
    Path,
    entry,
    is_not_written,
    is_outside,
    is_repeatable,
    may_be_one_slot,
    names_in,
    shown,
    starts_with,
    text_of,
)
from tnp_migrate.functional.alias_graph import Link
from tnp_migrate.functional.callee_results import given_by, item_made
from tnp_migrate.functional.known import Variable
from tnp_migrate.functional.live_places import Places
from tnp_migrate.functional.own_objects import is_apart
from tnp_migrate.functional.own_properties import binds_computed
from tnp_migrate.functional.points_to import Origin, origins
from tnp_migrate.functional.row_loops import row_of
from tnp_migrate.functional.store_forms import SHAPE, Write, check_item, written_back
from tnp_migrate.functional.text_parts import Parts, flat
from tnp_migrate.functional.unique_holder import loose_holder, other_holder, repeats
from tnp_migrate.functional.unit import Refused
from tnp_migrate.functional.view_stability import keeps_value
from tnp_migrate.functional.view_texts import text_back
from tnp_migrate.program.attributes import meets
from tnp_migrate.program.decorators import getters
from tnp_migrate.program.rotations import rotating_with


@dataclass(eq=False)
class Holders(Places):
    """The places at one point of a walk, with what has been written to."""

    written: dict[str, ast.AST] = field(default_factory=dict)
    attributes: set[str] = field(default_factory=set)
    items: set[str] = field(default_factory=set)
    outer: set[Variable] = field(default_factory=set)
    run_here: set[Variable] = field(default_factory=set)  # what calls in this statement write to
    declared: dict[str, str] = field(default_factory=dict)
    element_stores: dict[ast.expr, bool] = field(default_factory=dict)  # those in loops; whether they are kept
    sure: set[str] = field(default_factory=set)
    guessing: bool = False
    deep: bool = False  # whether what is written to now is an item, if the place holds a list
    deeply: set[str] = field(default_factory=set)
    missed: dict[str, ast.AST] = field(default_factory=dict)  # parameters that may be written to: callers see nothing
    rows: dict[Path, tuple[str, frozenset[Path]]] = field(default_factory=dict)  # iterator -> counter, arrays
    updated: str = ""  # the variable with a new value that several places may get
    row: str = ""  # the variable that says which row is being stored

    def apply(self, write: Write) -> list[Parts]:
        """Lines that write: to the place at the root of the target, and then to all that hold it."""
        self.deep = False
        if write.apart is not None and self.overlap(write.target, write.apart):
            raise Refused(write.node, "what is stored is a view of the array itself, which NumPy reads meanwhile")
        while (path := self.unit.path(write.target)) is None:
            self.deep = self.deep or isinstance(write.target, ast.Subscript)
            result = self.result_of(write.target)
            if result is not None:
                path, link = result
                write = replace(write, value=text_back(self.unit, link.text or text_of(path), path, write.value))
                break
            if is_apart(self.unit, write.target):
                return [write.value]  # nothing else holds it
            if isinstance(write.target, ast.BinOp) or self.unit.value(write.target).kind == "list":
                raise Refused(write.node, f"`{ast.unparse(write.target)}` is an item of a list that is found anew")
            check_item(self.unit, write.target)
            write = replace(written_back(self.unit, write.target, write.value), node=write.node)
        if write.construct == SHAPE:
            self.check_gathered({path, *self.now.exact(path)})
            return [self.binding(path, write.value), *self.reshape(path, write)]
        if write.construct == "`.resize()`" and (self.now.exact(path) or self.now.possible({path})):
            raise Refused(write.node, f"`{text_of(path)}` may be held by others, whom NumPy does not resize")
        either = self.either(path)
        if not either:
            return [self.binding(path, write.value), *self.follow(path, bound=True)]
        if len(write.value) == 1 and isinstance(write.value[0], str) and write.value[0].isidentifier():
            new, lines = write.value[0], []
        else:
            self.updated = self.updated or self.unit.fresh("updated")
            new, lines = self.updated, [flat(f"{self.updated} = ", write.value)]
        for other in either:
            self.check_place(other)
            text = text_of(other)
            lines.append(self.binding(other, (f"{new} if {text} is {text_of(path)} else {text}",)))
        return [*lines, self.binding(path, (new,)), *self.follow(path, bound=True)]

    def result_of(self, node: ast.expr) -> Origin | None:
        """The array that a call gives, or a view of one, where that is known."""
        found = origins(self.unit, self.known, node) if isinstance(node, ast.Call) else []
        known = len(found) == 1 and found[0][1].kind in ("same", "view") and not is_outside(found[0][0])
        given = isinstance(node, ast.Call) and (given_by(self.unit, node) or item_made(self.unit, node))
        return found[0] if known and given else None

    def either(self, path: Path) -> list[Path]:
        """The live places that hold the same array as one or share nothing with it."""
        found: dict[Path, None] = {}
        for link, group in self.either_groups(path):
            outside = [one for one in group if is_outside(one)]
            inside = [one for one in group if not is_outside(one) and (self.is_live(one) or (f"^{one[0]}",) in outside)]
            if outside and not inside and not self.is_left(outside[0]):
                held = f"`{text_of(path)}` may be what the caller passed as `{outside[0][0][1:]}`"
                raise Refused(self.here, held, link.node, parameter=outside[0][0][1:])
            found |= dict.fromkeys(inside)
            for each in outside if inside else ():
                self.written.setdefault(each[0][1:], self.here)
                self.sure.add(each[0][1:])
        return list(found)

    def either_groups(self, path: Path) -> Iterator[tuple[Link, list[Path]]]:
        """The places of one array that is a place's own or shares nothing with it, where a line can see to them.

        That is where one of them at most is read later, and none is out of sight.
        """
        for one in sorted(self.now.same(path)):
            for other, link in self.now.of.get(one, {}).items():
                group = sorted(self.now.same(other)) if link.kind == "either" else []
                live = sum(not is_outside(each) and self.is_live(each) for each in group)
                if group and live <= 1 and not any(each[0][0] == "!" for each in group):
                    yield link, group

    def is_left(self, path: Path) -> bool:
        """Whether a place is a parameter's array that no caller reads after a write which may be to it."""
        name = path[0][1:]
        if path[0][0] != "^" or name not in self.unit.left:
            return False
        self.missed.setdefault(name, self.here)
        return True

    def reshape(self, path: Path, write: Write) -> list[Parts]:
        """`a.shape = s` changes what `a` and all its other names are: their base and their views stay as they are."""
        self.check_place(path)
        lines: list[Parts] = []
        same = self.now.same(path)
        if any(link.kind in ("may", "either") for one in same for link in self.now.of.get(one, {}).values()):
            raise Refused(write.node, f"what `{text_of(path)}` is given a new shape with is not known")
        for other in sorted(same):
            if is_outside(other):
                raise Refused(write.node, f"`{text_of(path)}` is an array of the caller, who sees its shape")
            if other != path and self.is_live(other):
                self.check_place(other)
                lines.append((f"{text_of(other)} = {text_of(path)}",))
            for far, link in list(self.now.of.get(other, {}).items()):
                if link.kind != "same":
                    self.now.add(other, far, self.with_shape(link, write))
        return lines

    def with_shape(self, link: Link, write: Write) -> Link:
        """The link to what an array with a new shape is a view of; to its own views there is no such link."""
        here = self.here
        shape = here.value if isinstance(here, ast.Assign) and here.targets == [write.node] else None
        if link.kind != "view" or shape is None or not (is_repeatable(shape) and keeps_value(self.unit, shape)):
            return Link("may", write.node)
        return Link("view", write.node, f"{link.text}.reshape({ast.unparse(shape)})")

    def follow(self, path: Path, *, bound: bool = False) -> list[Parts]:
        """Note that a place has a new array; give the lines that bring it to all other holders.

        `bound` where those that `either` gives are seen to.
        """
        if any(one.name == path[0] and self.unit.scope.owner(one.name) is one.scope for one in self.run_here):
            raise Refused(self.here, f"a call in the same statement writes to `{path[0]}` as well")
        self.check_place(path)
        return self.bring(path, bound=bound)

    def bring(self, path: Path, *, bound: bool = False) -> list[Parts]:
        """The lines that bring the new array of a place to all other holders, and a row to the array that it is of."""
        found = self.whole_of(path)
        if found is None:
            return self.bring_here(path, bound=bound)
        item, whole, link = found
        del self.now.of[item][whole], self.now.of[whole][item]
        lines = self.bring_here(path, bound=bound)
        if any(self.is_live(one) for one in self.related([whole])):
            name, row = text_of(path), ast.parse(link.text, mode="eval").body
            value = text_back(self.unit, link.text, whole, (name,))
            self.check_place(whole)
            self.row = row_of(row) if isinstance(row, ast.Subscript) else ""
            lines.append(self.binding(whole, flat(value, f" if {self.unit.numpy}.ndim({name}) else {text_of(whole)}")))
            lines += self.bring(whole)
        self.now.of[item][whole], self.now.of[whole][item] = link, link.inverse
        return lines

    def check_gathered(self, paths: Collection[Path]) -> None:
        """Refuse items of `*args`, `**kwargs` and defaults: others hold the arrays, and no name stands for them."""
        unnamed = ours.gathered | ours.of_defaults if (ours := self.unit.function) else ()
        for name in (one[0] for one in paths if one[0] in unnamed and (self.deep or len(one) > 1)):
            raise Refused(self.here, f"the items of `{name}` are others' arrays, which no name stands for")

    def bring_here(self, path: Path, *, bound: bool) -> list[Parts]:
        """The lines that bring the new array of a place to those that surely share its memory."""
        exact = self.now.exact(path)
        reached = {path, *exact}
        self.check_gathered(reached)
        items = self.items_of(reached)
        needed = self.needed(path, exact, {base for base, _ in items.values()})
        self.check_names([path, *needed])
        either = {one for _, group in self.either_groups(path) for one in group} if bound else set()
        either |= {one for item in items for one in self.now.same(item)}  # and so do the last lines
        same, views = self.now.same(path), self.now.same(path, ("same", "view"))
        for other, link in self.now.possible(reached, () if self.deep else same).items():
            one_slot = any(may_be_one_slot(one, other) for one in reached)  # which is bound anew, by either name
            if other in either or one_slot or not self.is_live(other) or self.has_passed(other, path, exact):
                continue
            containers = [one[:1] for one in reached if len(one) > 1 and one[1][0] == "["]
            if any(other in self.now.same(one) and self.now.has_slots_only(one, reached) for one in containers):
                continue  # the container, of which that is an item: it has the new array
            if frozenset({path, other}) in self.now.apart:
                continue
            if is_not_written(other) and not views & self.now.of[other].keys():
                continue
            raise Refused(self.here, f"{shown(other)} may hold the same memory as `{text_of(path)}`", link.node)
        lines: list[Parts] = []
        for other in needed:
            origin, link = exact[other]
            if is_outside(other):
                if link.kind != "same":
                    raise Refused(
                        self.statement or link.node, f"`{text_of(path)}` is a view of what a caller holds", link.node
                    )
                self.written.setdefault(other[0][1:], self.statement or link.node)
                self.sure |= set() if self.guessing else {other[0][1:]}
                self.deeply |= {other[0][1:]} if self.deep else set()
                continue
            self.check_place(other)
            value: Parts = (link.text,) if link.kind == "view" else (text_of(origin),)
            if link.kind not in ("same", "view"):
                check_item(self.unit, link.node)
                value = text_back(self.unit, link.text, other, value)
            lines.append(self.binding(other, value))
        for item, (_, text) in items.items():
            self.check_place(item)
            lines.append((f"{text_of(item)} = {text} if {self.unit.numpy}.ndim({text_of(item)}) else {text_of(item)}",))
            others = sorted(self.now.same(item) - {item})
            lines += [(f"{text_of(other)} = {text_of(item)}",) for other in others if self.is_live(other)]
        return lines

    def binding(self, path: Path, value: Parts) -> Parts:
        """The line that binds a place; an item of a tuple gets a new tuple around it."""
        if not self.is_in_tuple(path):
            return flat(f"{text_of(path)} = ", value)
        container, keys = text_of(path[:-1]), self.now.displays[path[:-1]].keys
        items = [flat(", ", value if key == path[-1] else f"{container}{key}") for key in keys]
        return flat(f"{container} = (", *flat(*items)[1:], ",)" if len(keys) == 1 else ")")

    def is_in_tuple(self, path: Path) -> bool:
        """Whether a place is an item of a tuple."""
        display = self.now.displays.get(path[:-1])
        return display is not None and display.is_tuple

    def has_passed(self, iterator: Path, path: Path, exact: dict[Path, tuple[Path, Link]]) -> bool:
        """Whether a loop's iterator has read what is written: the row that its counter names, and nothing else."""
        counter, arrays = self.rows.get(iterator, ("", frozenset()))
        if path in arrays:
            return self.row == counter
        return any(one in exact and exact[one][1].text == f"{text_of(one)}[{counter}]" for one in arrays)

    def needed(self, path: Path, exact: dict[Path, tuple[Path, Link]], read: Collection[Path] = ()) -> list[Path]:
        """The holders that are read, later or in other lines, and those between them and the place, nearest first."""
        wanted: set[Path] = set()
        for other in exact:
            here = other
            if other in read or self.is_live(other):
                while here != path:
                    wanted.add(here)
                    here = exact[here][0]
        return [other for other in exact if other in wanted]

    def check_place(self, path: Path) -> None:
        """Refuse a place that cannot be bound anew; declare names of enclosing functions and of the module."""
        if path in self.now.fresh:
            if path[-1].startswith("."):
                self.check_property(path, self.unit.attribute(path))
            return
        if path[-1].startswith("."):
            attribute = self.check_attribute(path, f"the array of `{text_of(path)}`")
            for one in [one for one in self.now.of if one[0].startswith("!") and meets(one[0][1:], attribute)]:
                for other in self.holders(one):
                    held = f"`{text_of(other)}` may hold the array of `{text_of(path)}`"
                    raise Refused(self.here, held, attribute=attribute)
            return
        name = path[0]
        if len(path) > 1:
            self.check_container(path)
            return
        owner = self.unit.scope.owner(name)
        if owner is None or owner is self.unit.scope:
            return
        if owner.kind == "module":
            self.check_global(name)
        self.note_outer(Variable(owner, name))
        if name not in self.unit.scope.globals | self.unit.scope.nonlocals:
            self.declared[name] = "global" if owner.kind == "module" else "nonlocal"

    def check_attribute(self, path: Path, named: str) -> str:
        """Refuse to bind an attribute whose array, or container, others may have; give its key."""
        key = self.unit.attribute(path)
        if (why := self.known.why_shared(key)) is not None:
            raise Refused(self.here, f"{named} is shared: {why}", attribute=key)
        self.check_property(path, key)
        self.attributes |= rotating_with(self.unit.index, key)
        return key

    def check_property(self, path: Path, key: str) -> None:
        """Refuse to bind what a property gives: the array is one of another attribute."""
        for one in getters(self.unit.index.methods, key):
            if self.holders(path) or not binds_computed(self.unit, self.known, self.here, path, one):
                given = self.known.returned(one)[0]
                raise Refused(self.here, f"`{text_of(path)}` may be a property", attribute=given[0] if given else None)

    def note_outer(self, variable: Variable) -> None:
        """Note that this function writes to a variable that is not its own: what holds its array must be known."""
        scope, name, items = variable
        function = self.unit.function
        assert function is not None
        self.outer.add(variable)
        if self.known.running.is_implicit(function):
            raise Refused(self.here, f"`{name}` is written to where Python runs `{function.name}` of itself")
        why = self.known.shared_variables.get((scope, name))
        own = self.known.running.why_unknown(function) if why is None else None
        if own is not None:
            why = self.known.shared_variables.setdefault((scope, name), own)
        other = loose_holder(self.known, self.unit.module, scope, name) if scope.kind != "module" else None
        if other is not None:
            raise Refused(self.here, f"`{name}` may be held by what a lambda or a class takes", other)
        if why is None:
            return
        if items:
            raise Refused(self.here, f"`{name}` has arrays that may be written to at any time: {why}")
        other = other_holder(self.known, self.unit.module, scope, name)
        if other is not None:
            raise Refused(self.here, f"`{name}` may be written to at any time, {why}, and has another holder", other)

    def check_container(self, path: Path) -> None:
        """Refuse an item of a container whose arrays others may hold."""
        exact = self.now.exact(path)  # these are seen to
        for length in range(1, len(path)):
            same = {one for one in self.now.same(path[:length]) if not one[0].startswith("!")}
            items = [one for one in self.slots_beside(path, length) if one != path]
            held = {*self.holders(path[:length]), *(one for item in items for one in self.holders(item))}
            others = [one for item in self.slots_by_other_keys(path[: length + 1]) for one in self.holders(item)]
            held |= {one for one in others if not starts_with(one, path[:length])}
            for other in sorted(held - exact.keys() - same - self.now.beside(path[: length + 1], held)):
                raise Refused(self.here, f"{shown(other)} may hold an array in `{text_of(path[:length])}`")
            for one in sorted(same):  # another name of the container has the new item as well
                self.note_container((*one, *path[length:-1]), by_variable=bool(names_in(text_of(path[-1:]))))

    def note_container(self, container: Path, *, by_variable: bool) -> None:
        """Note that an item of a container is bound anew, by a variable key or by one that is known."""
        if is_outside(container):
            self.items |= {container[0][1:], *([f"{container[0][1:]}[]"] if by_variable else [])}
            return
        if self.unit.function is not None and self.unit.scope.owner(container[0]) is self.unit.scope.module:
            self.check_global(container[0])
        self.note_items(container)
        others = self.now.same(container) - {container}
        if by_variable and not any(is_outside(one) or len(one) > 1 for one in others):
            self.check_distinct(container)

    def check_distinct(self, container: Path) -> None:
        """Refuse to write to items by a variable key where two of them may be one array."""
        name, text = container[0], text_of(container)
        if name in self.items and len(container) == 1:
            self.items.add(f"{name}[]")
        elif name not in self.names_held and repeats(self.unit, self.known, text):
            raise Refused(self.here, f"`{text}` may hold one array twice")

    def check_global(self, name: str) -> None:
        """Refuse a variable of the module that is not the only one to hold its array."""
        if name in self.known.imported:
            raise Refused(self.here, f"`{name}` is imported by other modules")
        for summary in self.known.summaries.values():
            if summary.module is not self.unit.module:
                continue
            root = ("global" if summary.function else "local", name)
            held = any(root in found for other, found in summary.aliases.items() if other != name)
            if root in summary.escaped or (held and summary.function is None):
                place = f"`{summary.function.name}`" if summary.function else "the module"
                raise Refused(self.here, f"{place} hands the array of `{name}` on")

    def note_items(self, path: Path) -> None:
        """Note that arrays in a container are bound anew, which all see who hold the container."""
        name, function = path[0], self.unit.function
        for length in [position + 1 for position, part in enumerate(path) if part.startswith(".")]:
            self.check_attribute(path[:length], f"`{path[length - 1]}`")
        is_self = function is not None and function.takes_self and name == function.parameters[0]
        if (is_self or entry(name) in self.now.same((name,))) and not any(part[0] == "." for part in path):
            self.items.add(name)
        owner = self.unit.scope.owner(name)
        if owner is not None and owner is not self.unit.scope and function is not None:
            self.note_outer(Variable(owner, name, items=True))
