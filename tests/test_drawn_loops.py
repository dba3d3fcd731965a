"""Draws in loops are made before them where NumPy's stream stays what it is; else they stay, with the reason."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import drawing_functions as before
import numpy as np
import pytest
from compiled_modules import compiled_module

from tnp_migrate.compiled.drawing_calls import FLOATS, INTEGERS, OF_NUMPY
from tnp_rules import random_loops

MOVED = {
    "mean": "draws = rng.random(size=(len(range(count)), 3))",
    "metropolis": "tnh.drawn(((np.random.normal(0, 0.5), np.random.rand()) for _ in range(1, n)), 2)",
    "lattice": "draws = rng.normal(0, 2, size=(len(range(n)), len(range(m))))",
    "rows": "draws, draws_2 = tnh.drawn(((rng.random(3), rng.integers(3)) for _ in range(len(A))), 2)",
    "two_generators": "first.random()) for _ in range(n)), 3)",
    "backwards": "kick_draws = rng.standard_normal(size=len(range(len(x) - 1, -1, -1)))",
    "single": "tnh.drawn(((rng.normal(), rng.poisson(3)) for _ in range(n)), 2)",
    "by_counter": "draws = tnh.drawn(rng.normal(i, sigmas[i], 2) for i in range(len(sigmas)))",
    "shuffled_order": "draws = rng.permutation(len(A))",
    "batches": "np.random.randint(3)) for _ in range(4)), 2)",
    "walk": "draws = self.rng.normal(0, self.scale, size=(len(range(steps)), 2))",
    "triangle": "draws = rng.random(size=len(range(i)))",
    "epochs": "draws = tnh.drawn(tnh.drawn(rng.random(size) for _ in range(5)) for _ in range(n))",
    "lengths": "np.random.rand(len(A), 2)",
}
STAYS = {
    "Walker.cool": "draws random numbers by what its loop computes",
    "on_condition": "draws random numbers on a condition",
    "on_short_circuit": "draws random numbers on a condition or in a comprehension",
    "in_a_call": "draws random numbers, and uses the generator in another way",
    "in_a_comprehension": "draws random numbers on a condition or in a comprehension",
    "until": "draws random numbers in a `while` loop",
    "left": "draws random numbers in a loop that `break` may leave",
    "gone_on": "draws random numbers behind `continue`",
    "growing": "draws random numbers, another number of them in each trip",
    "state_read": "draws random numbers, and uses the generator in another way",
    "by_state": "draws random numbers by what its loop computes",
    "shuffles": "draws random numbers, and uses the generator in another way",
    "tried": "uses after an error what its loop has computed",
    "raises": "draws random numbers in a loop that may raise",
    "seeded_again": "draws random numbers with `seed`",
    "exchanged": "draws random numbers, and uses the generator in another way",
    "emptied": "draws random numbers by what changes when it is read",
    "once": "draws random numbers in a loop whose trips are not known before it",
    "one_or_many": "draws random numbers, one or an array of them (`rng.normal(0, scale)`)",
}
CASES = [(name, place) for name, calls in before.CALLS.items() for place in range(len(calls))]


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("drawn"), "drawn_loops") as module:
        yield module


@pytest.mark.parametrize("form", ["numpy", "eager", "xla"])
@pytest.mark.parametrize(("name", "place"), CASES)
def test_program_draws_what_it_drew(after: Any, name: str, place: int, form: str, monkeypatch: Any) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    np.random.seed(5)
    expected = getattr(before, name)(*copy.deepcopy(before.CALLS[name][place]))
    np.random.seed(5)
    given = [sys.modules["_tnp_helpers"].tensors_outwards(one, {}) for one in before.CALLS[name][place]]
    actual = getattr(after, name)(*given)
    for one, other in zip(expected, actual, strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        tolerance = 1e-5 if np.asarray(one).dtype == np.float32 else 1e-12
        np.testing.assert_allclose(other, one, rtol=tolerance, atol=tolerance)
    assert expected[-1] == actual[-1]  # the stream


@pytest.mark.parametrize("name", MOVED)
def test_draws_are_made_before_their_loop(after: Any, name: str) -> None:
    assert MOVED[name] in Path(after.__file__).read_text(encoding="utf-8")
    assert hasattr(getattr(after, f"_{name}_loop"), "compiled_state")


@pytest.mark.parametrize("name", STAYS)
def test_draw_that_stays_is_named_with_its_reason(after: Any, name: str) -> None:
    report = (Path(after.__file__).parent / "report").read_text(encoding="utf-8")
    assert f"TNP506 this loop is not compiled: `{name}` {STAYS[name]}" in report
    assert not hasattr(after, f"_{name.rpartition('.')[2]}_loop")


def test_numpy_form_reads_what_was_drawn(after: Any) -> None:
    text = Path(after.__file__).with_name("_numpy_drawn_loops.py").read_text(encoding="utf-8")
    assert "    for i, row in enumerate(A):\n        w += row * draws[i]\n        w[draws_2[i]] += 1\n" in text


def test_second_run_changes_nothing(after: Any) -> None:
    folder = Path(after.__file__).parent
    kept = {path: path.read_bytes() for path in folder.glob("*.py")}
    command = [sys.executable, "-m", "tnp_migrate", "migrate", str(folder), "--compile"]
    subprocess.run(command, check=False, capture_output=True)
    assert {path: path.read_bytes() for path in folder.glob("*.py")} == kept


PARAMETERS = {  # of what is drawn, where they are not left to NumPy
    "beta": (1.5, 2), "binomial": (30, 0.5), "chisquare": (2,), "f": (1, 2), "gamma": (1.3,), "geometric": (0.3,),
    "hypergeometric": (5, 5, 3), "integers": (2**32,), "logseries": (0.5,), "negative_binomial": (3, 0.5),
    "noncentral_chisquare": (1, 1), "noncentral_f": (1, 1, 1), "pareto": (1,), "power": (1,), "randint": (7,),
    "standard_gamma": (0.3,), "standard_t": (2,), "triangular": (0, 0.5, 1), "vonmises": (0, 1), "wald": (1, 1),
    "weibull": (1.2,), "zipf": (2.5,),
}  # fmt: skip
MAKERS = [np.random.PCG64, np.random.MT19937, np.random.SFC64, np.random.Philox, np.random.RandomState]


DRAWS = [
    (maker, method)
    for maker in MAKERS
    for method in sorted(FLOATS | INTEGERS | OF_NUMPY)
    if hasattr(maker if maker is np.random.RandomState else np.random.Generator, method)
]


@pytest.mark.parametrize(("maker", "method"), DRAWS)
def test_one_call_draws_what_many_calls_draw(maker: Any, method: str) -> None:
    one, other = [maker(1) if maker is np.random.RandomState else np.random.Generator(maker(1)) for _ in range(2)]
    parameters = PARAMETERS.get(method, ())
    for before_it in ("standard_normal", "randint" if hasattr(one, "randint") else "integers"):
        for each in (one, other):  # which keep a number, or half of one
            getattr(each, before_it)(*((5,) if before_it[:3] in ("ran", "int") else ()))
    for size in (), (3,):
        if method in ("rand", "randn"):
            single, together = [getattr(one, method)(*size) for _ in range(40)], getattr(other, method)(40, *size)
        else:
            single = [getattr(one, method)(*parameters, size=size or None) for _ in range(40)]
            together = getattr(other, method)(*parameters, size=(40, *size))
        np.testing.assert_array_equal(np.array(single), together, strict=True)
        assert one.normal() == other.normal()


@pytest.mark.parametrize("columns", [0, 2])
def test_draws_are_stacked(columns: int) -> None:
    rng = np.random.default_rng(1)
    given = random_loops.drawn(((rng.random(2), rng.random()) if columns else rng.random(2) for _ in range(5)), columns)
    other = np.random.default_rng(1)
    rows = [(other.random(2), other.random()) if columns else (other.random(2),) for _ in range(5)]
    for column, one in enumerate(given if columns else [given]):
        np.testing.assert_array_equal(one, [row[column] for row in rows], strict=True)


def test_no_trips_draw_nothing() -> None:
    assert [len(one) for one in random_loops.drawn(iter(()), 2)] == [0, 0]
    assert len(random_loops.drawn(iter(()))) == 0


def test_more_than_fits_is_drawn_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_loops, "_MOST_DRAWN", 100)
    rng, other, made = np.random.default_rng(1), np.random.default_rng(1), []

    def trips() -> Iterator[Any]:
        for trip in range(9):
            made.append(trip)
            yield rng.random(4), rng.random()

    arrays, numbers = random_loops.drawn(trips(), 2)
    assert made == [0, 1, 2]
    for trip in range(9):
        np.testing.assert_array_equal(arrays[trip, 1:], other.random(4)[1:])
        assert numbers[trip] == other.random()
    assert len(made) == 9


def test_inner_draws_that_do_not_fit_come_before_the_next_trips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_loops, "_MOST_DRAWN", 100)
    rng, other = np.random.default_rng(1), np.random.default_rng(1)
    draws = random_loops.drawn(random_loops.drawn(rng.random(4) for _ in range(5)) for _ in range(3))
    for outer in range(3):
        for inner in range(5):
            np.testing.assert_array_equal(draws[outer, inner], other.random(4))


def test_draws_of_several_shapes_are_read_one_by_one() -> None:
    draws = random_loops.drawn(np.arange(trip + 1) for trip in range(3))
    assert [draws[trip].size for trip in range(3)] == [1, 2, 3]
