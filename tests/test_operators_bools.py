"""Bools computed with by the operators of tensors, and numbers as keys, once the helper module says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RULES = Path(__file__).parent.parent / "rules"
# Runs in a process of its own: tf.Tensor is changed for good.
BOOLS = """
import itertools, operator
import numpy as np, tensorflow as tf, tensorflow.experimental.numpy as tnp
from tnp_rules.operators_bools import let_bools_compute, let_bools_have_magnitudes
from tnp_rules.operators_division import let_numbers_divide
tnp.experimental_enable_numpy_behavior()
for switch_on in (let_bools_compute, let_bools_have_magnitudes, let_numbers_divide) * 2:
    switch_on()
once = tf.Tensor.__floordiv__
let_bools_compute()
let_numbers_divide()
assert tf.Tensor.__floordiv__ is once
np.seterr(all="ignore")
values = [np.array([True, False]), np.bool_(True), np.array([2, 3]), np.array([1.5, 0.0]), True, 2, 3, 2.0]
ways = [operator.add, operator.mul, operator.pow, operator.truediv, operator.floordiv, operator.mod]
for way, one, other in itertools.product(ways, values, values):
    if not any(isinstance(each, (np.ndarray, np.generic)) and each.dtype == bool for each in (one, other)):
        continue
    if way is operator.pow and isinstance(one, np.bool_):
        continue  # an array without axes keeps int8 when it is squared, a number does not: tensors are both
    tensors = [tf.constant(each) if isinstance(each, (np.ndarray, np.generic)) else each for each in (one, other)]
    expected = way(one, other)
    found = way(*tensors)
    assert found.dtype == expected.dtype, (way, one, other, found)
    assert np.array_equal(found, expected, equal_nan=True), (way, one, other, found)
m = tf.constant([True, False])
for way in ways:
    for found, expected in zip(tf.function(lambda x: (way(x, x), way(3, x)))(m), (way(m, m), way(3, m))):
        assert found.dtype == expected.dtype and np.array_equal(found, expected, equal_nan=True), (way, found)
assert (tf.constant(True) ** 2).dtype == tf.int64
assert (tf.constant([True]) + np.array([False])).dtype == tf.bool
assert abs(tf.constant([True])).dtype == tf.bool
assert abs(tf.constant([-2])).numpy().tolist() == [2]
"""
POWERS = """
import numpy as np, tensorflow as tf, tensorflow.experimental.numpy as tnp
from tnp_rules.operators_bools import let_bools_compute, let_bools_have_magnitudes
from tnp_rules.operators_powers import let_complex_numbers_square
tnp.experimental_enable_numpy_behavior()
for switch_on in (let_bools_compute, let_bools_have_magnitudes, let_complex_numbers_square) * 2:
    switch_on()
np.seterr(all="ignore")
z = np.array([-1, 3 + 4j, 1e-200 + 2j, complex(np.nan, 1), 1e200 - 1e100j])
for values in (z, z[:3].astype(np.complex64)):
    for y in (2, 2.0):
        expected, found = values**y, tf.constant(values) ** y
        assert found.dtype == expected.dtype and found.numpy().tobytes() == expected.tobytes(), (found, expected)
        assert tf.function(lambda x: x**y)(values).numpy().tobytes() == expected.tobytes()
np.testing.assert_allclose(tf.constant(z[:2]) ** 3, z[:2] ** 3)
np.testing.assert_allclose(tf.constant(z[:2]) ** z[:2], z[:2] ** z[:2])
assert (tf.constant(3) ** 2).numpy() == 9
"""
ORDER = """
import operator
import numpy as np, tensorflow as tf, tensorflow.experimental.numpy as tnp
from tnp_rules.operators_order import let_complex_numbers_compare, let_unsigned_integers_negate
tnp.experimental_enable_numpy_behavior()
for switch_on in (let_complex_numbers_compare, let_unsigned_integers_negate) * 2:
    switch_on()
z = np.array([1 + 2j, 3j, np.nan, complex(1, np.nan), 1 + 2j])
w = np.array([1 + 1j, 4j, 1, 1, 1 + 2j])
mask, other = np.array([True, False, True]), np.array([True, True, False])
numbers, floats = np.arange(3), np.array([1.5, -0.0])
pairs = [(z, w), (z, 1.0), (z, 1j), (z, w.real), (z.astype("c8"), w), (mask, other), (mask, True), (mask, 1),
         (mask, numbers), (numbers, 1j), (numbers, 1), (z[0], w[0]), (z, [1, 2, 3, 4, 5]), (floats, 2), (z, w.tolist())]
for compare in (operator.lt, operator.le, operator.gt, operator.ge):
    for one, two in pairs:
        expected, given = compare(one, two), tf.constant(two) if isinstance(two, np.ndarray) else two
        for found in (compare(tf.constant(one), given), tf.function(lambda x: compare(x, given))(tf.constant(one))):
            assert np.array_equal(found, expected), (compare, one, two, found)
        assert np.array_equal(compare(given, tf.constant(one)), compare(two, one)), (compare, two, one)
for values in (numbers, floats, *(np.array([0, 1, 200], kind) for kind in ("u1", "u2", "u4", "u8"))):
    for found in (-tf.constant(values), tf.function(lambda x: -x)(tf.constant(values))):
        assert found.dtype == values.dtype and found.numpy().tobytes() == (-values).tobytes(), (values, found)
"""
HASHES = """
import numpy as np, tensorflow as tf, tensorflow.experimental.numpy as tnp
from collections import Counter
from functools import cache
from tnp_rules.number_hashes import hash_numbers
tnp.experimental_enable_numpy_behavior()
hash_numbers()
once = tf.__internal__.EagerTensor.__hash__
hash_numbers()
assert tf.__internal__.EagerTensor.__hash__ is once
for number in (2, 2.5, 0.1, True, 1j, np.float32(0.1), np.int8(-3)):
    assert hash(tf.constant(number)) == hash(tf.constant(number).numpy())
x = tf.constant([1, 2, 1])
assert {1: "a"}[x[0]] == "a" and x[2] in {1} and Counter(iter(x))[1] == 2 and len(set(x)) == 2
double = cache(lambda n: 2 * n)
assert double(x[0]) == double(x[2]) == 2 and double.cache_info().hits == 1
for unfit in (lambda: hash(x), lambda: tf.function(lambda n: hash(n))(tf.constant(1))):
    try:
        unfit()
    except TypeError:
        continue
    raise AssertionError(unfit)
assert {x.ref(): 1}[x.ref()] == 1
"""


def _runs(questions: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", questions], check=False, cwd=RULES, capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stderr


def test_bools_compute_as_numpys_do() -> None:
    _runs(BOOLS)


def test_squares_of_complex_numbers_are_products() -> None:
    _runs(POWERS)


def test_complex_numbers_and_bools_have_an_order_and_unsigned_integers_negatives() -> None:
    _runs(ORDER)


def test_numbers_are_keys_by_value() -> None:
    _runs(HASHES)
