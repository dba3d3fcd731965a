"""What the text of a compiled function means while it is traced."""

from __future__ import annotations

import builtins
import functools
import inspect
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_arithmetic import (
    arithmetic,
    augmented,
    compared,
    is_traced_value,
    largest,
    negated,
    smallest,
    traced_abs,
    traced_bool,
    traced_float,
    traced_int,
    traced_len,
    traced_operate,
    truth_of,
    unary,
)
from tnp_rules.compiled_branches import both_true, branch, branch_value, either_true
from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_loops import LOOP_MEANINGS, ROLLED_LOOPS, roll_for, roll_while
from tnp_rules.compiled_math import MATH_MEANINGS
from tnp_rules.compiled_parts import Part, call_on_parts
from tnp_rules.compiled_tracing import NotCompiled, tracing
from tnp_rules.compiled_transpiler import converted
from tnp_rules.compiled_varying import traced_attribute
from tnp_rules.compiled_windows import traced_read, traced_update
from tnp_rules.index_positions import picks_view
from tnp_rules.updates import getitem, index_update, view_update
from tnp_rules.updates_in_place import (
    index_add,
    index_divide,
    index_multiply,
    index_operate,
    index_subtract,
)
from tnp_rules.updates_together import Stores, index_updates

_SYMBOLS = {
    "+": "Add", "-": "Sub", "*": "Mult", "/": "Div", "//": "FloorDiv", "%": "Mod", "**": "Pow", "@": "MatMult",
    "&": "BitAnd", "|": "BitOr", "^": "BitXor", "<<": "LShift", ">>": "RShift",
}  # fmt: skip
_CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard appendleft".split()
)


def _traced_stores(x: Any) -> Any:
    is_array = isinstance(x, tf.Tensor) or (type(x) is np.ndarray and not x.dtype.hasobject)
    return tf.convert_to_tensor(x) if is_array else Stores(x)


def _traced_updates(x: Any, stores: Any) -> Any:
    return index_updates(x, stores) if isinstance(stores, Stores) else stores


def _traced_operation(x: Any, key: Any, symbol: str, value: Any) -> Any:
    return traced_operate(_SYMBOLS[symbol], x, key, value)


def _traced_view_update(x: Any, key: Any, value: Any) -> Any:
    if not isinstance(x, (tf.Tensor, np.ndarray)):
        return view_update(x, key, value)
    return traced_update(x, key, value) if picks_view(key) else x


# Stores that the migrated code does: a helper module has those meanings that its own calls can have.
CALLED = frozenset(
    {"index_add", "index_subtract", "index_multiply", "index_divide", "index_operate", "Stores", "view_update"}
)


def _meanings_of_stores() -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = [(getitem, traced_read), (index_update, traced_update)]
    if "index_add" in CALLED:
        found.append((index_add, functools.partial(traced_operate, "Add")))
    if "index_subtract" in CALLED:
        found.append((index_subtract, functools.partial(traced_operate, "Sub")))
    if "index_multiply" in CALLED:
        found.append((index_multiply, functools.partial(traced_operate, "Mult")))
    if "index_divide" in CALLED:
        found.append((index_divide, functools.partial(traced_operate, "Div")))
    if "index_operate" in CALLED:
        found.append((index_operate, _traced_operation))
    if "view_update" in CALLED:
        found.append((view_update, _traced_view_update))
    if "Stores" in CALLED:
        found += [(Stores, _traced_stores), (index_updates, _traced_updates)]
    return found


# What a call of a function means: Python's own on traced values, and this module's stores.
_MEANINGS: list[tuple[Any, Any]] = [
    *(LOOP_MEANINGS if ROLLED_LOOPS else []),
    (builtins.max, largest),
    (builtins.min, smallest),
    (builtins.abs, traced_abs),
    (int, traced_int),
    (float, traced_float),
    (bool, traced_bool),
    (len, traced_len),
    *MATH_MEANINGS,
    *_meanings_of_stores(),
]


def traced_call(function: Any, args: Any, kwargs: Any, scope: Any = None, options: Any = None) -> Any:
    """Call a function while another is traced: AutoGraph's operator of that name."""
    kwargs = kwargs or {}
    if isinstance(function, functools.partial):
        return traced_call(function.func, (*function.args, *args), {**function.keywords, **kwargs}, scope, options)
    for known, meaning in _MEANINGS:
        if function is known:
            return meaning(*args, **kwargs)
    _check_changes(function)
    if [one for one in (*args, *kwargs.values()) if isinstance(one, Part)]:
        return call_on_parts(function, args, kwargs)
    written = getattr(function, "compiled_from", function)
    if not _is_users(written):
        if inspect.isbuiltin(written) and written in {eval, super, globals, locals}:
            return tensorflow_inside().call_otherwise(function, args, kwargs or None, scope, options)
        if inspect.isbuiltin(written) and getattr(written, "__self__", None) is builtins:
            return tensorflow_inside().builtin(written)(*args, **kwargs)
        return tracing.checked(function, *args, **kwargs)
    owner = getattr(function, "__self__", None) if inspect.ismethod(function) else None
    target = inspect.unwrap(getattr(written, "__func__", written)) if written is not function else written
    made = converted(getattr(target, "__func__", target), traced_operators)
    return made(*args, **kwargs) if owner is None else made(owner, *args, **kwargs)


def _check_changes(function: Any) -> None:
    """Refuse to change a list or a dict of Python's in a loop or a branch, which is traced once."""
    owner = getattr(function, "__self__", None)
    if not isinstance(owner, (list, dict, set, bytearray)) or getattr(function, "__name__", "") not in _CHANGING:
        return
    tracing.note_change(owner)


def _is_users(function: Any) -> bool:
    """Say whether a function is to be traced as this one: functions of Python of no library and not of ours."""
    if hasattr(function, "compiled_from"):
        return True
    if not (inspect.isfunction(function) or inspect.ismethod(function)) or hasattr(function, "__wrapped__"):
        return False
    module = (getattr(function, "__module__", None) or "").partition(".")[0]
    own = function.__globals__ if inspect.isfunction(function) else function.__func__.__globals__
    return module not in {"tensorflow", "keras", "numpy", "scipy", __name__.partition(".")[0]} and own is not globals()


def stored(value: Any, target: Any, key: Any) -> Any:
    """Store `target[key] = value`, and give what the variable holds then."""
    if isinstance(target, tf.Tensor):
        return traced_update(target, key, value)
    if isinstance(target, (list, dict)):
        tracing.note_change(target)
    if isinstance(value, Part) or is_traced_value(key):
        raise NotCompiled(f"a store into a {type(target).__name__} of Python at a place that only the run knows")
    target[key] = value
    return target


def _without_loops(*_: Any) -> None:
    raise NotCompiled("this helper module is for functions without loops: run tnp-migrate again")


def traced_operators() -> dict[str, Any]:
    """Give the operators by the names that AutoGraph writes, and those that we write."""
    return {
        "converted_call": traced_call,
        "for_stmt": roll_for if ROLLED_LOOPS else _without_loops,
        "while_stmt": roll_while if ROLLED_LOOPS else _without_loops,
        "if_stmt": branch,
        "if_exp": branch_value,
        "and_": both_true,
        "or_": either_true,
        "not_": negated,
        "compared": compared,
        "read": traced_read,
        "store": stored,
        "arithmetic": arithmetic,
        "augmented": augmented,
        "unary": unary,
        "slice_": slice,
        "attribute": traced_attribute,
        "truth": truth_of,
    }
