"""Tensors raise IndexError out of range, once the helper module says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RULES = Path(__file__).parent.parent / "rules"
# Runs in a process of its own: tf.Tensor is changed for good.
QUESTIONS = """
import numpy as np, tensorflow as tf, tensorflow.experimental.numpy as tnp
from tnp_rules.index_errors import raise_index_errors
tnp.experimental_enable_numpy_behavior()
raise_index_errors()
raise_index_errors()
array = np.arange(6.0).reshape(2, 3)
tensor = tf.constant(array)
for key in (2, -3, (0, 3), (0, 0, 0), [0, 2], (slice(None), [1, 5]), np.int64(7), np.array([[4]])):
    for one in (array, tensor):
        try:
            one[key]
        except IndexError:
            continue
        raise AssertionError(f"{key} of {type(one).__name__}")
try:
    tensor[2]
except tf.errors.InvalidArgumentError as error:
    assert "out of bounds" in str(error), error
for key in (1, -2, (0, 2), (slice(5), 1), [0, 1], array > 2, None, ...):
    assert np.array_equal(tensor[key], array[key]), key
for key in (
    (), [], (slice(None), ()), (slice(None), []), ([], 0), (0, []), (None, ()), True, False, np.True_, np.array(False),
):
    for truths in (lambda one: one, lambda one: tf.constant(one) if isinstance(one, (bool, np.bool_)) else one):
        read = tuple(map(truths, key)) if isinstance(key, tuple) else truths(key)
        found = tensor[read].numpy()
        assert np.array_equal(found, array[key]) and found.shape == array[key].shape, (key, found)
        assert np.array_equal(tf.function(lambda x: x[read], autograph=False)(tensor), array[key]), key
number = tf.constant(3.0)
assert number[number > 2].shape == (1,) and number[number > 4].shape == (0,)
for key in (1.5, "name", (0, "name"), ([], 1.5)):
    try:
        tensor[key]
    except Exception:
        continue
    raise AssertionError(key)
class Rows:
    def __getitem__(self, place):
        return tensor[place]
assert len(list(Rows())) == 2
assert tf.function(lambda x, i: x[i])(tensor, 1)[2] == 5.0
with tf.GradientTape() as tape:
    tape.watch(tensor)
    picked = tensor[1, 1] * 3
assert tape.gradient(picked, tensor)[1, 1] == 3.0
"""


def test_tensors_raise_what_arrays_raise() -> None:
    run = subprocess.run(
        [sys.executable, "-c", QUESTIONS], check=False, cwd=RULES, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("compiled", [False, True])
def test_take_in_a_graph_checks_positions_that_are_known(compiled: bool) -> None:
    import tensorflow as tf

    from tnp_rules.elementwise_selection import take

    taken = tf.function(lambda x, n: take(x, tf.range(n), axis=0), autograph=False, jit_compile=compiled)
    assert taken(tf.constant([1.0, 2.0]), 2).numpy().tolist() == [1.0, 2.0]
    assert taken(tf.constant([1.0, 2.0]), 0).numpy().tolist() == []
    with pytest.raises(IndexError, match="out of bounds"):
        taken(tf.constant([1.0, 2.0]), 3)
