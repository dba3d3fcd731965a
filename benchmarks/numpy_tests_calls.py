"""One call of a NumPy name in a test, done as the translator would write it, on tensors, and beside NumPy itself.

Input `np.median(a, axis=0)`; the rule gets tensors, its result is given back as NumPy values, and what differs from
NumPy's own result for the same arguments is noted as an `Event`.
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_migrate.backend.arguments import is_harmless
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.signatures import Signature, names_of, numpy_names, signature_table
from tnp_migrate.reports.answers import Answer
from tnp_rules.runtime import to_numpy, to_tensor

_UNINITIALISED = ("numpy.empty", "numpy.empty_like")
_RTOL = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-9, "complex64": 1e-4, "complex128": 1e-9}


class NoTensorError(TypeError):
    """An argument that no tensor can hold, as translated code would meet it when it makes the tensor."""


@dataclass(frozen=True)
class Event:
    """The first thing in a test in which a rule was not NumPy: the name called, the kind of difference, and more."""

    name: str
    kind: str
    detail: str


@dataclass
class Record:
    """What a test did: how many calls the rules answered, which stayed on NumPy, and what differed."""

    running: bool = False
    calls: int = 0
    left: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


RECORD = Record()


class Covered:
    """A NumPy function whose calls go where the translator sends them."""

    def __init__(self, answer: Answer, original: Any, body: Any, plain: Any) -> None:
        self.__name__ = getattr(original, "__name__", answer.target.rpartition(".")[2])
        self.__doc__ = getattr(original, "__doc__", "")
        self.__wrapped__ = original
        self._answer = answer
        self._body = body
        self._plain = plain

    def __getattr__(self, name: str) -> Any:
        """Whatever else the test asks of the function: `nin`, `types`, `__module__`."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)

    @property
    def __class__(self) -> Any:
        """What `isinstance` asks: tests list the ufuncs of a module by it."""
        return type(self.__wrapped__)

    def __eq__(self, other: object) -> bool:
        return getattr(other, "__wrapped__", other) is self.__wrapped__

    def __hash__(self) -> int:
        return hash(self.__wrapped__)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """What NumPy itself is called with, to compare, is NumPy's."""
        return self.__wrapped__

    def __reduce__(self) -> tuple[Any, ...]:
        return _itself, (self.__wrapped__,)

    def __repr__(self) -> str:
        return repr(self.__wrapped__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Bind as the translator does; a call with a parameter that has no equivalent stays on NumPy, as it says."""
        if not RECORD.running:  # the module is being imported: its data and the lists of cases are no test
            return self.__wrapped__(*args, **kwargs)
        chosen = self._chosen(args, kwargs)
        if chosen is None:
            RECORD.left.append(self._answer.target)
            return self.__wrapped__(*args, **kwargs)
        body, given, named = chosen
        RECORD.calls += 1
        return judged(self._answer.target, self.__wrapped__, (args, kwargs), lambda: _run(body, given, named))

    def _chosen(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any], dict[str, Any]] | None:
        plain = self._body is None or self._is_direct(args)
        if plain:
            fitted = _fitted(self._answer.target, self._plain_names(args, kwargs), args, kwargs)
            if fitted is not None:
                return (self._plain, *_lists_as_arrays(self._answer.target, *fitted))
        if self._body is None:
            return None
        rule = self._answer.rule
        assert rule is not None
        anything = None if rule.takes_anything else [name for name, _ in rule.parameters]
        fitted = _fitted(self._answer.target, anything, args, kwargs)
        return None if fitted is None else (self._body, *_lists_as_arrays(self._answer.target, *fitted))

    def _plain_names(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str] | None:
        """The parameters that tnp gets right; one that it gets wrong for tuples is right for an integer."""
        table = signature_table()
        target = self._answer.target
        tnp = table.tnp[target]
        assert tnp is not None
        if any(one.kind == "variadic" for one in tnp):
            return None
        given = _bound(table.numpy.get(target, ()), args, kwargs) or {}
        unfit = {name for name in table.unfit.get(target, ()) if type(given.get(name)) is not int}
        return [name for name in numpy_names(tnp, table.numpy.get(target, ())) if name not in unfit]

    def _is_direct(self, args: tuple[Any, ...]) -> bool:
        """Whether plain tnp would do, everything that can be proven being proven."""
        rule = self._answer.rule
        if rule is None or rule.direct is None or self._plain is None:
            return False
        if rule.direct == "parameters":
            return True
        if not args:
            return False
        if rule.direct == "arrays":
            return not any(isinstance(one, (list, tuple, int, float, complex)) for one in args)
        if rule.direct == "sequence":
            return isinstance(args[0], (list, tuple))
        return isinstance(args[0], np.ndarray) and str(args[0].dtype) in traits.PROOFS[rule.direct]


def _itself(original: Any) -> Any:
    """What a pickled function comes back as."""
    return original


class Indexed:
    """`np.r_` and the like: indexed, not called."""

    def __init__(self, answer: Answer, original: Any, body: Any) -> None:
        self._answer = answer
        self._original = original
        self._body = body

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)

    def __getitem__(self, key: Any) -> Any:
        if not RECORD.running:
            return self._original[key]
        RECORD.calls += 1
        call = ((key,), {})
        return judged(self._answer.target, self._original.__getitem__, call, lambda: _run(self._item, [key], {}))

    def _item(self, key: Any) -> Any:
        return self._body[key]


def _run(body: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
    for value in _leaves([args, kwargs]):
        _refuse(value)
    return to_numpy(body(*to_tensor(args), **to_tensor(kwargs)))


def _refuse(value: Any) -> None:
    """Raise for what translated code could not hold: the tensor is made where the array was."""
    reason = _no_tensor(value)
    if reason:
        raise NoTensorError(reason)


def _no_tensor(value: Any) -> str:
    """Why no tensor holds a value, nothing where one does."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return ""
    if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
        return f"subclass {type(value).__name__}"
    if value.dtype.char in "gG":
        return "dtype longdouble"
    if value.dtype.kind not in "biufc":
        return f"dtype {value.dtype.kind}"
    return "rank" if value.ndim > 8 else ""


def _leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)) and depth < 10:
        for part in value[:1000]:
            yield from _leaves(part, depth + 1)
    else:
        yield value


def _bound(signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """Arguments by NumPy's parameter names; None where NumPy itself would refuse, or the call is variadic."""
    slots = [one.name for one in signature if one.kind in ("positional", "normal")]
    anything = any(one.kind == "keywords" for one in signature)
    if len(args) > len(slots) or not (anything or set(kwargs) <= set(names_of(signature))):
        return None
    return {**dict(zip(slots, args, strict=False)), **kwargs}


def _fitted(
    target: str, names: list[str] | None, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]] | None:
    """Fit a call to the parameters there are: harmless values dropped; None where one matters, as it is flagged."""
    signature = signature_table().numpy.get(target, ())
    if names is None or not signature or any(one.kind == "variadic" for one in signature):
        kept = {name: value for name, value in kwargs.items() if names is None or name in names}
        dropped = [name for name in kwargs if name not in kept]
        return (list(args), kept) if all(_harmless(name, kwargs[name]) for name in dropped) else None
    bound = _bound(signature, args, kwargs)
    if bound is None or not all(_harmless(name, value) for name, value in bound.items() if name not in names):
        return None
    positional: list[Any] = []
    for name in names[: len(args)]:
        if name not in bound or name in kwargs:
            break
        positional.append(bound.pop(name))
    return positional, {name: value for name, value in bound.items() if name in names}


def _harmless(name: str, value: Any) -> bool:
    simple = value is None or isinstance(value, (bool, str))
    return simple and is_harmless(name, ast.Constant(value))


def _lists_as_arrays(target: str, args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Convert a list beside an array, as the translator writes `tnp.add(x, tnp.asarray([1.5]))`."""
    if target in traits.ELEMENTWISE and len(args) > 1 and not all(isinstance(one, (list, int, float)) for one in args):
        args = [np.asarray(one) if isinstance(one, list) else one for one in args]
    return args, kwargs


def judged(target: str, original: Any, call: tuple[tuple[Any, ...], dict[str, Any]], run: Callable[[], Any]) -> Any:
    """Return what the rule gives, or raise what it raises, after noting where that is not what NumPy does."""
    expected, error, warned = _reference(original, call)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result, raised = run(), None
        except Exception as one:  # noqa: BLE001 (the kind of exception is what is compared)
            result, raised = None, one
    caught = [one for one in caught if "tensorflow" not in one.filename]
    note = _difference(target, (expected, error), (result, raised))
    notes = [note] if note is not None else []
    if warned and not caught and raised is None:
        notes.append(("warning", warned))
    if error is not _UNKNOWN:
        RECORD.events += [Event(target, *one) for one in notes]
    for one in caught:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if raised is not None:
        raise raised
    return _as_array_where_one_is(expected, result)


def _as_array_where_one_is(expected: Any, result: Any) -> Any:
    """Give a tensor without dimensions back as what NumPy gives: it stands for its scalars and for its 0-d arrays."""
    if isinstance(expected, (list, tuple)) and isinstance(result, (list, tuple)) and len(expected) == len(result):
        made = [_as_array_where_one_is(*pair) for pair in zip(expected, result, strict=True)]
        return type(result)(*made) if hasattr(result, "_fields") else type(result)(made)
    return np.asarray(result) if isinstance(expected, np.ndarray) and isinstance(result, np.generic) else result


_UNKNOWN = RuntimeError("not compared")


def _reference(original: Any, call: tuple[tuple[Any, ...], dict[str, Any]]) -> tuple[Any, Exception | None, str]:
    """What NumPy itself gives for copies of the arguments, which it may write to."""
    try:
        args, kwargs = copy.deepcopy(call)
    except Exception:  # noqa: BLE001 (generators and locks cannot be copied: the call is judged by the test alone)
        return None, _UNKNOWN, ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result, error = original(*args, **kwargs), None
        except Exception as one:  # noqa: BLE001 (the kind of exception is what is compared)
            result, error = None, one
    return result, error, caught[0].category.__name__ if caught else ""


def _difference(
    target: str, expected: tuple[Any, Exception | None], actual: tuple[Any, Exception | None]
) -> tuple[str, str] | None:
    (wanted, error), (result, raised) = expected, actual
    if isinstance(raised, NoTensorError):
        return "no tensor", str(raised)
    if error is not None:
        if raised is None:
            return "accepted", f"NumPy raises {type(error).__name__}: {error}"[:150]
        if not isinstance(raised, _nearest(error)):
            return "other error", f"{type(raised).__name__} for {type(error).__name__}: {error}"[:150]
        return None
    without = next((text for text in map(_no_tensor, _leaves(wanted)) if text), None)
    if without is not None:
        return "no tensor", f"result {without}"
    if raised is not None:
        return "raised", f"{type(raised).__name__}: {raised}".replace("\n", " ")[:220]
    return difference(wanted, result, values=target not in _UNINITIALISED)


def _nearest(error: Exception) -> type[Exception]:
    for kind in (np.linalg.LinAlgError, np.exceptions.AxisError):
        if isinstance(error, kind):
            return kind
    caught = (ValueError, IndexError, TypeError, ZeroDivisionError, OverflowError, KeyError)
    return next((kind for kind in caught if isinstance(error, kind)), Exception)


def difference(wanted: Any, result: Any, *, values: bool = True) -> tuple[str, str] | None:
    """The first difference of two results: structure, dtype, shape, value, or only rounding."""
    if isinstance(wanted, (list, tuple)):
        if not isinstance(result, (list, tuple)) or len(result) != len(wanted):
            return "structure", f"{type(result).__name__} for {type(wanted).__name__} of {len(wanted)}"
        found = [difference(one, other, values=values) for one, other in zip(wanted, result, strict=True)]
        return next((one for one in found if one is not None), None)
    if not isinstance(wanted, (np.ndarray, np.generic, int, float, complex)):
        return None if type(result) is type(wanted) else ("structure", f"{type(result)} for {type(wanted)}")
    left, right = np.asarray(wanted), np.asarray(result)
    python = not isinstance(wanted, (np.ndarray, np.generic))
    same = left.dtype.newbyteorder("=") == right.dtype or (python and left.dtype.kind == right.dtype.kind)
    if not same:
        return "dtype", f"{right.dtype} for {left.dtype}"
    if left.shape != right.shape:
        return "shape", f"{right.shape} for {left.shape}"
    found = _values(left, right) if values else None
    if found is None and python and isinstance(result, np.generic):
        return "python number", f"{type(result).__name__} for {type(wanted).__name__}"
    return found


def _values(left: np.ndarray, right: np.ndarray) -> tuple[str, str] | None:
    if left.dtype.kind not in "biufc" or np.array_equal(left, right, equal_nan=left.dtype.kind in "fc"):
        return None
    rtol = _RTOL.get(str(left.dtype), 0)
    scale = np.max(np.abs(left[np.isfinite(left)]), initial=0) if rtol else 0
    with np.errstate(all="ignore"):
        if rtol and np.allclose(left, right, rtol=rtol, atol=rtol * 1e-2 * float(scale), equal_nan=True):
            return "rounding", ""
    return "value", f"{_short(right)} for {_short(left)}"


def _short(array: np.ndarray) -> str:
    return np.array2string(array.ravel()[:4], threshold=4).replace("\n", "")


def start() -> None:
    """Begin the record of a test."""
    RECORD.running = True
    RECORD.calls = 0
    RECORD.left.clear()
    RECORD.events.clear()


__all__ = ["RECORD", "Covered", "Event", "Indexed", "start", "tf"]
