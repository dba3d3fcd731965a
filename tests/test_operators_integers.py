"""Operators of tensors of small integers, beside lists and out of range, where the helper module says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RULES = Path(__file__).parent.parent / "rules"
# Runs in a process of its own: tf.Tensor is changed for good.
QUESTIONS = """
import operator
import numpy as np, tensorflow as tf, tensorflow.experimental.numpy as tnp
from tnp_rules.operators_integers import let_small_integers_compute
from tnp_rules.operators_lists import let_lists_compute
from tnp_rules.operators_order import let_integers_compare
tnp.experimental_enable_numpy_behavior()
for switch_on in (let_lists_compute, let_integers_compare, let_small_integers_compute) * 2:
    switch_on()
np.seterr(all="ignore")

def outcome(way, *operands):
    try:
        return way(*operands)
    except tf.errors.InvalidArgumentError:
        return ValueError  # which handlers are translated to
    except (ValueError, OverflowError) as error:
        return type(error)

arithmetic = [operator.add, operator.sub, operator.mul, operator.truediv, operator.and_]
ways = [*arithmetic, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
for dtype in ("uint8", "int8", "uint16", "int16", "int32", "uint32", "int64", "float32", "float64"):
    x = np.array([3, 1, 100], dtype)
    for other in (-1, 300, 70000, 2, True, [1, 2, 3], (1, 2, 3), [0.1, 2.5, 3.0], [1, 2], x):
        for one, two in ((x, other), (other, x)):
            for way in ways:
                if way is operator.and_ and "float" in str([np.asarray(each).dtype for each in (one, two)]):
                    continue
                tensors = [tf.constant(each) if each is x else each for each in (one, two)]
                expected = outcome(way, one, two)
                traced = [tf.function(way, autograph=False)] if dtype == "uint8" and one is x else []
                for found in (outcome(each, *tensors) for each in (way, *traced)):
                    if isinstance(expected, type):
                        assert found is expected, (way, one, two, found, expected)
                    else:
                        assert found.dtype == expected.dtype, (way, one, two, found)
                        assert np.allclose(found, expected, 1e-6), (way, one, two, found, expected)
for dtype in ("uint8", "int8", "uint16", "int64"):
    x = np.array([3, 1, 2], dtype)
    for way, *operands in [
        (operator.pow, 2, x), (operator.pow, x, x), (operator.pow, x, 3), (operator.matmul, x, x),
        (operator.matmul, [1, 2, 3], x), (operator.pow, x, 0.5),
    ]:
        expected = way(*operands)
        found = way(*[tf.constant(each) if each is x else each for each in operands])
        assert found.dtype == expected.dtype and np.allclose(found, expected), (way, operands, found, expected)
number = tf.constant(2)
assert number * [5, 6] == [5, 6] * number == [5, 6, 5, 6] and (7,) * number == (7, 7)
assert "ab" * number == number * "ab" == "abab" and b"x" * number == b"xx"
for way in (*ways, lambda one, two: two + one, lambda one, two: two * one):
    for x in (np.float64(2), np.int64(2), np.array([1, 2])):
        for other in ("1", b"1", {}, {1}):
            try:
                expected = way(x, other)
            except TypeError:
                expected = TypeError
            try:
                found = way(tf.constant(x), other)
            except TypeError:
                found = TypeError
            assert np.array_equal(found, expected), (way, x, other, found, expected)
"""


def test_operators_give_what_numpys_give() -> None:
    run = subprocess.run(
        [sys.executable, "-c", QUESTIONS], check=False, cwd=RULES, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
