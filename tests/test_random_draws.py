"""Draws of `--random tensorflow` beside NumPy's: distribution, shape, dtype, errors; eager and under `tf.function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

N = 20_000
# Method, arguments: each is drawn by NumPy and by TensorFlow, and the two samples are compared.
DRAWS: list[tuple[str, tuple[Any, ...]]] = [
    ("random", ()),
    ("uniform", (-2.0, 5)),
    ("normal", (3, 0.5)),
    ("standard_normal", ()),
    ("lognormal", (0.3, 0.8)),
    ("exponential", (2.5,)),
    ("standard_exponential", ()),
    ("gamma", (0.4, 2.0)),
    ("gamma", (7.5, 0.1)),
    ("standard_gamma", (1.0,)),
    ("chisquare", (3,)),
    ("noncentral_chisquare", (0.7, 2.0)),
    ("noncentral_chisquare", (4, 6.0)),
    ("f", (4, 9)),
    ("noncentral_f", (4, 9, 1.5)),
    ("standard_t", (3.5,)),
    ("standard_cauchy", ()),
    ("beta", (0.05, 0.08)),
    ("beta", (2, 5)),
    ("laplace", (1, 2)),
    ("logistic", (-1, 0.5)),
    ("gumbel", (0.5, 2)),
    ("rayleigh", (1.5,)),
    ("weibull", (1.7,)),
    ("pareto", (3.0,)),
    ("power", (2.2,)),
    ("triangular", (-1, 0.5, 3)),
    ("wald", (2.0, 0.7)),
    ("wald", (1e3, 1e-2)),
    ("vonmises", (0.3, 4.0)),
    ("poisson", (0.3,)),
    ("poisson", (25.0,)),
    ("binomial", (12, 0.3)),
    ("binomial", (500, 0.85)),
    ("negative_binomial", (3, 0.4)),
    ("geometric", (0.2,)),
    ("geometric", (1,)),
    ("logseries", (0.8,)),
    ("zipf", (2.5,)),
    ("hypergeometric", (10, 20, 12)),
    ("integers", (-3, 40)),
    ("choice", (7,)),
]
every_draw = pytest.mark.parametrize(("name", "arguments"), DRAWS, ids=[f"{name}{args}" for name, args in DRAWS])


@pytest.fixture(scope="module")
def generators(tensorflow: Any) -> Any:
    assert tensorflow is not None
    from tnp_rules import random_generators

    return random_generators


def distance(one: Any, other: Any) -> float:
    """The greatest distance between two empirical distributions (Kolmogorov and Smirnov)."""
    points = np.concatenate([one, other])
    first, second = (np.searchsorted(np.sort(sample), points, side="right") / len(sample) for sample in (one, other))
    return float(np.abs(first - second).max())


@every_draw
def test_distribution_is_numpys(name: str, arguments: tuple[Any, ...], generators: Any) -> None:
    expected = getattr(np.random.default_rng(1), name)(*arguments, size=N)
    actual = getattr(generators.default_rng(2), name)(*arguments, size=N)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    assert distance(expected, actual.numpy()) < 1.95 * (2 / N) ** 0.5  # one in a thousand pairs of samples is beyond


@every_draw
def test_numbers_are_pythons_without_size(name: str, arguments: tuple[Any, ...], generators: Any) -> None:
    expected = getattr(np.random.default_rng(1), name)(*arguments)
    actual = getattr(generators.default_rng(2), name)(*arguments)
    assert type(actual) is type(expected)


HOST = {"vonmises", "zipf", "hypergeometric"}


@pytest.mark.parametrize("name", sorted({name for name, _ in DRAWS} - HOST))
def test_graph_draws_what_eager_code_draws(name: str, generators: Any, tensorflow: Any) -> None:
    arguments = dict(DRAWS)[name]
    eager, traced = generators.default_rng(3), generators.default_rng(3)
    draw = tensorflow.function(lambda: getattr(traced, name)(*arguments, size=(2, 3)))
    for _ in range(2):  # the state goes on from call to call
        np.testing.assert_allclose(draw(), getattr(eager, name)(*arguments, size=(2, 3)), rtol=1e-12)


@pytest.mark.parametrize("name", sorted(HOST))
def test_host_draws_say_that_they_cannot_be_traced(name: str, generators: Any, tensorflow: Any) -> None:
    rng = generators.default_rng(3)
    with pytest.raises(TypeError, match="on the host"):
        tensorflow.function(lambda: getattr(rng, name)(*dict(DRAWS)[name], size=3))()


Call = Callable[[Any], Any]
SHAPES: dict[str, Call] = {
    "size_tuple": lambda r: r.normal(size=(2, 3)),
    "size_list_and_numpy_integer": lambda r: r.normal(size=[np.int64(2), 3]),
    "size_empty": lambda r: r.normal(size=()),
    "size_zero": lambda r: r.exponential(size=0),
    "parameters_broadcast": lambda r: r.normal(np.zeros((3, 1)), np.ones(2)),
    "parameters_broadcast_to_size": lambda r: r.gamma([1.0, 2.0], size=(3, 2)),
    "counts_broadcast": lambda r: r.binomial([1, 2, 3], 0.5),
    "dirichlet": lambda r: r.dirichlet([1.0, 2.0, 3.0]),
    "dirichlet_of_size": lambda r: r.dirichlet([1.0, 2.0, 3.0], size=(4, 2)),
    "multinomial": lambda r: r.multinomial(20, [0.2, 0.8]),
    "multinomial_of_size": lambda r: r.multinomial(20, [0.2, 0.3, 0.5], size=4),
    "multivariate_normal": lambda r: r.multivariate_normal([0.0, 1.0], np.eye(2)),
    "multivariate_normal_of_size": lambda r: r.multivariate_normal([0.0, 1.0], np.eye(2), (3, 2)),
    "permutation_of_number": lambda r: r.permutation(5),
    "permutation_of_matrix": lambda r: r.permutation(np.ones((3, 2), np.float32)),
    "permutation_of_list": lambda r: r.permutation([1, 2, 3]),
    "permutation_of_strings": lambda r: r.permutation(["a", "b"]),
    "choice_of_floats": lambda r: r.choice([1.5, 2.5], size=4),
    "choice_of_float": lambda r: np.asarray(r.choice([1.5, 2.5])),
    "choice_of_strings": lambda r: r.choice(["a", "b"], 3),
    "choice_without_replacement": lambda r: r.choice(9, (2, 2), replace=False),
    "choice_with_weights": lambda r: r.choice(3, 5, p=[0.2, 0.3, 0.5]),
    "choice_with_weights_without_replacement": lambda r: r.choice(3, 2, replace=False, p=[0.2, 0.3, 0.5]),
    "choice_of_nothing": lambda r: r.choice(3, 0),
}
NEW: dict[str, Call] = {
    "choice_of_rows": lambda r: r.choice(np.eye(3), size=2),
    "multinomial_of_counts": lambda r: r.multinomial([1, 2], [0.2, 0.3, 0.5]),
    "integer_array_without_low": lambda r: r.integers([3, 4]),
    "integer_bounds_broadcast": lambda r: r.integers([0, 10], [[15], [20]]),
    "small_integers": lambda r: r.integers(0, 256, 4, dtype=np.uint8),
    "bools": lambda r: r.integers(0, 2, 4, dtype=bool),
    "int32_number": lambda r: np.asarray(r.integers(9, dtype=np.int32)),
    "all_of_int64": lambda r: r.integers(-(2**63), 2**63, 4),
    "nearly_all_of_int64": lambda r: r.integers(-(2**63), 2**63 - 1, 4),
    "all_of_uint64": lambda r: r.integers(0, 2**64, 4, dtype=np.uint64),
    "upper_half_of_uint64": lambda r: r.integers(2**63, 2**64, 4, dtype=np.uint64),
    "float32": lambda r: r.random(4, dtype=np.float32),
    "normal_float32": lambda r: r.standard_normal((2, 2), np.float32),
    "permuted": lambda r: r.permuted(np.eye(3), axis=1),
    "permuted_flat": lambda r: r.permuted(np.eye(3)),
    "permutation_along_axis": lambda r: r.permutation(np.ones((2, 3)), axis=1),
    "choice_along_axis": lambda r: r.choice(np.ones((2, 3)), 2, axis=1),
    "multivariate_hypergeometric": lambda r: r.multivariate_hypergeometric([3, 4], 2, size=3),
}
OLD: dict[str, Call] = {
    "rand": lambda r: r.rand(2, 3),
    "randn": lambda r: r.randn(4),
    "rand_number": lambda r: np.asarray(r.rand()),
    "randint": lambda r: r.randint(5, size=3),
    "randint_between": lambda r: r.randint(2, 5, (2, 2)),
    "random_sample": lambda r: r.random_sample((2, 1)),
    "tomaxint": lambda r: r.tomaxint(3),
}
RAISING: dict[str, Call] = {
    "size_too_small": lambda r: r.normal([1.0, 2.0], size=3),
    "parameters_do_not_broadcast": lambda r: r.normal([1.0, 2.0], [1.0, 2.0, 3.0]),
    "negative_size": lambda r: r.normal(size=-1),
    "float_size": lambda r: r.normal(size=2.5),
    "negative_scale": lambda r: r.normal(0, -1),
    "negative_rate": lambda r: r.poisson([1.0, -1.0]),
    "probability_above_one": lambda r: r.binomial(3, 1.5),
    "shape_of_beta": lambda r: r.beta(0, 1),
    "mode_outside": lambda r: r.triangular(0, 2, 1),
    "choice_too_many": lambda r: r.choice(3, 4, replace=False),
    "choice_of_empty": lambda r: r.choice([]),
    "choice_weights_do_not_sum_to_one": lambda r: r.choice(2, p=[0.5, 0.6]),
    "choice_weights_of_another_length": lambda r: r.choice(3, p=[0.5, 0.5]),
    "choice_too_few_weights": lambda r: r.choice(3, 2, replace=False, p=[1.0, 0, 0]),
    "outcomes_above_one": lambda r: r.multinomial(3, [0.9, 0.9, 0.1]),
    "covariance_not_square": lambda r: r.multivariate_normal([0.0], [[1.0, 0.0]]),
    "infinite_range": lambda r: r.uniform(0, np.inf),
    "complex_parameter": lambda r: r.normal(np.array([1j])),
}


@pytest.mark.parametrize("call", SHAPES.values(), ids=list(SHAPES))
@pytest.mark.parametrize("kind", ["new", "old"])
def test_shape_and_dtype_are_numpys(call: Call, kind: str, generators: Any) -> None:
    check_shape(call, generators, old=kind == "old")


@pytest.mark.parametrize("call", NEW.values(), ids=list(NEW))
def test_shape_and_dtype_of_new_methods(call: Call, generators: Any) -> None:
    check_shape(call, generators, old=False)


@pytest.mark.parametrize("call", OLD.values(), ids=list(OLD))
def test_shape_and_dtype_of_old_methods(call: Call, generators: Any) -> None:
    check_shape(call, generators, old=True)


def check_shape(call: Call, generators: Any, *, old: bool) -> None:
    expected = call(np.random.RandomState(0) if old else np.random.default_rng(0))
    actual = call(generators.RandomState(0) if old else generators.default_rng(0))
    assert (actual.dtype, tuple(actual.shape)) == (expected.dtype, expected.shape)


@pytest.mark.parametrize("call", RAISING.values(), ids=list(RAISING))
def test_errors_are_numpys(call: Call, generators: Any) -> None:
    with pytest.raises(Exception) as expected:
        call(np.random.default_rng(0))
    with pytest.raises(expected.type):
        call(generators.default_rng(0))
