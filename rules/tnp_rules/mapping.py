"""Applying Python functions to elements, along axes and over axes."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.runtime import to_numpy, to_tensor
from tnp_rules.support import _axis_index, _tensor


def map_rows(function: Any, rows: Any, dtypes: Any = None) -> Any:
    """Call a function on the items of tensors that share their first axis, and stack each of its results.

    Eagerly it is a Python loop, so that the function may branch on values; under tf.function, tf.map_fn. The first
    call decides the dtypes, as in NumPy, where they are not given.
    """
    first = _as_results(function(*[row[0] for row in rows]))
    kinds = dtypes or [part.dtype for part in first]

    def each(items: Any) -> list[tf.Tensor]:
        return [tf.cast(part, kind) for part, kind in zip(_as_results(function(*items)), kinds)]

    if not tf.executing_eagerly():
        specs = [tf.TensorSpec(part.shape, kind) for part, kind in zip(first, kinds)]
        return tf.map_fn(each, list(rows), fn_output_signature=specs)
    calls = [first, *(_as_results(function(*items)) for items in list(zip(*[tf.unstack(row) for row in rows]))[1:])]
    return [_stack_as(parts, kind) for parts, kind in zip(zip(*calls), kinds)]


def _as_results(found: Any) -> list[tf.Tensor]:
    return [_tensor(part) for part in (found if isinstance(found, tuple) else [found])]


def _stack_as(parts: Any, dtype: Any) -> tf.Tensor:
    """Stack results as one dtype; an integer that it cannot hold is an error, as in NumPy."""
    if dtype.is_integer and dtype.size < 8:
        for part in parts:
            if part.dtype.is_integer and tf.reduce_any(tf.cast(tf.cast(part, dtype), part.dtype) != part):
                raise OverflowError(f"Python integer {part.numpy()} out of bounds for {dtype.name}")
    return tf.stack([tf.cast(part, dtype) for part in parts])


@helper("numpy.apply_along_axis")
def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> tf.Tensor:
    """tf.map_fn maps along the first axis only; here the function sees each 1-D slice along the axis."""
    arr = _tensor(arr)
    rank = arr.shape.rank
    axis = _axis_index(axis, rank)
    moved = tnp.moveaxis(arr, axis, -1)
    if 0 in moved.shape[:-1]:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    count = math.prod(moved.shape[:-1]) if moved.shape.is_fully_defined() else -1
    rows = tf.reshape(moved, [count, tf.shape(moved)[-1] if arr.shape[axis] is None else arr.shape[axis]])
    (found,) = map_rows(lambda row: _tensor(func1d(row, *args, **kwargs)), [rows])
    inner = found.shape.rank - 1
    found = tf.reshape(found, tf.concat([tf.shape(moved)[:-1], tf.shape(found)[1:]], 0))
    return tnp.moveaxis(found, range(rank - 1, rank - 1 + inner), range(axis, axis + inner)) if inner else found


@helper("numpy.apply_over_axes")
def apply_over_axes(func: Any, a: Any, axes: Any) -> tf.Tensor:
    """tnp has no apply_over_axes: the function is applied for each axis, which is kept with length one."""
    found = _tensor(a)
    rank = found.shape.rank
    for place in np.atleast_1d(axes):
        axis = _axis_index(place, rank)
        result = _tensor(func(found, axis))
        if result.shape.rank != rank:
            result = tf.expand_dims(result, axis)
        if result.shape.rank != rank:
            raise ValueError("function is not returning an array of the correct shape")
        found = result
    return found


@helper("numpy.vectorize")
class vectorize:  # noqa: N801 (NumPy's name)
    """Calls a Python function for each element; TensorFlow has only tf.map_fn, without broadcasting.

    The function gets scalars of Python's width (int64, float64), which is what NumPy gives it: Python numbers for
    ndarrays, 0-D tensors for tensors, so that gradients flow. Under tf.function it has to be traceable. What a tensor
    cannot be (a key of a dictionary) or hold (text, objects) is left to NumPy, and then the result is an ndarray.
    """

    def __init__(
        self, pyfunc: Any = None, otypes: Any = None, doc: Any = None, excluded: Any = None, cache: bool = False
    ) -> None:
        self.otypes, self.excluded, self.cache = otypes, set(excluded or ()), cache
        kinds = [np.dtype(each) for each in otypes or ()]
        self._on_host = [kind for kind in kinds if kind.kind not in "biufc"] != []
        self._dtypes = None if otypes is None or self._on_host else [tf.as_dtype(kind) for kind in kinds]
        self._doc = doc
        self._set_function(pyfunc)

    def _set_function(self, pyfunc: Any) -> None:
        self.pyfunc = pyfunc
        if pyfunc is not None:
            functools.update_wrapper(self, pyfunc, updated=())
            self.__doc__ = self._doc if self._doc is not None else pyfunc.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function on the broadcast elements; as a decorator with options, take the function."""
        if self.pyfunc is None:
            self._set_function(args[0])
            return self
        places = [place for place in range(len(args)) if place not in self.excluded]
        names = [name for name in kwargs if name not in self.excluded]
        varying = [args[place] for place in places] + [kwargs[name] for name in names]

        def function(*scalars: Any) -> Any:
            filled = list(args)
            for place, scalar in zip(places, scalars):
                filled[place] = scalar
            return self.pyfunc(*filled, **{**kwargs, **dict(zip(names, scalars[len(places) :]))})

        return self._map(function, varying) if varying else self.pyfunc(*args, **kwargs)

    def _map(self, function: Any, varying: Any) -> Any:
        tensors = [value for value in varying if tf.is_tensor(value)]
        others = [value for value in varying if not tf.is_tensor(value) and np.asarray(value).dtype.kind not in "biufc"]
        if self._on_host or others or not tensors:
            return self._map_on_host(function, varying)
        narrow = [_tensor(value) for value in varying]
        arrays = [_python_width(array) for array in narrow]
        shape = functools.reduce(tf.broadcast_dynamic_shape, [tf.shape(array) for array in arrays])
        rows = [tf.reshape(tf.broadcast_to(array, shape), [-1]) for array in arrays]
        if rows[0].shape[0] == 0:
            if self._dtypes is None:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            return self._results([tf.zeros(shape, kind) for kind in self._dtypes])
        try:
            found = map_rows(function, rows, self._dtypes or self._dtypes_of_first(function, narrow, arrays))
        except (AttributeError, TypeError, ValueError):
            if not tf.executing_eagerly():
                raise
            return self._map_on_host(function, varying)  # an error of the function's own is raised again
        if [part for part in found if part.dtype == tf.string]:
            return self._map_on_host(function, varying)
        static = functools.reduce(tf.broadcast_static_shape, [array.shape for array in arrays])
        return self._results([tf.ensure_shape(tf.reshape(part, shape), static) for part in found])

    def _dtypes_of_first(self, function: Any, narrow: Any, wide: Any) -> Any:
        """Ask the function for its dtypes with elements of the arrays' own dtypes, as NumPy does before it calls it.

        None where the first call says it: of a graph, in which nothing else can tell, or if that is kept.
        """
        is_wide = [array.dtype for array in narrow] == [array.dtype for array in wide]
        if is_wide and (self.cache or not tf.executing_eagerly()):
            return None
        return [part.dtype for part in _as_results(function(*[tf.reshape(array, [-1])[0] for array in narrow]))]

    def _map_on_host(self, function: Any, varying: Any) -> Any:
        host = np.vectorize(function, otypes=self.otypes, cache=self.cache)(*to_numpy(varying))
        return to_tensor(host if isinstance(host, tuple) else np.asarray(host))

    def _results(self, found: Any) -> Any:
        return tuple(found) if len(found) > 1 else found[0]


def _python_width(x: tf.Tensor) -> tf.Tensor:
    if x.dtype.is_bool:
        return x
    return tf.cast(x, tf.complex128 if x.dtype.is_complex else tf.int64 if x.dtype.is_integer else tf.float64)
