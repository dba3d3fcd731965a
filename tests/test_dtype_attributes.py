"""A tf.DType where NumPy takes a dtype, comparison as NumPy compares, and casts that wrap."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from types import ModuleType

RULES = Path(__file__).parent.parent / "rules"
# Runs in a process of its own: the attributes are given to tf.DType for good.
QUESTIONS = """
import numpy as np, tensorflow as tf
from tnp_rules.dtype_attributes import give_dtypes_numpy_attributes
give_dtypes_numpy_attributes()
give_dtypes_numpy_attributes()
double, int64 = tf.float64, tf.int64
f8, i8 = np.dtype("float64"), np.dtype("int64")
for numpy_dtype in (f8, i8, np.dtype(bool), np.dtype("c8")):
    tensorflow_dtype = tf.as_dtype(numpy_dtype)
    assert np.dtype(tensorflow_dtype) == numpy_dtype
    for name in ("kind", "itemsize", "char", "type", "num", "str"):
        assert getattr(tensorflow_dtype, name) == getattr(numpy_dtype, name), name
assert np.zeros(2, double).dtype == f8
assert np.array([1, 2]).astype(double).dtype == f8
assert np.asarray(tf.constant([1.0]), dtype=double).dtype == f8
assert np.issubdtype(double, np.floating) and not np.issubdtype(int64, np.floating)
assert np.finfo(double).eps == np.finfo(f8).eps and np.iinfo(int64).max == np.iinfo(i8).max
assert np.result_type(double, np.float32) == f8 and np.promote_types(double, np.float32) == f8
assert np.can_cast(int64, np.float64) and not np.can_cast(double, np.int64)
assert np.sum([1, 2], dtype=double).dtype == f8
assert np.dtype([("a", double)])["a"] == f8
assert f8 == double and double == f8 and double in [f8] and np.float64 in (double,)
assert {np.float64: 1}[double.type] == 1 and double.type(3) == 3.0
assert tf.zeros(2, double).dtype == tf.cast([1], double).dtype == tf.as_dtype(double) == double
assert tf.function(lambda x: tf.cast(x, double))(tf.constant([1])).dtype == double
"""


@pytest.fixture(scope="module")
def dtypes(tensorflow: Any) -> ModuleType:
    """Import the functions, once TensorFlow is there."""
    assert tensorflow is not None
    from tnp_rules import dtype_attributes

    return dtype_attributes


def test_numpy_takes_a_tf_dtype_for_a_dtype() -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUESTIONS], env={"PYTHONPATH": str(RULES)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-800:]


@pytest.mark.parametrize("other", [float, int, bool, complex, "f4", "float64", np.float64, np.dtype("int8"), np.uint8])
def test_is_dtype_compares_as_numpy_does(other: Any, tensorflow: Any, dtypes: Any) -> None:
    for own in (np.dtype("float64"), np.dtype("int64"), np.dtype(bool), np.dtype("float32"), np.dtype("uint8")):
        assert dtypes.is_dtype(tensorflow.as_dtype(own), other) is bool(own == other)
        assert dtypes.is_dtype(own, other) is bool(own == other)
        assert dtypes.is_dtype(own, tensorflow.as_dtype(np.dtype(other))) is bool(own == other)


@pytest.mark.parametrize("given", [float, int, "f4", np.int8, np.dtype("complex64")])
def test_tensor_dtype_reads_python_types_as_numpy_does(given: Any, tensorflow: Any, dtypes: Any) -> None:
    assert dtypes.tensor_dtype(given) == tensorflow.as_dtype(np.dtype(given))
    assert dtypes.numpy_dtype(dtypes.tensor_dtype(given)) == np.dtype(given)


@pytest.mark.parametrize("target", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "bool", "float32"])
@pytest.mark.parametrize("source", ["float64", "float32", "int64", "complex128"])
def test_casts_wrap_as_numpys_do(source: str, target: str, tensorflow: Any, dtypes: Any) -> None:
    values = np.tile(np.array([-1.5, 300.7, -70000.25, 0.0, 5.0, -200.0]), 4).astype(source)
    if source == "complex128":
        values = values + 1j
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = values.astype(target)
    actual = dtypes.cast_tensor(tensorflow.constant(values), tensorflow.as_dtype(target))
    np.testing.assert_array_equal(actual.numpy(), expected)
    assert actual.dtype == target
