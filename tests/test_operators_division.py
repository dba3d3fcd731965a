"""Division with the operators of tensors, once the helper module says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RULES = Path(__file__).parent.parent / "rules"
# Runs in a process of its own: tf.Tensor is changed for good.
QUESTIONS = """
import numpy as np, tensorflow as tf, tensorflow.experimental.numpy as tnp
from tnp_rules.operators_division import let_numbers_divide
tnp.experimental_enable_numpy_behavior()
let_numbers_divide()
let_numbers_divide()
np.seterr(all="ignore")
ways = [lambda x, y: x // y, lambda x, y: x % y]
for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
    x, y = np.array([7, 9, 0], dtype), np.array([0, 2, 0], dtype)
    for one, other in ((x, y), (x, 0), (x, 2), (5, y), (x, y.astype("float64")), (x[:1], y)):
        for way in ways:
            tensors = [tf.constant(each) if isinstance(each, np.ndarray) else each for each in (one, other)]
            expected = way(one, other)
            compiled = tf.function(lambda: way(*tensors), autograph=False)
            for found in (way(*tensors), compiled()):
                assert found.dtype == expected.dtype, (dtype, one, other, found)
                assert np.array_equal(found, expected, equal_nan=True), (dtype, one, other, found)
inf, nan = np.inf, np.nan
x = np.array([1.0, 0.3, 6.0, 1.5, -1.5, 7.0, -7.0, inf, -inf, nan, 0.0, -0.0, 1e308, 5.0])
y = np.array([0.1, 0.1, 0.1, 0.001, 0.001, -inf, 2.0, 0.5, 0.5, 1.0, 0.0, 1.0, 1e-300, inf])
for one, other in (
    (x, y), (x, 0.1), (x, 3), (1.0, y), (7, y), (x, y.astype("f4")), (np.arange(9), 0.1), (x, np.arange(14))
):
    expected = one // other
    tensors = [tf.constant(each) if isinstance(each, np.ndarray) else each for each in (one, other)]
    changed = tensors[0]
    changed //= tensors[1]
    for found in (tensors[0] // tensors[1], changed, tf.function(lambda: tensors[0] // tensors[1], autograph=False)()):
        assert found.dtype == expected.dtype, (one, other, found)
        assert np.array_equal(found, expected, equal_nan=True), (one, other, found, expected)
        signs = [np.signbit(each)[~np.isnan(expected)] for each in (found, expected)]
        assert np.array_equal(*signs), (one, other, found, expected)
assert np.array_equal(tf.constant([-7, 7]) % np.array([2, 0], "int32"), [1, 0])
for unfit in (tf.constant([1, 2, 3]), object()):
    try:
        tf.constant([1, 2]) // unfit
    except (tf.errors.InvalidArgumentError, TypeError, ValueError):
        continue
    raise AssertionError(unfit)
"""


def test_quotients_are_numpys() -> None:
    run = subprocess.run(
        [sys.executable, "-c", QUESTIONS], check=False, cwd=RULES, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
