"""The fields of the objects of a class, which the class says and no constructor of its text binds.

Of dataclasses and classes of `attrs`, whose constructor a decorator makes, of named tuples and of typed dicts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from tnp_migrate.program.index import Class, Function
from tnp_migrate.program.names import Names
from tnp_migrate.program.nodes import text_in
from tnp_migrate.program.records import record_fields

# What gives a class of `attrs`: with the fields that are called such, or with all that are annotated.
_ATTRS = frozenset(f"attr.{name}" for name in ("s", "attrs", "attributes"))
_ANNOTATED_ATTRS = frozenset(f"attr{s}.{name}" for s in ("", "s") for name in ("define", "mutable", "frozen"))
_ATTRIBUTES = frozenset(f"attr.{name}" for name in ("ib", "attrib", "attr"))  # which take the default by place
DECLARING = frozenset({"dataclasses.field", "attr.field", "attrs.field"}) | _ATTRIBUTES
FACTORIES = frozenset({"attr.Factory", "attrs.Factory"})
COMBINING = frozenset(
    f"attr{s}.{name}"
    for s in ("", "s")
    for name in "converters.optional converters.pipe validators.optional validators.and_ validators.or_ "
    "validators.not_ validators.deep_iterable validators.deep_mapping".split()
)  # which run the functions that they are given
_BY_PLACE = ("default", "validator")


@dataclass(frozen=True)
class Field:
    """A field of the objects of a class, which `owner` or a class that it inherits says.

    `parameter` is the name by which a call gives it, `declared` what is said of it by a call, `default` what the class
    binds to its name otherwise. `checked` is whether an assignment converts and checks it as a constructor does.
    """

    name: str
    owner: Class
    parameter: str | None
    by_place: bool = True
    declared: ast.Call | None = None
    default: ast.expr | None = None
    annotation: ast.expr | None = None
    passed_on: bool = False  # to `__post_init__` alone
    checked: bool = False

    @cached_property
    def words(self) -> dict[str, ast.expr]:
        """What its declaration says, by name."""
        return _words(self.owner, self.declared) if self.declared is not None else {}


@cache
def is_record(owner: Class) -> bool:
    """Whether a decorator makes a class one of records, whose methods Python makes."""
    return any("dataclass" in ast.unparse(one) for one in owner.node.decorator_list) or _of_attrs(owner) is not None


@cache
def fields_of(owner: Class) -> tuple[Field, ...]:
    """The fields of the objects of a class, in the order in which a call gives them by place."""
    found: dict[str, Field] = {}
    decorated = any(map(is_record, owner.lineage))
    for each in reversed(owner.lineage):
        own = own_fields(each) if not decorated or each.node.decorator_list else ()
        for name in [one.name for one in own if _of_attrs(each) is not None]:
            found.pop(name, None)  # which comes after those of the bases, where a dataclass leaves it in its place
        found |= {one.name: one for one in own}
    return (*found.values(),)


@cache
def field_named(owner: Class, name: str) -> Field | None:
    """The field of a name that a class itself says by a call, which is no attribute of the class then."""
    return next((one for one in own_fields(owner) if one.name == name and one.declared is not None), None)


@cache
def start_of(owner: Class) -> Function | None:
    """The constructor of the text that making an object runs; None where Python or a decorator has made it."""
    for each in owner.lineage:
        start = each.methods.get("__init__")
        if _makes_start(each, start):
            return None
        if start is not None:
            return start
    return None


def makes_attrs(names: Names, decorator: ast.expr) -> bool:
    """Whether a decorator makes a class one of `attrs`."""
    head = decorator.func if isinstance(decorator, ast.Call) else decorator
    return names.within(head, names.scopes.module) in _ATTRS | _ANNOTATED_ATTRS | {"attr.dataclass"}


def has_factory(each: Field) -> bool:
    """Whether the default of a field is one of `attrs` that a function makes: `Factory(list)`."""
    default = each.words.get("default")
    return isinstance(default, ast.Call) and _named(each.owner, default.func) in FACTORIES


@cache
def own_fields(owner: Class) -> tuple[Field, ...]:
    """The fields that a class itself says."""
    kind = _of_attrs(owner)
    if kind is None:
        of_call = [name for base in owner.node.bases for name in record_fields(base) or ()]
        return (*(Field(name, owner, name) for name in of_call), *_annotated(owner))
    maker, words = kind
    these = words.get("these")
    if isinstance(these, ast.Dict):
        pairs = zip(these.keys, these.values, strict=True)
        named: list[tuple[str | None, ast.expr | None, ast.expr | None]] = [
            (text_in(key), value, None) for key, value in pairs
        ]
    else:
        named = list(_bound(owner))
        plain = any(annotation is None and _declares(owner, value) for _, value, annotation in named)
        said = words.get("auto_attribs")
        by_maker = maker == "attr.dataclass" or (maker in _ANNOTATED_ATTRS and not plain)
        if _is_false(said) or (said is None and not by_maker):
            named = [one for one in named if _declares(owner, one[1])]
    checked = "on_setattr" in words or (maker in _ANNOTATED_ATTRS and not maker.endswith("frozen"))
    known = [
        _of_attribute(owner, name, value, annotation, words, checked=checked)
        for name, value, annotation in named
        if name is not None
    ]
    return tuple(one for one in known if one.declared is not None or one.annotation is not None)


def _of_attribute(
    owner: Class,
    name: str,
    value: ast.expr | None,
    annotation: ast.expr | None,
    of_class: Mapping[str, ast.expr],
    *,
    checked: bool,
) -> Field:
    """A field of a class of `attrs`."""
    declared = value if isinstance(value, ast.Call) and _declares(owner, value) else None
    words = _words(owner, declared) if declared is not None else {}
    parameter = text_in(words.get("alias")) or name.lstrip("_")
    only_named = any("kw_only" in one and not _is_false(one["kw_only"]) for one in (words, of_class))
    return Field(
        name,
        owner,
        None if _is_false(words.get("init")) else parameter,
        not only_named,
        declared,
        None if declared is not None else value,
        words.get("type", annotation),
        checked=checked or "on_setattr" in words,
    )


def _annotated(owner: Class) -> Iterator[Field]:
    """The fields of a dataclass, or of a class that is like one by what it is derived from."""
    only_named = False
    for name, value, annotation in _bound(owner):
        if annotation is None:
            continue
        if name == "_" and "KW_ONLY" in ast.unparse(annotation):
            only_named = True
            continue
        declared = value if isinstance(value, ast.Call) and _declares(owner, value) else None
        words = _words(owner, declared) if declared is not None else {}
        named = not _is_false(words["kw_only"]) if "kw_only" in words else only_named
        given = None if _is_false(words.get("init")) else name
        default, passed_on = None if declared is not None else value, "InitVar" in ast.unparse(annotation)
        yield Field(name, owner, given, not named, declared, default, annotation, passed_on)


def _bound(owner: Class) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    """What the statements of a class bind to names, with the annotations."""
    for one in owner.node.body:
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
        for target in targets:
            annotation = one.annotation if isinstance(one, ast.AnnAssign) else None
            of_class = annotation is not None and "ClassVar" in ast.unparse(annotation)
            if isinstance(target, ast.Name) and isinstance(one, (ast.Assign, ast.AnnAssign)) and not of_class:
                yield target.id, one.value, annotation


@cache
def _of_attrs(owner: Class) -> tuple[str, dict[str, ast.expr]] | None:
    """By which name of `attrs` a class is decorated, and what that is given; None for any other class."""
    for one in owner.node.decorator_list:
        if makes_attrs(owner.module.names, one):
            name = _named(owner, one.func if isinstance(one, ast.Call) else one)
            words = one.keywords if isinstance(one, ast.Call) else []
            return name, {word.arg: word.value for word in words if word.arg is not None}
    return None


def _makes_start(owner: Class, start: Function | None) -> bool:
    """Whether a decorator makes the constructor of a class: `attr.s` one in the place of that in the text."""
    if not is_record(owner):
        return False
    kind = _of_attrs(owner)
    words = kind[1] if kind is not None else _given(owner)
    if _is_false(words.get("init")):
        return False
    return start is None or (kind is not None and kind[0] in _ATTRS and "auto_detect" not in words)


def _given(owner: Class) -> dict[str | None, ast.expr]:
    """What the decorators of a class are given by name."""
    calls = (one for one in owner.node.decorator_list if isinstance(one, ast.Call))
    return {word.arg: word.value for one in calls for word in one.keywords}


def _declares(owner: Class, value: ast.expr | None) -> bool:
    """Whether an expression is a call that says what a field is: `field(default=0)`, `attr.ib()`."""
    return isinstance(value, ast.Call) and _named(owner, value.func) in DECLARING


def _words(owner: Class, call: ast.Call) -> dict[str, ast.expr]:
    """What such a call is given, by name."""
    by_place = zip(_BY_PLACE, call.args, strict=False) if _named(owner, call.func) in _ATTRIBUTES else ()
    return {**dict(by_place), **{word.arg: word.value for word in call.keywords if word.arg is not None}}


def _named(owner: Class, node: ast.expr) -> str:
    names = owner.module.names
    return names.within(node, names.scopes.module) or ""


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
