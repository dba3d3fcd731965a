"""Calls bound to signatures: for each parameter absent, or the expression given for it."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.libraries import CHOICES, library_of

NO_VALUE = "<no value>"  # the default of a parameter that may be left out but may not be None
# Where methods of ufuncs and generators, whose signatures are in no table, are given `out=`.
_OUTPUT_PLACES = {
    "reduce": 3, "accumulate": 3, "reduceat": 4,
    "random": 2, "standard_normal": 2, "standard_exponential": 3, "standard_gamma": 3,
}  # fmt: skip
ParameterKind = Literal["positional", "normal", "variadic", "keyword", "keywords"]
_KINDS: dict[str, ParameterKind] = {"/": "positional", "": "normal", "*": "variadic", "k": "keyword", "**": "keywords"}


@dataclass(frozen=True)
class Parameter:
    """A parameter: its name, its kind, the text of its default (None when it has to be given), and its earlier name."""

    name: str
    kind: ParameterKind
    default: str | None
    former: str = ""


Signature = tuple[Parameter, ...]


@dataclass(frozen=True)
class SignatureTable:
    """Measured signatures: NumPy's by qualified name; tnp's likewise (None for what is no function there)."""

    numpy: Mapping[str, Signature]
    tnp: Mapping[str, Signature | None]
    unfit: Mapping[str, frozenset[str]]
    versions: Mapping[str, str]


@dataclass(frozen=True)
class Bound:
    """A call as bound: expressions by parameter, in the order of the text, and what is given to `*parameter`."""

    given: Mapping[str, ast.expr]
    variadic: tuple[ast.expr, ...] = ()


class Unbindable(Exception):
    """A call that cannot be bound: `reason` says why, for the user."""

    def __init__(self, reason: str, parameter: str = "", *, starred: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.parameter = parameter
        self.starred = starred


@cache
def signature_table(tensorflow: str = "", numpy: str = "") -> SignatureTable:
    """Give the signatures in versions such as "2.18", the newest by default."""
    data = _data()
    former = data["former"]
    return SignatureTable(
        {name: _signature(one, former.get(name, {})) for name, one in _at(data, "numpy", "numpy", numpy).items()},
        {
            name: None if one is None else _signature(one, {})
            for name, one in _at(data, "tnp", "tensorflow", tensorflow).items()
        },
        {name: frozenset(parameters) for name, parameters in data["unfit"].items()},
        data["measured_on"],
    )


def measured_versions(library: str) -> tuple[str, ...]:
    """The versions of "numpy" or "tensorflow" that were measured, the oldest first."""
    data = _data()
    return (*data["older"][library], ".".join(data["measured_on"][library].split(".")[:2]))


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("data").joinpath("signatures.json").read_bytes())
    return data


def _at(data: dict[str, Any], table: str, library: str, version: str) -> dict[str, Any]:
    """The newest version's table with what is different in an older one; False stands for what is not there."""
    found = {**data[table], **data["older"][library].get(version, {})}
    return {name: parameters for name, parameters in found.items() if parameters is not False}


def _signature(parameters: list[list[str]], former: Mapping[str, str]) -> Signature:
    return tuple(
        Parameter(name, _KINDS[kind], default[0] if default else None, former.get(name, ""))
        for name, kind, *default in parameters
    )


def names_of(signature: Signature) -> list[str]:
    """The names of the parameters that can be given."""
    return [one.name for one in signature if one.kind not in ("variadic", "keywords")]


def numpy_names(target: Signature, source: Signature) -> list[str]:
    """The target's parameters under NumPy's names, where only the name differs: `val` of tnp.array is `object`."""
    names = names_of(target)
    known = set(names_of(source))
    for position, parameter in enumerate(source[: len(names)]):
        if parameter.kind == "positional" or (parameter.kind == "normal" and names[position] not in known):
            names[position] = parameter.name
    return names


def bind_call(call: ast.Call, signature: Signature, owner: str = "NumPy") -> Bound:
    """Bind the arguments of a call to parameters of the `owner`; `Unbindable` when the text does not decide them."""
    given: dict[str, ast.expr] = {}
    variadic: list[ast.expr] = []
    slots = [parameter for parameter in signature if parameter.kind in ("positional", "normal", "variadic")]
    for position, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            raise Unbindable("the call has star arguments", starred=True)
        if position < len(slots) and slots[position].kind != "variadic":
            given[slots[position].name] = argument
        elif slots and slots[-1].kind == "variadic":
            variadic.append(argument)
        else:
            raise Unbindable(f"the call has more than {len(slots)} positional arguments")
    named = {parameter.name for parameter in signature if parameter.kind in ("normal", "keyword", "positional")}
    renamed = {parameter.former: parameter.name for parameter in signature if parameter.former}
    anything = any(parameter.kind == "keywords" for parameter in signature)
    for keyword in call.keywords:
        if keyword.arg is None:
            raise Unbindable("the call has star arguments", starred=True)
        name = renamed.get(keyword.arg, keyword.arg)
        if name in given or (name not in named and not anything):
            raise Unbindable(f"{owner} has no parameter `{keyword.arg}` here", keyword.arg)
        given[name] = keyword.value
    return Bound(given, tuple(variadic))


def method_outputs(call: ast.Call) -> list[ast.expr]:
    """What a call of a method of an array or a generator is given as `out=`, by name or by position."""
    assert isinstance(call.func, ast.Attribute)
    return outputs(call, f"numpy.ndarray.{call.func.attr}", bound=True)


def outputs(call: ast.Call, function: str | None, *, bound: bool = False) -> list[ast.expr]:
    """What a call is given as `out=`, by name or by position in a function of NumPy, or in a `bound` method."""
    out = next((word.value for word in call.keywords if word.arg == "out"), None)
    plain = function is not None and (bound or not function.startswith("numpy.ndarray."))
    signature = signature_table().numpy.get(function) if function is not None and plain else None
    if out is None and signature is not None and call.args:
        try:
            out = bind_call(call, signature).given.get("out")
        except Unbindable:
            out = None
    place = _OUTPUT_PLACES.get((function or "").rpartition(".")[2]) if signature is None else None
    if out is None and place is not None and not any(isinstance(one, ast.Starred) for one in call.args):
        out = next(iter(call.args[place : place + 1]), None)
    given = out.elts if isinstance(out, ast.Tuple) else [out]
    return [one for one in given if one is not None and not (isinstance(one, ast.Constant) and one.value is None)]


def may_not_copy(call: ast.Call) -> bool:
    """Whether a call that copies may have been told not to: by another `copy=` than True, or among `**options`.

    It is the fifth argument of `x.astype`.
    """
    words = [word.value for word in call.keywords if word.arg in ("copy", None)]
    fifth = call.args[4:5] if getattr(call.func, "attr", "") == "astype" else []
    return any(not (isinstance(one, ast.Constant) and one.value is True) for one in (*fifth, *words))


def kept_by(call: ast.Call) -> list[ast.expr]:
    """What a call hands to a container, if it is of a container's method: `w` in `xs.append(w)` and `d.update(w=w)`.

    Nothing where no container takes so many arguments: `optimizer.update(w, gradient)`.
    """
    most = traits.KEEPING_METHODS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    if most is None or (len(call.args) > most and not any(isinstance(one, ast.Starred) for one in call.args)):
        return []
    if call.func.attr == "put" and any(_is_value(one) for one in call.args[1:2]):  # type: ignore[attr-defined]
        return []  # of an array, at places
    keyed = call.func.attr in ("insert", "setdefault")  # type: ignore[attr-defined]  # whose first is a place or a key
    return [*call.args[1 if keyed else 0 :], *(word.value for word in call.keywords)]


def _is_value(node: ast.expr) -> bool:
    """Whether an expression surely is no `True` or `False`, as the second argument of a queue's `put` is."""
    is_flag = isinstance(node, ast.Constant) and isinstance(node.value, bool)
    return not is_flag and not isinstance(node, ast.Name | ast.Attribute | ast.Compare | ast.BoolOp | ast.Starred)


def given_to_class(call: ast.Call, qualified: str | None) -> list[ast.expr]:
    """What a call hands to an object that it makes of a class outside the project: `w` in `deque([w])`, `Pair(w, 1)`.

    Or to what gives one of the items of a list.

    By the name that the call is of, `qualified` if that is imported: classes are written in capitals, but for some.
    """
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    root = (qualified or "").partition(".")[0]
    known = root in traits.CONTAINER_MODULES or qualified in traits.ITEM_GIVERS
    own = root in ("numpy", "tensorflow") or "_tnp_helpers." in (qualified or "")  # such as `tnh.Stores(w)`
    if own or not (known or name[:1].isupper()):
        return []
    plain = CHOICES if library_of(qualified) is not None else ()  # numbers and names, of whatever class of a library
    return [*call.args, *(word.value for word in call.keywords if word.arg not in plain)]
