"""Runs one sample on NumPy and on a rule, eagerly, under `tf.function` and compiled, and compares the results."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import tensorflow as tf
from rule_samples import Sample, as_function, numpy_result

WAYS = ("tensors", "ndarrays", "graph")
_RTOL = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-9}
_ATOL = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-12}
# What user code catches; NumPy's own exceptions are compared as the nearest of these.
_CAUGHT = (np.linalg.LinAlgError, ValueError, IndexError, TypeError, ZeroDivisionError, OverflowError, RuntimeError)


def check(target: str, sample: Sample, body: Any, device: str, ways: tuple[str, ...] = WAYS) -> None:
    """Assert that `body` gives what NumPy gives for the sample, in each of the ways."""
    compare(partial(numpy_result, target), sample, as_function(target, body), device, ways)


def compare(reference: Callable[..., Any], sample: Sample, body: Any, device: str, ways: tuple[str, ...]) -> None:
    """Assert that `body` gives what `reference`, a function of `args` and `kwargs`, gives on NumPy."""
    expected, error = outcome(reference, sample)
    for way in ways:
        if way in _TRACED and (sample.graph_obstacle or (error is not None and way == "jit")):
            continue
        with tf.device(device):
            run = _RUNS[way]
            actual, raised = outcome(lambda args, kwargs, run=run: run(body, args, kwargs), sample)
        if error is not None and way in _TRACED:
            assert raised is not None, f"{way}: gives {actual!r}, NumPy raises {type(error).__name__}: {error}"
        elif error is not None:
            _same_error(way, error, actual, raised)
        elif raised is not None:
            raise AssertionError(f"{way}: raises {type(raised).__name__}: {raised}") from raised
        elif sample.compare is not None:
            sample.compare(sample.args, expected, as_numpy(actual))
        else:
            same(way, sample, expected, actual)


def outcome(run: Callable[..., Any], sample: Sample) -> tuple[Any, Exception | None]:
    """Run a sample on copies of its arguments; return what it gives, and what it raises instead."""
    args, kwargs = copy.deepcopy((sample.args, sample.kwargs))
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = run(args, kwargs)
    except Exception as error:  # noqa: BLE001 (the kind of exception is what is compared)
        return None, error
    return result, None


def numpy_outcome(target: str, sample: Sample) -> tuple[Any, Exception | None]:
    """Return what NumPy gives for a sample, and what it raises instead."""
    return outcome(partial(numpy_result, target), sample)


def _replace_for_tensors(value: Any, make: Callable[[Any], Any]) -> Any:
    """Replace arrays, and the dtypes of arrays: `x.dtype` of a tensor is a tf.DType."""
    return _replace(value, lambda one: _is_array(one) or isinstance(one, np.dtype), lambda one: _as_tf(one, make))


def _as_tf(value: Any, make: Callable[[Any], Any]) -> Any:
    return make(value) if _is_array(value) else tf.as_dtype(value)


def with_arrays(given: Any, arrays: list[Any]) -> Any:
    """Return arguments with other arrays for theirs, in order."""
    stream = iter(arrays)
    return _replace(given, _is_array, lambda _: next(stream))


def with_tensors(given: Any, tensors: list[Any]) -> Any:
    """Return arguments with tensors for their arrays, in order, and the dtypes of tensors."""
    stream = iter(tensors)
    return _replace_for_tensors(given, lambda _: next(stream))


def _on_tensors(body: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    args, kwargs = _replace_for_tensors((args, kwargs), tf.constant)
    return body(*args, **kwargs)


def _on_ndarrays(body: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    before = copy.deepcopy((args, kwargs))
    result = body(*args, **kwargs)
    for old, new in zip(arrays_in(before), arrays_in((args, kwargs)), strict=True):
        np.testing.assert_array_equal(new, old, err_msg="the rule changed its argument")
    return result


def _in_graph(body: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, compiled: bool = False) -> Any:
    inputs = [tf.constant(array) for array in arrays_in((args, kwargs))]
    structure: list[Any] = []

    def traced(*tensors: Any) -> list[Any]:
        given, named = with_tensors((args, kwargs), list(tensors))
        result = body(*given, **named)
        outputs: list[Any] = []
        structure[:] = [_take_tensors(result, outputs)]
        return outputs

    outputs = tf.function(traced, autograph=False, jit_compile=compiled or None)(*inputs)
    return _put_tensors(structure[0], outputs)


_RUNS: dict[str, Callable[..., Any]] = {
    "tensors": _on_tensors,
    "ndarrays": _on_ndarrays,
    "graph": _in_graph,
    "jit": partial(_in_graph, compiled=True),
}
_TRACED = ("graph", "jit")


def _is_array(value: Any) -> bool:
    return type(value) is np.ndarray and value.dtype.kind in "biufc" and value.dtype.itemsize <= 16


def _replace(value: Any, chosen: Callable[[Any], bool], make: Callable[[Any], Any]) -> Any:
    if chosen(value):
        return make(value)
    if type(value) in (list, tuple):
        return type(value)(_replace(item, chosen, make) for item in value)
    if type(value) is dict:
        return {key: _replace(item, chosen, make) for key, item in value.items()}
    return value


def arrays_in(value: Any) -> list[Any]:
    """Return the arrays of arguments, in order."""
    found: list[Any] = []
    _replace(value, _is_array, lambda array: found.append(array) or array)
    return found


class _Output:
    """The place of one tensor in a traced result."""

    def __init__(self, index: int) -> None:
        self.index = index


def _take_tensors(value: Any, outputs: list[Any]) -> Any:
    if tf.is_tensor(value):
        outputs.append(value)
        return _Output(len(outputs) - 1)
    if isinstance(value, list | tuple):
        return _rebuild(value, [_take_tensors(item, outputs) for item in value])
    return value


def _put_tensors(value: Any, outputs: list[Any]) -> Any:
    if isinstance(value, _Output):
        return outputs[value.index]
    if isinstance(value, list | tuple):
        return _rebuild(value, [_put_tensors(item, outputs) for item in value])
    return value


def _rebuild(like: Any, items: list[Any]) -> Any:
    if isinstance(like, tf.TensorShape):
        return like
    return type(like)(*items) if hasattr(like, "_fields") else type(like)(items)


def as_numpy(value: Any) -> Any:
    """Return a result with its tensors as ndarrays."""
    if tf.is_tensor(value):
        return value.numpy()
    if isinstance(value, list | tuple) and not isinstance(value, tf.TensorShape):
        return _rebuild(value, [as_numpy(item) for item in value])
    return value


def same(way: str, sample: Sample, expected: Any, actual: Any) -> None:
    """Assert equal structure, dtype, shape and value."""
    if isinstance(expected, list | tuple):
        kind = list if isinstance(expected, list) else tuple
        assert isinstance(actual, kind), f"{way}: {type(actual).__name__} instead of {type(expected).__name__}"
        assert len(actual) == len(expected), f"{way}: {len(actual)} results instead of {len(expected)}"
        assert getattr(actual, "_fields", None) == getattr(expected, "_fields", None), f"{way}: other fields"
        for wanted, got in zip(expected, actual, strict=True):
            same(way, sample, wanted, got)
    elif isinstance(expected, np.ndarray | np.generic) and not isinstance(actual, bool):
        # Operators on ndarrays never reach TensorFlow: from ndarrays alone an ndarray is right as well.
        by_numpy = way == "ndarrays" or expected.dtype.kind in "OSU"  # what no tensor can hold stays there
        made_by_numpy = by_numpy and isinstance(actual, np.ndarray | np.generic)
        assert tf.is_tensor(actual) or made_by_numpy, f"{way}: {type(actual).__name__} instead of a tensor"
        _same_array(way, sample, np.asarray(expected), np.asarray(as_numpy(actual)))
    elif tf.is_tensor(actual) and isinstance(expected, bool | int | float | complex):
        _same_array(way, sample, np.asarray(expected), np.asarray(actual.numpy()))
    else:
        alike = type(actual) is type(expected) or (type(expected) is int and isinstance(actual, np.integer))
        assert alike, f"{way}: {type(actual).__name__} instead of {type(expected).__name__}"
        assert str(actual) == str(expected) or actual == expected, f"{way}: {actual!r} instead of {expected!r}"


def _same_array(way: str, sample: Sample, expected: Any, actual: Any) -> None:
    assert actual.dtype == expected.dtype, f"{way}: dtype {actual.dtype} instead of {expected.dtype}"
    assert actual.shape == expected.shape, f"{way}: shape {actual.shape} instead of {expected.shape}"
    if expected.dtype.kind not in "fc" or sample.bits:
        np.testing.assert_array_equal(actual, expected, err_msg=way)
        if sample.bits and expected.dtype.kind == "f":
            signed = ~np.isnan(expected)
            np.testing.assert_array_equal(np.signbit(actual[signed]), np.signbit(expected[signed]), err_msg=way)
        return
    if sample.magnitudes:
        expected, actual = np.abs(expected), np.abs(actual)
    real = expected.real.dtype.name
    rtol = _RTOL[real] if sample.rtol is None else sample.rtol
    atol = _ATOL[real] if sample.atol is None else sample.atol
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol, err_msg=way)


def _same_error(way: str, error: Exception, actual: Any, raised: Exception | None) -> None:
    wanted = f"{way}: NumPy raises {type(error).__name__}: {error}; the rule"
    assert raised is not None, f"{wanted} returns {actual!r}"
    kinds = tuple(kind for kind in _CAUGHT if isinstance(error, kind))
    if kinds[:1] == (np.linalg.LinAlgError,):
        kinds = kinds[:1]
    if not isinstance(raised, kinds or Exception):
        raise AssertionError(f"{wanted} raises {type(raised).__name__}: {raised}") from raised
