"""Generators of `--random tensorflow`: seeds, states, samples, orders, what shuffles in place, islands, gradients."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest


@pytest.fixture(scope="module")
def generators(tensorflow: Any) -> Any:
    assert tensorflow is not None
    from tnp_rules import random_generators

    return random_generators


def many(draw: Any, tf: Any) -> Any:
    """Draw 2000 times in one graph."""
    return tf.function(lambda: tf.map_fn(lambda _: draw(), tf.range(2000), fn_output_signature=tf.int64))().numpy()


@pytest.mark.parametrize("seed", [0, 7, np.int64(7), 2**64 + 1, [1, 2], np.array([3, 4]), np.random.SeedSequence(5)])
def test_seed_decides_the_stream(seed: Any, generators: Any) -> None:
    one, other = (generators.default_rng(seed).normal(size=4).numpy() for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_seeds_and_no_seeds_give_different_streams(generators: Any) -> None:
    seeds = [0, 1, [1, 2], [2, 1], None, None, np.random.PCG64(3), np.random.default_rng(4), np.random.RandomState(5)]
    assert len({float(generators.default_rng(seed).random()) for seed in seeds}) == len(seeds)


def test_seed_is_that_of_tensorflow(generators: Any, tensorflow: Any) -> None:
    expected = tensorflow.random.Generator.from_seed(5).normal([3], dtype=tensorflow.float64)
    np.testing.assert_array_equal(generators.default_rng(5).standard_normal(3), expected)
    np.testing.assert_array_equal(
        generators.Generator(tensorflow.random.Generator.from_seed(5)).normal(size=3), expected
    )


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (1.5, TypeError), ("a", TypeError)])
def test_bad_seed_raises(seed: Any, error: type[Exception], generators: Any) -> None:
    with pytest.raises(error):
        generators.default_rng(seed)


def test_generator_of_a_generator_is_itself(generators: Any) -> None:
    rng = generators.default_rng(0)
    assert generators.default_rng(rng) is rng
    children = rng.spawn(2)
    assert len({float(one.random()) for one in (rng, *children)}) == 3


def test_old_seeds_have_32_bits(generators: Any) -> None:
    with pytest.raises(ValueError, match="between 0 and"):
        generators.RandomState(2**32)


def test_state_is_seeded_saved_and_restored(generators: Any) -> None:
    state = generators.RandomState(3)
    first = state.rand(2).numpy()
    saved = state.get_state()
    second = state.rand(2).numpy()
    state.set_state(saved)
    np.testing.assert_array_equal(state.rand(2), second)
    state.seed(3)
    np.testing.assert_array_equal(state.rand(2), first)
    with pytest.raises(ValueError, match="NumPy's"):
        state.set_state(np.random.RandomState(0).get_state())


def test_global_seed_reaches_traced_functions_and_numpy(generators: Any, tensorflow: Any) -> None:
    draw = tensorflow.function(lambda: generators.random.rand(2))
    generators.random.seed(4)
    first, numpys = draw().numpy(), np.random.rand()
    assert not np.array_equal(draw(), first)
    generators.random.seed(4)
    np.testing.assert_array_equal(draw(), first)
    assert np.random.rand() == numpys


def test_sample_with_weights(generators: Any) -> None:
    weights = np.array([0.5, 0.2, 0.0, 0.3])
    found = generators.default_rng(0).choice(4, 20_000, p=weights).numpy()
    np.testing.assert_allclose(np.bincount(found, minlength=4) / found.size, weights, atol=0.015)


@pytest.mark.parametrize("weights", [None, [0.5, 0.2, 0.05, 0.25]])
def test_sample_without_replacement_is_distributed_as_numpys(weights: Any, generators: Any, tensorflow: Any) -> None:
    ours, numpys = generators.default_rng(0), np.random.default_rng(0)
    pairs = [
        many(lambda: ours.choice(4, 2, replace=False, p=weights), tensorflow),
        np.array([numpys.choice(4, 2, replace=False, p=weights) for _ in range(2000)]),
    ]
    assert (pairs[0][:, 0] != pairs[0][:, 1]).all()
    counts = [np.bincount(pair @ [4, 1], minlength=16) / len(pair) for pair in pairs]
    np.testing.assert_allclose(counts[0], counts[1], atol=0.05)


def test_every_order_is_as_likely(generators: Any, tensorflow: Any) -> None:
    rng = generators.default_rng(1)
    orders = [tuple(order) for order in many(lambda: rng.permutation(3), tensorflow).tolist()]
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 6
    assert 270 < min(counts) <= max(counts) < 400


def test_permuted_keeps_each_row_and_moves_it_by_itself(generators: Any) -> None:
    x = np.tile(np.arange(10), (6, 1))
    for axis, array in ((1, x), (0, x.T)):
        found = generators.default_rng(0).permuted(array, axis=axis).numpy()
        np.testing.assert_array_equal(np.sort(found, axis), array)
        assert len({tuple(row) for row in (found if axis else found.T)}) == 6


def test_vectors_have_numpys_moments(generators: Any) -> None:
    rng = generators.default_rng(2)
    mean, cov = [1.0, -2.0], [[2.0, 0.6], [0.6, 0.5]]
    for method in ("svd", "eigh", "cholesky"):
        normal = rng.multivariate_normal(mean, cov, 20_000, method=method).numpy()
        np.testing.assert_allclose(normal.mean(0), mean, atol=0.05)
        np.testing.assert_allclose(np.cov(normal.T), cov, atol=0.08)
    shares = rng.dirichlet([0.5, 2.0, 1.5], 20_000).numpy()
    np.testing.assert_allclose(shares.sum(1), 1)
    np.testing.assert_allclose(shares.mean(0), [0.125, 0.5, 0.375], atol=0.01)
    np.testing.assert_allclose(shares.var(0), np.array([7 / 64, 1 / 4, 15 / 64]) / 5, atol=0.003)
    counts = rng.multinomial(10, [0.2, 0.0, 0.5, 0.3], 20_000).numpy()
    assert (counts.sum(1) == 10).all()
    np.testing.assert_allclose(counts.mean(0), [2, 0, 5, 3], atol=0.05)
    np.testing.assert_allclose(np.cov(counts.T)[0, 2], -10 * 0.2 * 0.5, atol=0.06)


def test_shuffle_works_in_place_on_what_can_change(generators: Any, tensorflow: Any) -> None:
    rng = generators.default_rng(3)
    rows, names, columns = np.arange(20).reshape(10, 2), list("abcdefgh"), np.arange(20).reshape(2, 10)
    variable = tensorflow.Variable(tensorflow.range(10))
    before = rows.copy()
    for one in (rows, names, variable):
        rng.shuffle(one)
    rng.shuffle(columns, axis=1)
    assert not np.array_equal(rows, before)
    np.testing.assert_array_equal(rows[rows[:, 0].argsort()], before)
    assert sorted(names) == list("abcdefgh") != names
    assert sorted(variable.numpy()) == list(range(10))
    np.testing.assert_array_equal(columns[1] - columns[0], 10)
    with pytest.raises(TypeError, match="permutation"):
        rng.shuffle(tensorflow.range(3))


def test_draws_inside_an_island_are_numpys(generators: Any, tensorflow: Any) -> None:
    from tnp_rules.islands import island

    rng = generators.default_rng(0)
    seen: list[type] = []

    @island
    def noisy(x: Any, rng: Any) -> Any:
        noise = rng.normal(size=2)
        seen.append(type(noise))
        noise[0] = 0.0
        return x + noise + rng.permutation(2)

    for argument in (tensorflow.zeros(2, tensorflow.float64), np.zeros(2)):
        noisy(argument, rng)
    noisy_in_graph = tensorflow.function(lambda x: noisy(x, rng))
    noisy_in_graph(tensorflow.zeros(2, tensorflow.float64))
    assert seen == [np.ndarray] * 3
    assert isinstance(rng.normal(size=2), tensorflow.Tensor)


def test_gradient_reaches_the_parameters(generators: Any, tensorflow: Any) -> None:
    loc, scale = tensorflow.Variable(1.0, dtype=tensorflow.float64), tensorflow.constant(2.0, tensorflow.float64)
    rng = generators.default_rng(0)
    with tensorflow.GradientTape() as tape:
        tape.watch(scale)
        drawn = rng.normal(loc, scale)
    by_loc, by_scale = tape.gradient(drawn, [loc, scale])
    assert float(by_loc) == 1.0
    assert float(by_scale) == pytest.approx((float(drawn) - 1.0) / 2.0)


def test_size_may_be_known_at_run_time_only(generators: Any, tensorflow: Any) -> None:
    rng = generators.default_rng(0)

    @tensorflow.function(input_signature=[tensorflow.TensorSpec([None, 3], tensorflow.float64)])
    def draw(x: Any) -> Any:
        count = tensorflow.shape(x)[0]
        return rng.normal(size=tensorflow.shape(x)), rng.integers(0, 5, (count, 2)), rng.normal(x), rng.permutation(x)

    assert [tuple(one.shape) for one in draw(np.ones((4, 3)))] == [(4, 3), (4, 2), (4, 3), (4, 3)]


@pytest.mark.parametrize("owner", ["Generator", "RandomState"])
def test_methods_have_numpys_parameters(owner: str, generators: Any) -> None:
    from tnp_migrate.numpy_facts.random_draws import LACKING, draws_of

    methods = {name for name in draws_of(owner) if owner == "RandomState" or name != "shuffle"}
    names = {name for name in dir(getattr(np.random, owner)) if not name.startswith("_")}
    assert names - {*methods, "shuffle", "bit_generator"} == set()
    lacking = {}
    for name in names & methods:
        wanted = dict(inspect.signature(getattr(getattr(np.random, owner), name)).parameters)
        given = dict(inspect.signature(getattr(getattr(generators, owner), name)).parameters)
        lacking[name] = tuple(one for one in wanted if one not in given)
        shared = [one for one in wanted if one in given]
        assert [one for one in given if one in wanted] == shared, name
        for one in shared:
            defaults = wanted[one].default, given[one].default
            assert defaults[0] == defaults[1] or {*defaults} == {np.float64, float}, (name, one)
            assert wanted[one].kind == given[one].kind, (name, one)
    assert {name: missing for name, missing in lacking.items() if missing} == LACKING[owner]


def test_draws_are_compiled_and_text_says_that_it_is_not(generators: Any, tensorflow: Any) -> None:
    rng, eager = generators.default_rng(0), generators.default_rng(0)

    def draw(rng: Any) -> Any:
        first = rng.normal(size=3), rng.integers(0, 9, 3), rng.exponential(2.0, size=3)
        return *first, rng.permutation(4), rng.choice(9, 3, replace=False), rng.choice(3, 5, p=[0.2, 0.3, 0.5])

    for compiled, plain in zip(tensorflow.function(lambda: draw(rng), jit_compile=True)(), draw(eager), strict=True):
        assert (compiled.dtype, compiled.shape) == (plain.dtype, plain.shape)  # XLA makes other normal numbers
    with pytest.raises(TypeError, match="no tensor"):
        tensorflow.function(lambda: rng.choice(["a", "b"], 3))()
