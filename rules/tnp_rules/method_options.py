"""Calls of methods that say more than TensorFlow's functions take: an option at its default, or one that they lack."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.runtime import to_tensor

_VARIADIC = 4  # the bit of a function's flags that says that it has *args
# Options that say nothing to a tensor: it has one order, no writable memory and no subclass.
_OF_NDARRAYS = {"order": ("C",), "subok": (True, False), "casting": ("unsafe", "same_kind"), "copy": (True, False)}


def or_numpy(method: Any) -> Any:
    """Make a method of tensors that lets NumPy compute, on the host, what the function does not take.

    np.sum(x), np.argsort(x) and their like call it with `out` or an `order` of None: what NumPy asks for stays its own.
    """
    name, code = method.__name__.removeprefix("ndarray_"), method.__code__
    names = frozenset(code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount])
    places = None if code.co_flags & _VARIADIC else code.co_argcount - 1

    @functools.wraps(method)
    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        for_numpy = "out" in kwargs or kwargs.get("order", "") is None
        kwargs = {one: value for one, value in kwargs.items() if one in names or not _is_for_memory(one, value)}
        if not for_numpy and names.issuperset(kwargs) and (places is None or len(args) <= places):
            return method(a, *args, **kwargs)
        options = {one: _as_numpy_has_it(value) for one, value in kwargs.items()}
        found = getattr(np.asarray(a), name)(*map(_as_numpy_has_it, args), **options)
        return found if for_numpy else to_tensor(found)

    call.__name__ = name
    return call


def _is_for_memory(name: str, value: Any) -> bool:
    return isinstance(value, (bool, str)) and value in _OF_NDARRAYS.get(name, ())


def _as_numpy_has_it(value: Any) -> Any:
    return value.as_numpy_dtype if isinstance(value, tf.DType) else value


def let_reshaping_take_options() -> None:
    """Let tensors' own ravel have an `order`, their reshape `copy`; a tensor's memory is in the order C."""
    reshape = tf.Tensor.reshape
    tf.Tensor.ravel = _ravel_in_order
    if not hasattr(reshape, "takes_options"):
        tf.Tensor.reshape = _with_options(reshape)


def _ravel_in_order(a: Any, order: Any = "C") -> tf.Tensor:
    return tnp.ravel(tf.transpose(a) if order == "F" else a)


def _with_options(reshape: Any) -> Any:
    @functools.wraps(reshape)
    def call(a: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
        return reshape(a, *shape, order="F" if order == "F" else "C")

    call.takes_options = True  # type: ignore[attr-defined]
    return call
