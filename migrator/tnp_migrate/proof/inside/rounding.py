"""How much rounding inside of a function moves its result: each intermediate result is moved by one unit.

Moving the inputs alone says nothing where they are integers, or where `r + 1` swallows what `r` was moved by.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.form_names import WILD
from tnp_migrate.proof.inside.leaves import Leaf

DRAWS = 3
_KEEPING = ("array", "asarray", "asanyarray", "ascontiguousarray")  # which make plain arrays of an ndarray's subclass
_SPACING = ("linspace", "logspace", "geomspace")  # which round numbers that are no arrays


class Moving(np.ndarray):
    """An array of which each result of each operation is moved by one unit in the last place, up or down.

    Integers stay what they are; floats that are computed of them move.
    """

    dice = np.random.default_rng(0)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **given: Any) -> Any:
        keywords = {name: plain(value) for name, value in given.items()}
        if out is not None:
            keywords["out"] = tuple(plain(one) for one in out)
        result = getattr(ufunc, method)(*map(plain, inputs), **keywords)
        if out is not None:
            for one in keywords["out"]:
                move_in_place(one)
            return out[0] if len(out) == 1 else out
        return None if result is None else moving(result)

    def __array_function__(self, function: Any, _types: Any, args: Any, kwargs: Any) -> Any:
        """Run what NumPy has written in Python as the user's code is run: `np.polyval` amplifies rounding as well."""
        inner = getattr(function, "_implementation", None)
        if inner is not None:
            with contextlib.suppress(Exception):  # not all of NumPy takes subclasses
                return moving(inner(*args, **kwargs))
        return moving(function(*plain(args), **plain(kwargs)))


def plain(value: Any) -> Any:
    """A value without the moving arrays in it."""
    if isinstance(value, Moving):
        return value.view(np.ndarray)
    if type(value) in (list, tuple):
        return type(value)(plain(one) for one in value)
    if type(value) is dict:
        return {key: plain(one) for key, one in value.items()}
    return value


def moving(value: Any) -> Any:
    """A result of NumPy's, moved; what looks at other memory stays where that is."""
    if type(value) is tuple:
        return tuple(map(moving, value))
    if isinstance(value, np.ndarray) and value.base is not None:
        return value.view(Moving) if value.dtype.kind in "fiu" else value
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        return value.view(Moving)
    if isinstance(value, float) or (isinstance(value, (np.ndarray, np.floating)) and value.dtype.kind == "f"):
        copy = np.array(value)
        move_in_place(copy)
        return copy.view(Moving)
    return value


def move_in_place(array: Any) -> None:
    """Move the floats of an array by one unit, up or down; zeros stay."""
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f" or not array.size or not array.flags.writeable:
        return
    up = Moving.dice.random(array.shape) < 0.5
    towards = np.where(up, np.inf, -np.inf).astype(array.dtype)
    array[...] = np.where(array == 0, array, np.nextafter(array, towards))


def hand_moved(array: Any, _slot: Any) -> Any:
    """Hand an array in moved."""
    move_in_place(array)
    return array


def moved_number(value: float) -> float:
    """Move a float by one unit; whole numbers stay, which are meant exactly."""
    return value if value.is_integer() else float(np.nextafter(value, Moving.dice.choice([-np.inf, np.inf])))


def hand_moving(array: Any, _slot: Any) -> Any:
    """Hand an array in as one whose results move."""
    return array.view(Moving) if array.dtype.kind in "fiu" else array


@contextlib.contextmanager
def moving_followed() -> Iterator[None]:
    """Follow moving arrays through `np.asarray` and its like, in all modules; what `np.linspace` gives moves as well.

    `np.polyfit(x, y, 7)` makes plain arrays of its arguments first: what it does to their rounding would not be seen.
    """
    wrapped = {getattr(np, name): _keeping(getattr(np, name)) for name in _KEEPING}
    wrapped |= {getattr(np, name): _spacing(getattr(np, name)) for name in _SPACING}
    held = [
        (namespace, name, function)
        for namespace in [getattr(module, "__dict__", {}) for module in list(sys.modules.values())]
        for name in (*_KEEPING, *_SPACING)
        if (function := namespace.get(name)) is getattr(np, name)
    ]
    try:
        for namespace, name, function in held:
            namespace[name] = wrapped[function]
        yield
    finally:
        for namespace, name, function in held:
            namespace[name] = function


def _keeping(function: Callable[..., Any]) -> Callable[..., Any]:
    def keep(value: Any, *args: Any, **given: Any) -> Any:
        found = function(plain(value), *args, **given)
        return found.view(Moving) if _holds_moving(value) and found.dtype.kind in "fiu" else found

    return keep


def _holds_moving(value: Any) -> bool:
    return isinstance(value, Moving) or (type(value) in (list, tuple) and any(map(_holds_moving, value)))


def _spacing(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **given: moving(function(*plain(args), **plain(given)))


def movement(expected: Mapping[str, Leaf], draw: Callable[[int], Mapping[str, Leaf] | None]) -> dict[str, Any]:
    """By path how far a result moves: the largest distance of floats, the bounds of integers, or that it is wild.

    `draw` replays the call for the n-th time, the first draws with moved inputs, the rest with moving results; it gives
    None where the call raised.
    """
    found: dict[str, Any] = {}
    for turn in range(2 * DRAWS):
        leaves = draw(turn)
        for path, leaf in expected.items():
            if leaves is None or leaf.kind not in ("array", "number"):
                continue
            other = leaves.get(path)
            one = np.asarray(leaf.value)
            moved = np.asarray(other.value) if other is not None and other.kind in ("array", "number") else None
            if moved is None or moved.shape != one.shape:
                found[path] = WILD
            elif found.get(path) != WILD:
                _note(found, path, one, moved)
    return found


def _note(found: dict[str, Any], path: str, one: Any, moved: Any) -> None:
    if one.dtype.kind in "fc":
        finite = np.isfinite(one) & np.isfinite(moved)
        if (np.isfinite(one) != np.isfinite(moved)).any():
            found[path] = WILD
            return
        distance = float(np.max(np.abs(one[finite] - moved[finite]), initial=0.0))
        found[path] = max(found.get(path, 0.0), distance)
    elif one.dtype.kind in "iub" and moved.dtype.kind in "iub":
        flat = np.array([one, moved], np.int64).reshape(2, -1)
        low, high = found.get(path, (flat[0].tolist(), flat[0].tolist()))
        found[path] = [np.minimum(low, flat.min(0)).tolist(), np.maximum(high, flat.max(0)).tolist()]
