"""Bindings: a target becomes one more holder of what a value shares its memory with."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from functools import cached_property

from tnp_migrate.effects import callees
from tnp_migrate.functional.displays import (
    Display,
    display_of,
    headers_of,
    names_of_inner_functions,
    taken_whole,
    values_of,
)
from tnp_migrate.functional.holders import Holders
from tnp_migrate.functional.links import Link
from tnp_migrate.functional.origins import Origin, makes_object, origins
from tnp_migrate.functional.paths import ESCAPED, TEMPORARY, Path, is_reshape, may_be_one_slot, text_of

_TEMPORARY: Path = (f"{TEMPORARY}_",)


@dataclass(eq=False)
class Bindings(Holders):
    """Holders that targets are bound to."""

    lazily: set[str] = field(default_factory=set)  # attributes that a generator takes hold of, or binds, at any time

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
        container = self.now.displays.get((value.id,)) if isinstance(value, ast.Name) else None
        if container is not None and isinstance(value, ast.Name):
            root: Path = (value.id,)
            given = [[((*root, key), Link("same", value))] for key in container.keys]
        elif isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            given = [origins(self.unit, self.known, one) for one in value.elts]
        else:
            given = [[(path, Link("may", value)) for path, _ in origins(self.unit, self.known, value)]] * len(
                target.elts
            )
            given = [one if self.unit.may_be_array(leaf) else [] for one, leaf in zip(given, target.elts, strict=True)]
            given = self.rows_of(target, value) or given
        if isinstance(value, ast.Call) and self.gives_twice(value):
            given = [[*one, (ESCAPED, Link("may", value))] for one in given]
        temporaries: list[Path] = [(f"{TEMPORARY}{position}",) for position in range(len(given))]
        for temporary, found in zip(temporaries, given, strict=True):
            self.attach(temporary, found)
        for temporary, leaf in zip(temporaries, target.elts, strict=True):
            self.bind_origins(leaf, [(temporary, Link("same", value))])
        for temporary in temporaries:
            self.now.rebind(temporary)

    def display(self, target: ast.expr, value: ast.expr) -> Display | None:
        """What is known of a container that is written out and bound to a variable of this body alone."""
        if not isinstance(target, ast.Name) or self.unit.scope.owner(target.id) is not self.unit.scope:
            return None
        if target.id in self.liveness.always or target.id in self.inner_names:
            return None
        return display_of(value)

    def bind_display(self, path: Path, value: ast.expr, display: Display) -> None:
        """Bind a variable to a container whose items become places."""
        items = values_of(value)
        for position, one in enumerate(items):
            self.attach((f"{TEMPORARY}{position}",), origins(self.unit, self.known, one))
        self.now.rebind(path)
        self.now.displays[path] = display
        for position, key in enumerate(display.keys):
            self.now.add((*path, key), (f"{TEMPORARY}{position}",), Link("same", items[position]))
            self.now.rebind((f"{TEMPORARY}{position}",))

    def append(self, path: Path, value: ast.expr) -> None:
        """Note the last item of a list that was written out."""
        display = self.now.displays[path]
        key = f"[{len(display.keys)}]"
        self.attach((*path, key), origins(self.unit, self.known, value))
        self.now.displays[path] = replace(display, keys=(*display.keys, key))

    def note_displays(self, statement: ast.stmt) -> None:
        """Forget what is known of containers that a statement uses as a whole."""
        for node in headers_of(statement) if self.now.displays else ():
            for path in dict.fromkeys(taken_whole(node, self.now.displays)):
                self.now.forget_items(path)
        self.unit.tuples = frozenset(path[0] for path, one in self.now.displays.items() if one.is_tuple)

    def rows_of(self, target: ast.Tuple | ast.List, value: ast.expr) -> list[list[Origin]]:
        """`x, y = a` binds views of the rows of an array of two axes or more."""
        known = origins(self.unit, self.known, value)
        if (self.unit.rank(value) or 0) < 2 or len(known) != 1 or known[0][1].kind == "may":
            return []
        if any(isinstance(one, ast.Starred) for one in target.elts):
            return []
        path, link = known[0]
        text = link.text or text_of(path)
        return [[(path, Link("view", value, f"{text}[{position}]"))] for position in range(len(target.elts))]

    def gives_twice(self, call: ast.Call) -> bool:
        """Whether a function of the project may return the same array in two places of a tuple."""
        for function in callees(self.unit.module, self.unit.index, call):
            for node in ast.walk(function.node):
                if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
                    shared = [
                        one for one in node.value.elts if isinstance(one, ast.Name | ast.Subscript | ast.Attribute)
                    ]
                    roots = [next((n.id for n in ast.walk(one) if isinstance(n, ast.Name)), "") for one in shared]
                    if len(set(roots)) < len(roots):
                        return True
        return False

    def attach(self, place: Path, found: list[Origin]) -> None:
        """Link a place to the memory that its new value shares."""
        for other, link in found:
            in_pieces = link.kind == "view" and self.may_be_in_pieces(other)
            copied = in_pieces and any(is_reshape(one) for one in _expressions(link.text))
            self.now.add(place, other, Link("may", link.node) if copied else link)
            if other[-1].startswith("["):  # another key may hold the same array
                for beside, near in list(self.now.of.get(other[:-1], {}).items()):
                    self.now.add(place, beside, Link("may", near.node))
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
        if path is None:
            holder = self.unit.path(target.value) if isinstance(target, ast.Subscript | ast.Attribute) else None
            for other, link in found:
                self.now.add(other, holder or ESCAPED, Link("may", link.node))
            return
        self.attach(_TEMPORARY, found)
        self.now.rebind(path)
        if found:
            self.now.add(path, _TEMPORARY, Link("same", target))
            self.now.rebind(_TEMPORARY)
        elif path[-1].startswith(".") and path[-1][1:] not in self.lazily:
            self.now.fresh.add(path)
        if path[-1].startswith("[") and path[:-1] not in self.now.displays:  # another key may be the same slot
            for other, link in found:
                self.now.add(path[:-1], other, Link("may", link.node))


def _expressions(text: str) -> list[ast.expr]:
    return [one for one in ast.walk(ast.parse(text, mode="eval")) if isinstance(one, ast.expr)]
