"""The calls that are drawn for a NumPy name, whose parameters are those of NumPy's signatures.

The first argument is drawn first, then the axis, then what has to fit them.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from typing import Any

import call_arguments as own
import call_strategies as kinds
import numpy as np
from call_strategies import NUMERIC, Drawing, Kind, array
from call_tables import BY_NAME, NOT_GENERATED, POLYNOMIAL, POLYNOMIAL_SPECIAL, SPECIAL
from generated_programs import ATTRIBUTES, INDEXED, Call
from hypothesis import strategies as st
from rule_samples import numpy_object

from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.reports.answers import answer_of

__all__ = ["NOT_GENERATED", "Given", "calls", "parameters", "short"]


_METHOD_PARAMETERS = {
    "reduce": ("array", "axis", "dtype", "keepdims", "initial", "where"),
    "accumulate": ("array", "axis"),
    "reduceat": ("array", "indices", "axis"),
    "outer": ("A", "B"),
    "at": ("a", "indices", "b"),
}


@dataclass(frozen=True)
class Given:
    """A parameter that calls of a name are drawn with."""

    name: str
    kind: Kind
    required: bool
    form: str


@cache
def parameters(name: str) -> tuple[Given, ...]:
    """The parameters of a name that calls are drawn with; KeyError for a required one that has no kind."""
    found = []
    supported = _supported(name)
    for one, required, form in _signature(name):
        kind = _kind(name, one)
        if kind is None and required:
            raise KeyError(f"{name}: no kind for its parameter {one}")
        if kind is not None and (required or form in ("*", "**") or one in supported):
            found.append(Given(one, kind, required or form == "*", form))
    return tuple(found)


def _supported(name: str) -> set[str]:
    answer = answer_of(name)
    assert answer is not None, name
    if not answer.supported and name.startswith("numpy.ndarray."):
        return {one for one, *_ in _signature(name)}
    return set(answer.supported)


def short(name: str) -> str:
    """The name as the tables have it: that of a method is its function's, unless it has an entry of its own."""
    return name.removeprefix("numpy.").removeprefix("lib.stride_tricks.")


def _kind(name: str, parameter: str) -> Kind | None:
    one = short(name)
    if one.startswith("polynomial."):
        last = one.rpartition(".")[2]
        own_kinds = POLYNOMIAL_SPECIAL.get(last, {})
        own_kinds = own_kinds or next(
            (
                v
                for k, v in POLYNOMIAL_SPECIAL.items()
                if last.endswith(k[4:]) and k[:4] == "poly" and not last.startswith("poly")
            ),
            {},
        )
        return own_kinds.get(parameter) or POLYNOMIAL.get(parameter)
    function, _, method = one.rpartition(".")
    if function and isinstance(getattr(np, function, None), np.ufunc):
        return _ufunc_method_kind(function, method, parameter)
    bare = one.removeprefix("ndarray.").removeprefix("linalg.").removeprefix("emath.")
    for table in (SPECIAL.get(one), SPECIAL.get(bare), SPECIAL.get(_aliased(name))):
        if table is not None and parameter in table:
            return table[parameter]
    if isinstance(numpy_object(name), np.ufunc) and parameter in ("x", "x1", "x2"):
        dtypes = _ufunc_dtypes(short(name))
        return kinds.second(dtypes if len(dtypes) < 14 else None) if parameter == "x2" else kinds.operand(dtypes)
    return BY_NAME.get(parameter)


def _aliased(name: str) -> str:
    answer = answer_of(name)
    assert answer is not None
    return short(answer.target)


def _ufunc_method_kind(function: str, method: str, parameter: str) -> Kind | None:
    dtypes = _ufunc_dtypes(function)
    special = SPECIAL.get(function, {})
    if parameter == "indices":
        return own.starts if method == "reduceat" else own.places
    if parameter in ("array", "A", "a"):
        low = {"outer": 0, "reduce": 0}.get(method, 1)
        return array(dtypes, low, 2 if method == "outer" else 3, empty=method in ("reduce", "outer"),
                     special="x2" not in special)  # fmt: skip
    if parameter == "B":
        return special.get("x2") or array(dtypes, 0, 2, special=False)
    if parameter == "b":
        return (lambda d: own.stored(d, special.get("x2"))) if getattr(np, function).nin == 2 else None
    return kinds.axes if parameter == "axis" and method == "reduce" else BY_NAME.get(parameter)


@cache
def _ufunc_dtypes(function: str) -> tuple[str, ...]:
    """The dtypes that a ufunc takes, those that are common several times."""
    ufunc = numpy_object(f"numpy.{function}")
    found = []
    for dtype in NUMERIC:
        try:
            ufunc.resolve_dtypes((np.dtype(dtype),) * ufunc.nin + (None,) * ufunc.nout)
        except TypeError:
            continue
        found.append(dtype)
    return tuple(found)


def _signature(name: str) -> list[tuple[str, bool, str]]:
    """Each parameter: its name, whether it has to be given, and how: "" in any way, "/", "k" (by name), "*", "**"."""
    one = short(name)
    function, _, method = one.rpartition(".")
    if function and isinstance(getattr(np, function, None), np.ufunc):
        names = _METHOD_PARAMETERS[method][: 2 if method == "at" and getattr(np, function).nin == 1 else None]
        return [(p, p in ("array", "indices", "A", "B", "a", "b"), "") for p in names]
    if name in INDEXED:
        return [("slices", True, "*")]
    if one.startswith("ndarray.") and method in ATTRIBUTES:
        return [("a", True, "")]
    if one in _SIGNATURES:
        return [(p.rstrip("?"), not p.endswith("?"), "") for p in _SIGNATURES[one].split()]
    table = signature_table(numpy=".".join(np.__version__.split(".")[:2])).numpy
    answer = answer_of(name)
    assert answer is not None
    known = table.get(f"numpy.{method}" if one.startswith("ndarray.") else answer.target)
    if known is not None:
        forms = {"normal": "", "positional": "/", "keyword": "k", "variadic": "*", "keywords": "**"}
        return [(p.name, p.default is None and p.kind not in ("variadic", "keywords"), forms[p.kind]) for p in known]
    signature = inspect.signature(numpy_object(name)).parameters.values()
    words_ = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**",
              inspect.Parameter.KEYWORD_ONLY: "k"}  # fmt: skip
    empty = inspect.Parameter.empty
    return [(p.name, p.default is empty and words_.get(p.kind, "") == "", words_.get(p.kind, "")) for p in signature]


# Signatures that NumPy does not show, or that a method has otherwise than its function; `?` marks what may be left out.
_SIGNATURES = {
    "arange": "start stop? step? dtype?",
    "where": "condition x y",
    "ndarray.astype": "a dtype",
    "ndarray.choose": "a choices mode?",
    "ndarray.compress": "arr condition axis?",
    "ndarray.dot": "a b",
    "ndarray.fill": "a value",
    "clip": "a a_min a_max",
    "ndarray.clip": "a a_min a_max",
    "ndarray.flatten": "a",
    "ndarray.tolist": "a",
    "ndarray.put": "a indices values mode?",
    "ndarray.sort": "a axis? kind?",
    "histogram2d": "x y bins? range? density? weights?",
}


def calls(name: str) -> st.SearchStrategy[Call]:
    """Draw calls of a NumPy name."""
    described = parameters(name)
    optional = [one.name for one in described if not one.required]

    @st.composite
    def drawn(draw: Any) -> Call:
        d = Drawing(draw, name)
        chosen = set(draw(st.sets(st.sampled_from(optional), max_size=3))) if optional else set()
        used = [one for one in described if one.required or one.name in chosen]
        # What is worked on first, then the axis, which decides what fits the rest.
        for one in sorted(
            used, key=lambda one: (one is not used[0], one.name not in ("axis", "axes"), one.name != "mode")
        ):
            d.given[one.name] = one.kind(d)
        d.given = {one.name: d.given[one.name] for one in used}
        return _call(d, used, by_position=draw(st.booleans()))

    assert described, name
    return drawn()


def _call(d: Drawing, used: list[Given], *, by_position: bool) -> Call:
    """Arguments by position as far as they are without a gap, or by name from the first optional one."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    order = [(name, form) for name, _, form in _signature(d.name)]
    for position, one in enumerate(used):
        value = d.given[one.name]
        if one.form == "*":
            args += value
        elif one.form == "**":
            kwargs |= value
        elif not kwargs and one.form != "k" and (one.required or by_position) and order[position][0] == one.name:
            args.append(value)
        else:
            kwargs[one.name] = value
    return Call(d.name, tuple(args), kwargs, proven=d.rarely(3))
