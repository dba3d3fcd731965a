"""AutoGraph leaves helpers as they are written, and converts the user's functions that they are given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.rewriting.helpers import FILE_NAME, write_helpers

RULES = Path(__file__).parent.parent / "rules"
# Runs in a process of its own: tf.Tensor is changed for good.
QUESTIONS = """

import _tnp_helpers as tnh
import numpy as np
import tensorflow as tf


def sign(row):
    if row > 1:
        row = row * 10
    return row


@tf.function
def update(x):
    if x[0] > 0:
        x = tnh.index_update(x, 1, x[0] * 2)
    return x


@tf.function
def apply(shape):
    return tnh.fromfunction(lambda i: sign(i[2]), shape)


assert np.array_equal(update(tf.constant([3.0, 4.0])), [3.0, 6.0])
assert np.array_equal(update(tf.constant([-3.0, 4.0])), [-3.0, 4.0])
assert apply((3,)) == 20.0, apply((3,))
assert hasattr(tnh.index_update, "autograph_info__") and not hasattr(tnh.fromfunction, "autograph_info__")
assert not hasattr(tf.constant, "autograph_info__")
print("same")
"""


@pytest.mark.parametrize("installed", [False, True], ids=["copied", "installed"])
def test_helpers_are_called_as_they_are_and_the_users_functions_converted(tmp_path: Path, installed: bool) -> None:
    text = write_helpers(read_rulebook(), {"index_update", "fromfunction"}, (), installed=installed)
    (tmp_path / FILE_NAME).write_text(text)
    code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(RULES)!r}]\n{QUESTIONS}"
    (tmp_path / "program.py").write_text(code)  # AutoGraph reads the functions' texts
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.stdout == "same\n", done.stderr
