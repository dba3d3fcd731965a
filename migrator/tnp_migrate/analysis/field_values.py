"""What fields of objects hold whose constructor a decorator makes: what is given, or defaults, or what converts it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import reduce

from tnp_migrate.analysis.annotations import annotated
from tnp_migrate.analysis.frames import Frame
from tnp_migrate.numpy_facts.values import SCALAR, UNKNOWN, Value, array, join
from tnp_migrate.program.fields import Field, field_named, fields_of, has_factory, own_fields
from tnp_migrate.program.index import Class, Function
from tnp_migrate.program.names import is_numpy
from tnp_migrate.program.nodes import decorated_with

Passed = tuple[Function, str, Value]  # a function that is run, a parameter, and what it gets
_BUILTIN = {"list": Value("list"), "dict": Value("dict"), "set": Value("set"), "int": SCALAR, "bool": SCALAR}
_ARRAYS = frozenset("array asarray asanyarray asfarray ascontiguousarray atleast_1d atleast_2d atleast_3d".split())


def declared_values(frame: Frame, owner: Class) -> dict[str, Value | None]:
    """What the fields of a class hold by what it says of them by calls; None where a call says nothing of that."""
    return {one.name: _declared(frame, one) for one in own_fields(owner) if one.declared is not None}


def fields_given(
    owner: Class, node: ast.Call, positional: list[Value], named: dict[str | None, Value]
) -> Iterator[tuple[Field, Value]]:
    """What a call of a class gives its fields; something unknown where it unpacks what it passes."""
    fields = [one for one in fields_of(owner) if one.parameter is not None]
    by_name = {one.parameter: one for one in fields}
    starred = any(isinstance(one, ast.Starred) for one in node.args)
    given = list(zip([one for one in fields if one.by_place], positional, strict=False)) if not starred else []
    given += [(by_name[name], value) for name, value in named.items() if name in by_name]
    yield from given
    if starred or any(word.arg is None for word in node.keywords):
        left = [one for one in fields if one.name not in {each.name for each, _ in given}]
        yield from ((one, UNKNOWN) for one in left if one.declared is not None)


def taken(frame: Frame, each: Field, value: Value) -> Value:
    """What a field holds that is given a value: what its converter makes of it."""
    converter = each.words.get("converter")
    return value if converter is None else _made_by(frame, each, converter)


def bound(frame: Frame, owner: Class, name: str, value: Value) -> Value:
    """What a field holds that is bound to a value: some classes of `attrs` convert that as well."""
    found = next((one for each in owner.lineage if (one := field_named(each, name)) is not None), None)
    return taken(frame, found, value) if found is not None and found.checked else value


def run_by(each: Field, value: Value) -> Iterator[Passed]:
    """The functions of the project that look at the value of a field, with what they get."""
    for word, place in ("converter", 0), ("validator", 2):
        said = each.words.get(word)
        known = each.owner.module.values.get(said, UNKNOWN) if said is not None else UNKNOWN
        functions = [known.ref] if known.kind == "function" else []
        if word == "validator":
            functions += _methods(each, word)
        for one in functions:
            yield from ((one, name, value) for name in one.positional[place : place + 1])


def _declared(frame: Frame, each: Field) -> Value | None:
    """What a field holds where nothing is given for it, or by its annotation."""
    known = annotated(frame, each.annotation)
    found = [known] if known is not None and "default" not in each.words else []
    for one in _defaults(frame, each):
        made = taken(frame, each, one)
        found.append(known if known is not None and made.kind == "unknown" else made)
    return reduce(join, found) if found else None


def _defaults(frame: Frame, each: Field) -> Iterator[Value]:
    words = each.words
    makers = [words[word] for word in ("factory", "default_factory") if word in words]
    default = words.get("default")
    if isinstance(default, ast.Call) and has_factory(each):
        makers += default.args[:1] or [word.value for word in default.keywords if word.arg == "factory"]
    elif default is not None:
        yield each.owner.module.values.get(default, UNKNOWN)
    yield from (_made_by(frame, each, one) for one in makers)
    yield from (one.returns or UNKNOWN for one in _methods(each, "default"))


def _methods(each: Field, word: str) -> list[Function]:
    """The methods that a class says for a field: `@position.default`."""
    functions = each.owner.module.functions
    return [functions[one] for one in decorated_with(each.owner.node, each.name, word) if one in functions]


def _made_by(frame: Frame, each: Field, function: ast.expr) -> Value:
    """What a function gives that makes or converts the value of a field."""
    module = each.owner.module
    if isinstance(function, ast.Lambda):
        return module.values.get(function.body, UNKNOWN)
    known = module.values.get(function, UNKNOWN)
    if known.kind == "function":
        return known.ref.returns or UNKNOWN
    if known.kind == "class":
        return Value("instance", ref=known.ref)
    qualified = module.names.within(function, module.names.scopes.module)
    if qualified is None and isinstance(function, ast.Name) and frame.scope.owner(function.id) is None:
        return _BUILTIN.get(function.id, UNKNOWN)
    if qualified and is_numpy(qualified) and qualified.rpartition(".")[2] in _ARRAYS:
        return array(sure=False)
    return UNKNOWN
