"""Which places share memory, and how: a graph that follows the flow of a function.

After `b = a` and `r = a[1:]`, `b` is the same as `a` and `r` is a view of it. A place that is bound anew leaves the
graph, and what it held together is linked directly.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from tnp_migrate.functional.access_paths import (
    ESCAPED,
    Path,
    is_not_written,
    is_outside,
    may_be_one_slot,
    names_in,
    starts_with,
    text_of,
    with_base,
)
from tnp_migrate.functional.displays import Display

Kind = Literal["same", "either", "view", "base", "item", "whole", "may"]
SLOT = "slot"  # the text of a link between a container and what an item of it holds by a key: another may be that slot
COPY = "copy"  # the text of a link between a list, if it is one, and its shallow copy: only their items are the same
Keys = frozenset[str]  # of a container, as they are written: `["w"]`
_INVERSE: dict[Kind, Kind] = {
    "same": "same", "either": "either", "view": "base", "base": "view", "item": "whole", "whole": "item", "may": "may",
}  # fmt: skip
_PARTS: tuple[tuple[Kind, Kind], ...] = (("view", "base"), ("item", "whole"))


@dataclass(frozen=True)
class Link:
    """How one place relates to another: the same array, a `view` of it, the `base` of it, or it `may` share memory.

    `either` are the same array or share nothing: which, `is` tells when the program runs. An `item` of a `whole` is a
    view or a number, as the array has several axes or one. `text` is the view, written with the base's path; `node` is
    where the link was made.
    """

    kind: Kind
    node: ast.AST
    text: str = ""

    @property
    def is_copy(self) -> bool:
        """Whether one is a shallow copy of the other."""
        return self.kind == "may" and self.text == COPY

    @property
    def inverse(self) -> Link:
        """The link as seen from the other place."""
        return Link(_INVERSE[self.kind], self.node, self.text)


@dataclass
class Links:
    """The links between places at one point of a function."""

    of: dict[Path, dict[Path, Link]] = field(default_factory=dict)
    fresh: set[Path] = field(default_factory=set)  # attributes with an array made here, which nothing else holds
    new: set[Path] = field(default_factory=set)  # places with an object of their own, on TensorFlow too
    bound: set[str] = field(default_factory=set)  # variables that surely have a value
    apart: set[frozenset[Path]] = field(default_factory=set)  # pairs that share nothing, though a third may be either
    displays: dict[Path, Display] = field(default_factory=dict)  # containers of which each item is known
    ever: set[frozenset[str]] | None = None  # variables that were linked at one time of the walk, where that is asked
    had: dict[Path, frozenset[str]] = field(default_factory=dict)  # and those that had before what a place has

    def copy(self) -> Links:
        """The same links, to be changed."""
        same = {path: dict(links) for path, links in self.of.items()}
        displays = dict(self.displays)
        had = dict(self.had)
        return Links(same, set(self.fresh), set(self.new), set(self.bound), set(self.apart), displays, self.ever, had)

    def add(self, one: Path, other: Path, link: Link) -> None:
        """Link two places."""
        if one != other:
            self._note_apart(one, other, link)
        self._link(one, other, link)

    def _link(self, one: Path, other: Path, link: Link) -> None:
        self.fresh -= {one, other}
        if one != other:
            self.of.setdefault(one, {})[other] = link
            self.of.setdefault(other, {})[one] = link.inverse
            if self.ever is not None:
                around = (one, *self.possible({one}))
                linked = frozenset(path[0] for path in around).union(*(self.had.get(path, ()) for path in around))
                self.had[one] = self.had[other] = linked
                self.ever.add(linked)

    def _note_apart(self, one: Path, other: Path, link: Link) -> None:
        """A name of an array is apart from what the array is apart from; what gets another link may be anything."""
        if link.kind != "same":
            touched = self.same(one) | self.same(other) if self.apart else set()
            self.apart = {pair for pair in self.apart if not pair & touched}
            return
        for far, near in ((one, other), (other, one)):
            self.new |= {far} if near in self.new else set()
            self.apart |= {pair - {near} | {far} for pair in self.apart if near in pair and far not in pair}

    def rebind(self, path: Path) -> None:
        """Note that a place gets another value; so do all places that are read through it."""
        if len(path) == 1:
            self.forget_key(path[0])
        for gone in [one for one in self.of if starts_with(one, path)]:
            self._leave(gone)
        self.fresh = {one for one in self.fresh if not starts_with(one, path)}
        self.new = {one for one in self.new if not starts_with(one, path)}
        self.apart = {pair for pair in self.apart if not any(starts_with(one, path) for one in pair)}
        self.displays.pop(path, None)
        self.had = {one: names for one, names in self.had.items() if not starts_with(one, path)}
        if len(path) == 1:
            self.bound.add(path[0])

    def forget_items(self, container: Path) -> None:
        """Of a container that was written out, it is no longer known which item is which."""
        self.displays.pop(container, None)
        items = [one for one in self.of if one != container and starts_with(one, container)]
        together = next((link for one in items for other, link in self.possible({one}).items() if other in items), None)
        if together is not None:  # two items are one array
            self.add(container, ESCAPED, Link("may", together.node))
        for item in items:
            for other, link in list(self.of[item].items()):
                if not starts_with(other, container):
                    self.add(container, other, Link("may", link.node))
            self._leave(item)

    def read_by(self, name: str) -> list[tuple[Path, Path]]:
        """The items that a variable is a key of, with their containers: `rows[i]` and `rows`."""
        return [(one, one[:end]) for one in self.of if (end := _end_of_key(one, name))]

    def forget_key(self, name: str) -> None:
        """A variable may have another value: what is read through it is another place, another view."""
        for item, _ in self.read_by(name):
            self._leave(item)
        self.fresh = {one for one in self.fresh if not _end_of_key(one, name)}
        self.new = {one for one in self.new if not _end_of_key(one, name)}
        self.apart = {pair for pair in self.apart if not any(_end_of_key(one, name) for one in pair)}
        self._forget_operand(name)

    def forget_attribute(self, attribute: str) -> None:
        """A view that is picked by an attribute, which has changed, is no longer known to be that view."""
        for links in self.of.values():
            for other, link in list(links.items()):
                if f".{attribute}" in link.text:
                    links[other] = Link("may", link.node)

    def _leave(self, path: Path) -> None:
        around = list(self.of.pop(path, {}).items())
        for other, _ in around:
            self.of[other].pop(path, None)
        for position, (one, first) in enumerate(around):
            for other, second in around[position + 1 :]:
                if other not in self.of.get(one, {}) and not _is_apart(one, first, other, second):
                    self._link(one, other, _through(path, one, first.inverse, other, second.inverse))

    def loosen(self, name: str, node: ast.AST) -> None:
        """A variable may be bound anew, or not: what shared its memory may do so still."""
        self.forget_key(name)
        for path in [one for one in sorted({*self.of, *self.fresh}) if one[0] == name]:
            self.loosen_place(path, node)

    def loosen_place(self, path: Path, node: ast.AST) -> None:
        """The same of one place."""
        self.fresh.discard(path)
        self.new.discard(path)
        for other in list(self.of.get(path, ())):
            self.add(path, other, Link("may", node))

    def _forget_operand(self, name: str) -> None:
        """A view whose index has changed is no longer known to be that view."""
        for one, links in self.of.items():
            for other, link in list(links.items()):
                if link.kind in ("view", "base", "item", "whole") and name in names_in(link.text):
                    base = other if link.kind in ("view", "item") else one
                    if base[0] != name:
                        links[other] = Link("may", link.node)

    def joined(self, other: Links) -> Links:
        """What holds where two ways meet: a link that only one has is a possible one."""
        ours, others = self.copy(), other.copy()
        for side, against in ((ours, other), (others, self)):
            for container in [path for path, known in side.displays.items() if against.displays.get(path) != known]:
                side.forget_items(container)
        none: frozenset[str] = frozenset()
        merged = Links(
            fresh=self.fresh & other.fresh,
            new=self.new & other.new,
            bound=self.bound & other.bound,
            displays=dict(ours.displays),
            ever=self.ever,
            had={one: self.had.get(one, none) | other.had.get(one, none) for one in {*self.had, *other.had}},
        )
        for one in dict.fromkeys([*ours.of, *others.of]):  # in one order, whatever the hashes
            mine, theirs = ours.of.get(one, {}), others.of.get(one, {})
            for far in dict.fromkeys([*mine, *theirs]):
                left, right = mine.get(far), theirs.get(far)
                apart = (left is not None or self.are_objects(one, far)) and (
                    right is not None or other.are_objects(one, far)
                )
                merged.of.setdefault(one, {})[far] = _met(left, right, apart=apart)
        for one in [path for path, links in merged.of.items() if any(link.kind == "either" for link in links.values())]:
            near = [far for far in merged.possible({one}) if not is_outside(far) and not is_outside(one)]
            kept = (far for far in near if ours.are_apart(one, far) and others.are_apart(one, far))
            merged.apart |= {frozenset({one, far}) for far in kept}
        return merged

    def are_apart(self, one: Path, other: Path) -> bool:
        """Whether two places surely share no memory."""
        return frozenset({one, other}) in self.apart or other not in self.possible({one})

    def are_objects(self, one: Path, other: Path) -> bool:
        """Whether two places have values, of which one is an object of its own, and are one or share no memory."""
        is_object = one in self.new or other in self.new
        if not is_object or not all(is_outside(path) or path[0] in self.bound for path in (one, other)):
            return False
        return other in self.same(one) or other not in self.possible({one})

    def equals(self, other: Links) -> bool:
        """Whether nothing new is known."""
        mine, theirs = ((one.fresh, one.new, one.bound, one.apart, one.displays) for one in (self, other))
        return mine == theirs and self.had == other.had and self._kinds() == other._kinds()

    def _kinds(self) -> dict[tuple[Path, Path], tuple[str, str]]:
        return {(one, far): (link.kind, link.text) for one, links in self.of.items() for far, link in links.items()}

    def exact(self, start: Path) -> dict[Path, tuple[Path, Link]]:
        """The places that surely share memory with one, the nearest first: place -> (reached from, link to it)."""
        found: dict[Path, tuple[Path, Link]] = {}
        pending = [start]
        while pending:
            here = pending.pop(0)
            ordered = sorted(self.of.get(here, {}).items(), key=lambda pair: (pair[1].kind != "same", pair[0]))
            for other, link in ordered:
                if link.kind in ("same", "view", "base") and other != start and other not in found:
                    found[other] = (here, link.inverse)
                    pending.append(other)
        return found

    def same(self, start: Path, kinds: tuple[Kind, ...] = ("same",)) -> set[Path]:
        """A place with all that surely hold the same array."""
        found, pending = {start}, [start]
        while pending:
            around = self.of.get(pending.pop(), {}).items()
            new = [other for other, link in around if link.kind in kinds and other not in found]
            found.update(new)
            pending += new
        return found

    def has_slots_only(self, container: Path, held: Collection[Path]) -> bool:
        """Whether a container has nothing of some places but by items of known keys."""
        links = [self.of.get(one, {}) for one in self.same(container)]
        return all(link.text == SLOT for around in links for far, link in around.items() if far in held)

    def possible(self, start: set[Path], whole: Collection[Path] = ()) -> dict[Path, Link]:
        """The places that may share memory with some, and are not among them.

        Of places that are written to as a whole, `whole`, shallow copies keep what they have.
        """
        found: dict[Path, Link] = {}
        pending: list[tuple[Path, Keys]] = [(one, frozenset()) for one in sorted(start)]
        seen = set(pending)
        while pending:
            here, keys = pending.pop()
            for other, link in self.of.get(here, {}).items():
                if other in start or (link.is_copy and here in whole):
                    continue
                if keys and link.text == SLOT and _are_others(keys, self.keys_of(other, here)):
                    continue
                step = (other, self._keys_on(here, keys, other, link))
                if step not in seen and (other, frozenset()) not in seen:
                    found.setdefault(other, link)
                    seen.add(step)
                    pending.append(step)
        return found

    def keys_of(self, item: Path, container: Path) -> Keys:
        """The keys of a container by which a place surely is an item of it; none where that is not known."""
        containers = self.same(container)
        return frozenset(one[-1] for one in self.same(item) if one[-1][0] == "[" and one[:-1] in containers)

    def beside(self, item: Path, places: Collection[Path]) -> set[Path]:
        """The places among some that surely are other items of the container that an item is in."""
        return {one for one in places if _are_others(self.keys_of(one, item[:-1]), frozenset(item[-1:]))}

    def _keys_on(self, here: Path, keys: Keys, other: Path, link: Link) -> Keys:
        """The keys by which a container was reached from an item of it, after one more link."""
        if link.text == SLOT:
            return self.keys_of(here, other) if not keys else frozenset()
        return keys if link.kind == "same" else frozenset()


def _are_others(keys: Keys, others: Keys) -> bool:
    """Whether items of one container are surely not the same: what it has under other keys is another array."""
    pairs = [(one, other) for one in keys for other in others]
    return bool(pairs) and not any(may_be_one_slot(("", one), ("", other)) for one, other in pairs)


def _is_apart(one: Path, first: Link, other: Path, second: Link) -> bool:
    """Whether one of two holds a view that cannot be written to, and the other is neither a name nor a part of it."""
    parts = ("same", "base")
    return (is_not_written(one) and second.kind not in parts) or (is_not_written(other) and first.kind not in parts)


def _met(left: Link | None, right: Link | None, *, apart: bool) -> Link:
    """What two places are where two ways meet. `apart`: on the way without a link they have objects of their own."""
    if left is not None and right is not None and (left.kind, left.text) == (right.kind, right.text):
        return left
    known = left or right
    assert known is not None
    if (left is None or right is None) and known.text in (SLOT, COPY):
        return known
    kinds = {one.kind if one is not None else "" for one in (left, right)}
    return Link("either" if apart and kinds <= {"same", "either", ""} else "may", known.node)


def _end_of_key(path: Path, name: str) -> int:
    """How long the part of a path is that a variable is a key to: 1 of `rows[i].x`, for `rows`; 0 where it is none."""
    keys = (end for end in range(1, len(path)) if path[end][0] == "[" and name in names_in(path[end][1:-1]))
    return next(keys, 0)


def _through(gone: Path, one: Path, first: Link, other: Path, second: Link) -> Link:
    """Link two places over a third that is gone: `first` and `second` say what each was to it."""
    kinds = (first.kind, second.kind)
    if kinds == ("same", "same"):
        return Link("same", second.node)
    if set(kinds) == {"same", "either"}:
        return Link("either", second.node)
    if "may" in kinds and "same" in kinds:
        return Link("may", second.node, first.text or second.text)
    if is_outside(one) or is_outside(other) or is_outside(gone):
        return Link("may", second.node)
    base = ast.parse(text_of(gone), mode="eval").body
    for part, whole in _PARTS:
        if kinds == ("same", whole):
            return Link(part, second.node, second.text)
        if kinds == (whole, "same"):
            return Link(whole, first.node, first.text)
        if kinds == (part, "same"):
            return Link(part, first.node, _on(first.text, base, other))
        if kinds == ("same", part):
            return Link(whole, second.node, _on(second.text, base, one))
    return Link("may", second.node)


def _on(text: str, base: ast.expr, new: Path) -> str:
    return ast.unparse(with_base(ast.parse(text, mode="eval").body, base, new))
