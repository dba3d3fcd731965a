"""`poly1d` does what NumPy's class does, on tensors: eagerly, traced and under a gradient tape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

P, Q = [2.0, -3.0, 0.5, 1.0], [1.0, -2.0]

OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "call": lambda p, q, m: p(np.array([0.5, 2.0])),
    "compose": lambda p, q, m: p(q),
    "polyval": lambda p, q, m: m.polyval(p, 2.0),
    "polyval_compose": lambda p, q, m: m.polyval(p, q),
    "negative": lambda p, q, m: -p,
    "positive": lambda p, q, m: +p,
    "add": lambda p, q, m: p + q,
    "add_number": lambda p, q, m: p + 2,
    "number_add": lambda p, q, m: 2.5 + p,
    "add_list": lambda p, q, m: p + [1, 2],  # noqa: RUF005 (not a list)
    "subtract": lambda p, q, m: q - p,
    "number_subtract": lambda p, q, m: 1 - p,
    "cancel": lambda p, q, m: p - p,
    "multiply": lambda p, q, m: p * q,
    "multiply_number": lambda p, q, m: p * 3,
    "number_multiply": lambda p, q, m: 3.0 * p,
    "power": lambda p, q, m: q**3,
    "power_zero": lambda p, q, m: q**0,
    "divide_number": lambda p, q, m: p / 4,
    "divide": lambda p, q, m: p / q,
    "number_divide": lambda p, q, m: 6 / q,
    "derivative": lambda p, q, m: p.deriv(),
    "second_derivative": lambda p, q, m: p.deriv(m=2),
    "antiderivative": lambda p, q, m: p.integ(),
    "antiderivative_constant": lambda p, q, m: p.integ(2, k=3),
    "power_of": lambda p, q, m: [p[0], p[2], p[7], p[-1]],
    "coefficients": lambda p, q, m: [p.c, p.coef, p.coeffs, p.coefficients],
    "order": lambda p, q, m: [p.order, q.o, len(p)],
    "iterate": lambda p, q, m: list(p),
    "equal": lambda p, q, m: [p == p + 0, p == q, p != q, p == 3],
    "polyadd": lambda p, q, m: m.polyadd(p, [1.0, 2.0]),
    "polymul": lambda p, q, m: m.polymul([1.0, 2.0], q),
    "polydiv": lambda p, q, m: m.polydiv(p, q),
    "polyder": lambda p, q, m: m.polyder(p),
    "polyint": lambda p, q, m: m.polyint(p, 1, 2),
    "copy": lambda p, q, m: m.poly1d(m.poly1d([1, 2], variable="t")),
}


@pytest.fixture(scope="module")
def rules(tensorflow: Any) -> Any:
    """Return the polynomial rules as attributes, like a module."""
    assert tensorflow is not None
    import types

    from tnp_rules import polynomial_arithmetic, polynomials

    return types.SimpleNamespace(**vars(polynomial_arithmetic), poly1d=polynomials.poly1d)


def plain(value: Any) -> Any:
    """Return coefficients instead of polynomials and ndarrays instead of tensors."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "coeffs"):
        return [plain(value.coeffs), value.variable]
    return value.numpy() if hasattr(value, "numpy") else value


def assert_same(actual: Any, expected: Any) -> None:
    if isinstance(expected, list):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            assert_same(one, other)
    elif isinstance(expected, np.bool):
        assert bool(actual) == bool(expected)
    elif isinstance(expected, np.ndarray | np.generic):
        assert actual.dtype == expected.dtype
        assert actual.shape == expected.shape
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)
    else:
        assert actual == expected


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("integers", [False, True], ids=["floats", "integers"])
def test_operation_gives_what_numpy_gives(operation: str, integers: bool, rules: Any) -> None:
    """Coefficients, dtypes and Python results."""
    p, q = (np.array([2, -3, 0, 1]), np.array([1, -2])) if integers else (np.array(P), np.array(Q))
    expected = OPERATIONS[operation](np.poly1d(p), np.poly1d(q), np)
    actual = OPERATIONS[operation](rules.poly1d(p), rules.poly1d(q), rules)
    assert type(actual).__name__ == type(expected).__name__ or hasattr(actual, "numpy")
    assert_same(plain(actual), plain(expected))


def test_text_is_that_of_numpy(rules: Any) -> None:
    """Printing goes through NumPy."""
    assert str(rules.poly1d(P, variable="z")) == str(np.poly1d(P, variable="z"))
    assert repr(rules.poly1d(P)) == repr(np.poly1d(P))


def test_coefficient_is_set(rules: Any) -> None:
    """Also one beyond the degree; a negative power is an error."""
    ours, theirs = rules.poly1d(P), np.poly1d(P)
    for p in (ours, theirs):
        p[1] = 7.0
        p[5] = -1.0
    assert_same(plain(ours), plain(theirs))
    with pytest.raises(ValueError, match="negative"):
        ours[-1] = 2.0


def test_polynomial_is_an_array_for_both_libraries(rules: Any, tensorflow: Any) -> None:
    """`np.asarray` and `tf.convert_to_tensor` take the coefficients."""
    p = rules.poly1d(P)
    np.testing.assert_array_equal(np.asarray(p), P)
    np.testing.assert_array_equal(tensorflow.convert_to_tensor(p), P)


def test_roots(rules: Any) -> None:
    """Of real and of complex roots."""
    np.testing.assert_allclose(np.sort(rules.poly1d([1.0, -3.0, 2.0]).r), [1.0, 2.0])
    np.testing.assert_allclose(np.sort_complex(rules.poly1d([1.0, 0.0, 4.0]).roots), [-2j, 2j], atol=1e-12)


def test_invalid_power_raises(rules: Any) -> None:
    """As NumPy does."""
    with pytest.raises(ValueError, match="non-negative"):
        rules.poly1d(P) ** -1


def test_traced_coefficients(rules: Any, tensorflow: Any) -> None:
    """The length after dropping leading zeros is not known in the graph; evaluation does not need it."""

    def traced(c: Any) -> Any:
        p = rules.poly1d(c)
        return [p(np.array([0.5, 2.0])), (p * p).coeffs, p.deriv().coeffs, (p + 1.0)(3.0)]

    c = np.array([0.0, 2.0, -3.0, 1.0])
    p = np.poly1d(c)
    expected = [p(np.array([0.5, 2.0])), (p * p).coeffs, p.deriv().coeffs, (p + 1.0)(3.0)]
    assert_same(plain(tensorflow.function(traced, autograph=False)(tensorflow.constant(c))), plain(expected))


def test_gradient_of_coefficients(rules: Any, tensorflow: Any) -> None:
    """d p(x) / d c is the powers of x."""
    c = tensorflow.Variable(np.array(P))
    with tensorflow.GradientTape() as tape:
        value = rules.poly1d(c).deriv()(2.0)
    np.testing.assert_allclose(tape.gradient(value, c), [12.0, 4.0, 1.0, 0.0])
