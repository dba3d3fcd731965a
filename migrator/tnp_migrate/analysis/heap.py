"""Abstract objects: what may be one object is one node, with fields that lead to what it holds.

After Steensgaard and Lattner (Data Structure Analysis): two nodes that may stand for the same object are unified, so
that a node has one successor a field. An array and its views are one node, since they share their memory. A node knows
what has been seen of its objects; it is cut off from nothing that it may hold.

Fields are `.name` for attributes, `[0]` and `['key']` for items under keys that are written out, `[]` for any item,
`()` for what a function keeps of its results, or a generator returns, `send` for what a generator is sent, and `self`
for the object that a method is bound to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tnp_migrate.analysis.persistent_sets import NONE, Elements, together
from tnp_migrate.numpy_facts import traits

ARRAY = 1  # some evidence says that it is an array
OBJECT = 2  # a container, an instance or a function: binding an item or attribute of it changes it for all holders
WRITTEN = 4  # an array's memory is written to here, or by what is called, and something else may have it
SHARED = 8  # it outlives calls: reached from a global, a cell, a class, a default or a cache
STORED = 16  # it has been put into an object
HELD = 32  # a call has handed it out to what holds on to it, or writes to it
OPAQUE = 64  # it is not known under which field it holds what
BLIND = 128  # what holds it is bound anew where the text does not show that it is an array, which is written to then
_MERGED = 256  # an item under an unknown key was asked for: all items are one
AGAIN = 512  # it has been put into an object while something else had it
INSTANCE = 1024  # it is what a method of a class of the project is called on
MADE = 2048  # it is made where it is seen: NumPy, an operator or a display makes it
FOREIGN = 4096  # another library has made it, and what it holds
PASSED = 8192  # a parameter, or what one holds: the callers know where it comes from
LIKELY = 16384  # some caller passes an array for it, or for what holds it
PAIR = 65536  # it may have two items, of which a dict made of it takes the second
COUNTED = 131072  # an operator works on it in place where it is likely a number: if it is an array, it is written to
STORED_INTO = 262144  # something is written to it, whoever has it: it is an array, or a container
CELL = 524288  # a function's variable that functions in it use, and what it holds: it is shared while that runs
ASKED = 32768  # a parameter that is stored into, of which callers are asked whether it is an array
RESUMED = 1048576  # a suspended call writes to it when it goes on
HAD_ACROSS = 2097152  # a variable has it while suspended calls may go on
MANY_KINDS = 16  # functions and classes that one node may be
_HANDED_DOWN = SHARED | FOREIGN | PASSED | CELL
_SETTLED = _HANDED_DOWN | OPAQUE | _MERGED | ARRAY  # what the fields of a node have to be in line with

ANY_ATTRIBUTE = ".*"  # the field that `getattr(x, name)` reads
FUNCTIONS = "functions"  # the field for the functions that something may be, where any of very many is looked up
GETTER, SETTER, DELETER = "get", "set", "del"  # the fields of a property for the functions that it runs
DEFAULT, FACTORY, CONVERTER, VALIDATOR = "default", "factory", "converter", "validator"  # of what `attr.ib` gives
MAKER, OF = "maker", "of"  # a factory that is given the object; the object whose attributes a namespace has as items
SENT, FRAME = "send", "frame "  # the fields of what a generator is sent, and how those of a suspended call begin
_METHODS = frozenset(f".{name}" for name in (*traits.ARRAY_METHODS, *traits.MUTATING_METHODS, *traits.KEEPING_METHODS))
PART = ".[:]"  # the field for what a slice gives: a view, or a list with the same items
VIEWS = frozenset({".T", ".mT", ".real", ".imag", ".flat", ".base", ".data", PART})


Member: TypeAlias = "tuple[str, object]"  # a pattern of names, and what asks an object for a member by it
_NO_MEMBERS: Mapping[Member, Node] = {}


class Node:
    """An abstract object; ask `find` for the one that stands for it."""

    __slots__ = ("bodies", "classes", "fields", "flags", "members", "up")

    def __init__(self, flags: int = 0) -> None:
        self.up: Node | None = None
        self.flags = flags
        self.fields: dict[str, Node] = {}
        self.bodies: Elements = NONE  # the functions that it may be
        self.classes: Elements = NONE  # the classes of the project that it may be an instance of
        self.members: Mapping[Member, Node] = _NO_MEMBERS  # the objects that it may be any member of


def find(node: Node) -> Node:
    """The node that stands for all that were unified with a node."""
    root = node.up
    if root is None:
        return node
    while root.up is not None:
        root = root.up
    while node.up is not None:
        node.up, node = root, node.up
    return root


def label_of(key: object) -> str:
    """The field of an item under a key that is written out; of any item for None."""
    return "[]" if key is None else f"[{key!r}]"


def give_bodies(node: Node, bodies: Iterable[Any]) -> None:
    """Note functions that a node may be."""
    node = find(node)
    node.bodies = together(node.bodies, bodies)


def give_classes(node: Node, classes: Iterable[Any]) -> None:
    """Note classes that a node may be an instance of."""
    node = find(node)
    node.classes = together(node.classes, classes)


def _is_named(label: str) -> bool:
    """Whether a text can name a field: an item or an attribute, and nothing of a function's or a generator's."""
    return label[0] in "[."


def field(node: Node, label: str) -> Node:
    """What a node holds in a field."""
    node = find(node)
    if OF in node.fields and label[0] == "[":
        return field(node.fields[OF], _attribute_under(label))
    if node.flags & OPAQUE and _is_named(label):
        label = "[]"
    if label[0] == "[":
        if node.flags & ARRAY and not node.flags & OBJECT:
            return node
        label = _item(node, label)
        node = find(node)
    elif label in VIEWS and node.flags & ARRAY:
        return node
    known = node.fields.get(label)
    if known is None:
        known = node.fields[label] = Node(node.flags & _HANDED_DOWN)
    return find(known)


def part_of(node: Node) -> Node:
    """What a slice of an object gives of which it is not known whether it is an array."""
    part = field(node, PART)
    unify(field(part, "[]"), field(node, "[]"))
    mark(part, find(node).flags & OBJECT)
    return part


def namespace_of(holder: Node) -> Node:
    """What `vars(x)` gives."""
    made = Node(OBJECT)
    made.fields[OF] = holder
    return made


def _attribute_under(label: str) -> str:
    """The attribute that an item of a namespace is."""
    return f".{label[2:-2]}" if label[1:2] in ("'", '"') else ANY_ATTRIBUTE


def _item(node: Node, label: str) -> str:
    """The field that holds an item: all items are one as soon as one is asked for whose key is not known."""
    if node.flags & _MERGED:
        return "[]"
    if label == "[]":
        mark(node, _MERGED)
    return label


def container_of(item: Node) -> Node:
    """A container that is made for one item."""
    made = Node(OBJECT)
    unify(field(made, "[]"), item)
    return made


def mark(node: Node, flags: int) -> None:
    """Note what is known of a node's objects."""
    node = find(node)
    if node.flags & flags != flags:
        before, node.flags = node.flags, node.flags | flags
        if node.fields and _is_to_settle(node):
            pending: list[tuple[Node, Node]] = []
            _settle(node, before, pending, was=before)
            if pending:
                _unify_all(pending)


def unify(first: Node, second: Node) -> None:
    """Make two nodes one, and what they hold."""
    one, other = find(first), find(second)
    if one is not other:
        _unify_all([(one, other)])


def _unify_all(pending: list[tuple[Node, Node]]) -> None:
    while pending:
        one, other = pending.pop()
        one, other = find(one), find(other)
        if one is other:
            continue
        if len(one.fields) + len(one.bodies) < len(other.fields) + len(other.bodies):
            one, other = other, one
        had = one.flags
        before = had & other.flags
        other.up = one
        one.flags |= other.flags
        if other.bodies:
            one.bodies = together(one.bodies, other.bodies)
        if other.classes:
            one.classes = together(one.classes, other.classes)
        if other.members:
            pending += [(one.members[each], held) for each, held in other.members.items() if each in one.members]
            one.members = {**other.members, **one.members}
        given, other.fields = other.fields, {}
        fields, new = one.fields, []
        for label, held in given.items():
            if label in fields:
                pending.append((fields[label], held))
            else:
                fields[label] = held
                new.append(label)
        if fields and _is_to_settle(one):
            _settle(one, before, pending, was=had, new=new)


def _is_to_settle(node: Node) -> bool:
    """Whether flags or fields of a node have anything to say of its other fields."""
    fields = node.fields
    return bool(node.flags & _SETTLED) or ANY_ATTRIBUTE in fields or OF in fields or PART in fields


def _settle(node: Node, before: int, pending: list[tuple[Node, Node]], *, was: int, new: Sequence[str] = ()) -> None:
    """Bring the fields of a node in line with flags that it did not have before; what has to be one is `pending`.

    Its fields, but for `new` ones, are in line with the flags that it had already, `was`: no part of an array and no
    item of many is among them.
    """
    fields, flags, had = node.fields, node.flags, 0 if new else was
    if flags & ~before & OPAQUE:
        labels = dict.fromkeys(["[]", *new]) if was & OPAQUE else [*fields]
        _merge_fields(node, [one for one in labels if one in fields and _is_named(one)], pending)
    elif flags & _MERGED and not had & _MERGED:
        _merge_fields(node, [one for one in fields if one[0] == "[" and one != "[]"], pending)
    if flags & ARRAY:  # an item of an array is a part of it, and so are its views
        if had & flags & (ARRAY | _MERGED | OBJECT) == ARRAY | _MERGED | OBJECT:
            pending += [(node, fields["[]"])] if "[]" in fields else []
        elif flags & OBJECT or not had & ARRAY:
            parts = [one for one in fields if one[0] == "[" or one in VIEWS]
            pending += [(node, fields.pop(one)) for one in parts if not flags & OBJECT or one in VIEWS]
            pending += [(node, fields[one]) for one in parts if flags & OBJECT and one not in VIEWS]
    elif PART in fields and flags & OBJECT:
        mark(fields[PART], OBJECT)
    if OF in fields and (not had or flags & ~had & (OPAQUE | _MERGED)):  # else no item is new
        items = [label for label in fields if label[0] == "["]
        pending += [(field(fields[OF], _attribute_under(label)), fields.pop(label)) for label in items]
    if ANY_ATTRIBUTE in fields:
        given = find(fields[ANY_ATTRIBUTE])
        pending += [(given, held) for held in held_by_any_name(node) if held is not given]
    if flags & SHARED or flags & _HANDED_DOWN & ~had:  # what outlives calls may be found not to: `end_cells`
        _hand_down(node)


def _merge_fields(node: Node, labels: list[str], pending: list[tuple[Node, Node]]) -> None:
    for label in labels:
        held = node.fields.pop(label)
        if "[]" in node.fields:
            pending.append((node.fields["[]"], held))
        else:
            node.fields["[]"] = held


def second_of(item: Node) -> Node | None:
    """What a dict that is made of an item takes, if that may be a pair."""
    item = find(item)
    paired = item.flags & OBJECT and ("[1]" in item.fields or item.flags & PAIR)
    return field(item, "[1]") if paired else None


def is_array_alone(node: Node) -> bool:
    """Whether an object is an array, and nothing says that it may be an object of another kind."""
    return find(node).flags & (ARRAY | OBJECT) == ARRAY and not is_of_project(node)


def is_array_or_unknown(node: Node) -> bool:
    """Whether nothing says that a node is an object and no array: what callers pass may be one, too."""
    if node.flags & ARRAY or not node.flags & OBJECT:
        return True
    return is_of_project(node) and node.flags & (PASSED | INSTANCE) == PASSED


def may_become_array(node: Node) -> bool:
    """Whether an object is an array, or what outlives calls: another body may bind that to one yet."""
    return is_array_or_unknown(node) or bool(node.flags & SHARED and not is_of_project(node))


def is_of_known_origin(node: Node) -> bool:
    """Whether something that was followed has made, passed or got from elsewhere what is no instance."""
    flags = find(node).flags
    return bool(flags & (FOREIGN | PASSED)) or bool(flags & MADE and not is_of_project(node))


def is_of_project(node: Node) -> bool:
    """Whether an object may be a function of the project, or an instance of one of its classes."""
    node = find(node)
    return bool(node.bodies or node.classes)


def is_slot(label: str) -> bool:
    """Whether a field is an attribute that no array has: neither a view nor a method."""
    return label[0] == "." and label not in VIEWS and label not in _METHODS


def is_mixed(node: Node) -> bool:
    """Whether a node is no array but an object of the project, or stands for so much that it says nothing of any."""
    if not node.flags & ARRAY:
        return bool(node.classes or node.bodies or node.flags & INSTANCE)
    return is_anything(node)


def is_anything(node: Node) -> bool:
    """Whether a node stands for objects of so many kinds that it says nothing of any."""
    return len(node.classes) + len(node.bodies) > MANY_KINDS


def held_by_any_name(node: Node) -> list[Node]:
    """What is read or bound under a computed name: the attributes that hold arrays, or may hold one that is bound."""
    if not find(node.fields[ANY_ATTRIBUTE]).flags & (ARRAY | OBJECT):
        return [one for one in _attributes(node) if one.flags & (ARRAY | STORED_INTO) and not one.flags & OBJECT]
    return [one for one in _attributes(node) if not one.flags & OBJECT and not is_of_project(one)]


def name_any(node: Node) -> bool:
    """Let what is reached by a computed name be what the attributes hold; say whether that was news.

    Arrays are what the name gives. Of an object that it may give as well, only the parts that are reached by it are.
    """
    given = find(node.fields[ANY_ATTRIBUTE])
    pairs = [(given, held) for held in held_by_any_name(node)]
    for held in _attributes(node):
        if held is not given and held.flags & OBJECT and not held.flags & ARRAY and not held.bodies:
            pairs += [(given.fields[label], field(held, label)) for label in list(given.fields) if _is_named(label)]
            items = find(held.fields["[]"]) if "[]" in held.fields else held
            pairs += [(given, items)] if given.flags & items.flags & ARRAY else []
    news = [(one, other) for one, other in pairs if find(one) is not find(other)]
    _unify_all(news)
    return bool(news)


def _attributes(node: Node) -> list[Node]:
    """What the attributes of an object lead to, but for those that Python names."""
    return [held for label, held in _held(node.fields).items() if label[0] == "." and label[1:3] != "__"]


def _held(fields: dict[str, Node]) -> dict[str, Node]:
    """Fields, each with the node that stands for what it leads to: who looks at them next need not ask for that."""
    for label, one in fields.items():
        if one.up is not None:
            fields[label] = find(one)
    return fields


def arrays_held(node: Node, *, likely: bool = False) -> list[Node]:
    """What the attributes of an object hold that is an array and no object; with `likely` what may become one."""
    given = [find(held) for label, held in node.fields.items() if label[0] == "." and label != ANY_ATTRIBUTE]
    return [one for one in given if (likely or one.flags & ARRAY) and not one.flags & OBJECT]


def _hand_down(node: Node) -> None:
    """What a node that outlives calls, or comes from elsewhere, holds does so, too."""
    given = node.flags & _HANDED_DOWN
    pending = [node]
    while pending:
        for one in _held(pending.pop().fields).values():
            if one.flags & given != given:
                one.flags |= given
                pending.append(one)


def parts_of(node: Node, *, with_items: bool = True) -> list[Node]:
    """A node, with its items and views where nothing says that it is an object: parts of it, if it is an array."""
    found = [find(node)]
    for one in found:  # which grows meanwhile
        if one.fields and not one.flags & OBJECT:
            held = _held(one.fields).items()
            given = [part for label, part in held if label in VIEWS or (with_items and label[0] == "[")]
            found += [part for part in given if part not in found]
    return found


def views_of(node: Node) -> list[Node]:
    """The nodes that views of a node are, where nothing says that it is an array, which is one with them."""
    return parts_of(node, with_items=False)[1:]


def reachable(roots: Iterable[Node], found: dict[Node, None] | None = None) -> dict[Node, None]:
    """The nodes that can be reached from some, in order: more of them, with those that were `found` from others."""
    found = {} if found is None else found
    pending = [one for one in dict.fromkeys(map(find, roots)) if one not in found]
    found.update(dict.fromkeys(pending))
    while pending:
        fields = pending.pop().fields
        is_old = False
        for one in fields.values():
            if one.up is not None:
                one, is_old = find(one), True  # noqa: PLW2901
            if one not in found:
                found[one] = None
                pending.append(one)
        if is_old:
            _held(fields)
    return found
