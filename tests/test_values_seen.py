"""What a program sees of the kind of a value, and of its text, is what NumPy shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from handed_out_programs import Program, evaluate
from handed_out_runs import judge

TEXT = Path(__file__).with_name("values_seen.txt").read_text("utf-8")
PROGRAMS = dict(one.split("\n", 1) for one in TEXT.removeprefix("# ").split("\n\n# "))
# What a tensor cannot answer as NumPy's values do: a finding tells.
SAID = frozenset("singledispatch is_true_func is_true_param isinstance_bool".split())
QUESTIONS = (
    "isinstance(v, np.ndarray)",
    "isinstance(v, (list, tuple, np.ndarray))",
    "isinstance(v, (float, np.ndarray))",
    "isinstance(v, (int, float))",
    "isinstance(v, (int, np.integer))",
    "isinstance(v, np.generic)",
    "isinstance(v, numbers.Number)",
    "isinstance(v, Iterable)",
    "isinstance(v, Sized)",
    "isinstance(v, Hashable)",
    "hasattr(v, '__len__')",
    "hasattr(v, '__iter__')",
    "getattr(v, '__len__', None) is None",
    "np.isscalar(v)",
    "np.iterable(v)",
    "callable(v)",
    "type(v) is np.ndarray",
    "type(v) in (float, np.float64, np.ndarray)",
    "type(v).__name__",
)
VALUES = "x, x.sum(), x[0], m[0], m[0, 1], x @ x, x.argmax(), (x > 1).any(), np.sqrt(x.sum()), np.sqrt(2.0), 2.5, [1.0]"
ASKED = """import numbers
from collections.abc import Hashable, Iterable, Sized

import numpy as np


def ask(v):
    return QUESTION


def run():
    x, m = np.array([3.0, 1.0, 2.0]), np.ones((2, 3))
    return [ask(v) for v in (VALUES)] + [ask(x.mean()), ask(x)]
"""


@pytest.mark.parametrize("question", QUESTIONS)
def test_tensors_without_axes_answer_as_numbers(question: str, tensorflow: Any) -> None:
    verdict = judge(Program({"main.py": ASKED.replace("QUESTION", question).replace("VALUES", VALUES)}, ()))
    assert verdict.kind == "native", f"{verdict.kind}: {verdict.why}"


@pytest.fixture
def plain_texts(tensorflow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tensors write themselves as TensorFlow has it, whatever was imported before."""
    kind = type(tensorflow.constant(0))
    for method in ("__str__", "__repr__"):
        written = getattr(kind, method)
        monkeypatch.setattr(kind, method, getattr(written, "__wrapped__", written))


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.usefixtures("plain_texts")
def test_the_program_sees_what_numpy_shows(name: str, tensorflow: Any) -> None:
    files = {"main.py": PROGRAMS[name]}
    assert evaluate(files) is not None
    verdict = judge(Program(files, ()))
    if name in SAID:
        assert any(one.code[3] in "234" for one in verdict.translated.findings)
    else:
        assert verdict.kind in {"native", "island"}, f"{verdict.kind}: {verdict.why}"
