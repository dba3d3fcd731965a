"""`poly1d`: a polynomial whose coefficients are a tensor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.polynomial_arithmetic import (
    _coefficients,
    _leading_zeros,
    polyadd,
    polyder,
    polydiv,
    polyint,
    polymul,
    polysub,
    polyval,
)
from tnp_rules.polynomial_roots import poly, roots
from tnp_rules.statistic_arguments import _length
from tnp_rules.support import _is_python_scalar, _promoted, _tensor


@helper("numpy.poly1d")
class poly1d:  # noqa: N801 (NumPy's name)
    """NumPy's class converts its coefficients to an ndarray, which cuts gradients; this one keeps a tensor.

    `str` and `repr` are NumPy's. Traced, leading zeros are dropped with a length that the graph does not know.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, c_or_r: Any, r: Any = False, variable: Any = None) -> None:
        self.variable = variable or getattr(c_or_r, "variable", "x")
        c = _tensor(poly(c_or_r)) if r else _coefficients(c_or_r)
        c = tf.reshape(c, [1]) if c.shape.rank == 0 else c
        if c.shape.rank > 1:
            raise ValueError("Polynomial must be 1d only.")
        self._c = tf.zeros([1], c.dtype) if c.shape[0] == 0 else c[_leading_zeros(c) :]

    coeffs = c = coef = coefficients = property(lambda self: self._c, doc="The coefficients, highest power first.")
    order = o = property(lambda self: _length(self._c) - 1, doc="The degree.")
    roots = r = property(lambda self: roots(self._c), doc="The roots.")

    def __call__(self, val: Any) -> Any:
        """Evaluate at points, or substitute another polynomial."""
        return polyval(self._c, val)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self._c, dtype)

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> tf.Tensor:
        return tf.convert_to_tensor(self._c, dtype, name)

    def __repr__(self) -> str:
        return repr(np.poly1d(self._c.numpy(), variable=self.variable))

    def __str__(self) -> str:
        return str(np.poly1d(self._c.numpy(), variable=self.variable))

    def __len__(self) -> int:
        return int(self.order)

    def __iter__(self) -> Iterator[tf.Tensor]:
        return iter(tf.unstack(self._c))

    def __getitem__(self, val: Any) -> tf.Tensor:
        """Return the coefficient of a power."""
        if val > self.order or val < 0:
            return tf.zeros([], self._c.dtype)
        return self._c[self.order - val]

    def __setitem__(self, key: Any, val: Any) -> None:
        """Set the coefficient of a power."""
        if key < 0:
            raise ValueError("Does not support negative powers.")
        if key > self.order:
            self._c = tf.pad(self._c, [[key - self.order, 0]])
        value = tf.cast(_tensor(val), self._c.dtype)
        self._c = tf.tensor_scatter_nd_update(self._c, [[self.order - key]], [value])

    def __neg__(self) -> poly1d:
        return poly1d(-self._c)

    def __pos__(self) -> poly1d:
        return self

    def __add__(self, other: Any) -> poly1d:
        return poly1d(polyadd(self._c, poly1d(other).coeffs))

    __radd__ = __add__

    def __sub__(self, other: Any) -> poly1d:
        return poly1d(polysub(self._c, poly1d(other).coeffs))

    def __rsub__(self, other: Any) -> poly1d:
        return poly1d(polysub(poly1d(other).coeffs, self._c))

    def __mul__(self, other: Any) -> poly1d:
        if _is_number(other):
            coefficients, factor = _promoted(self._c, other)
            return poly1d(coefficients * factor)
        return poly1d(polymul(self._c, poly1d(other).coeffs))

    __rmul__ = __mul__

    def __pow__(self, val: Any) -> poly1d:
        if not _is_number(val) or int(val) != val or val < 0:
            raise ValueError("Power to non-negative integers only.")
        result = tf.ones([1], tf.int64)
        for _ in range(int(val)):
            result = polymul(self._c, result)
        return poly1d(result)

    def __truediv__(self, other: Any) -> Any:
        if _is_number(other):
            coefficients, factor = _promoted(self._c, other)
            return poly1d(tf.truediv(coefficients, factor))
        return polydiv(self, poly1d(other))

    def __rtruediv__(self, other: Any) -> Any:
        if _is_number(other):
            factor, coefficients = _promoted(other, self._c)
            return poly1d(tf.truediv(factor, coefficients))
        return polydiv(poly1d(other), self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, poly1d):
            return NotImplemented
        return bool(self._c.shape == other.coeffs.shape) and bool(tf.reduce_all(self._c == other.coeffs))

    def integ(self, m: Any = 1, k: Any = 0) -> poly1d:
        """Return an antiderivative."""
        return poly1d(polyint(self._c, m, k))

    def deriv(self, m: Any = 1) -> poly1d:
        """Return a derivative."""
        return poly1d(polyder(self._c, m))


def _is_number(x: Any) -> bool:
    """Tell what NumPy calls a scalar, and the 0-d tensors that scalars have become."""
    return _is_python_scalar(x) or (hasattr(x, "shape") and len(x.shape) == 0)
