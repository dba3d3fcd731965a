"""What is known of expressions: the answers stand on the lines of `tests/analysis/arrays_*.py`."""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from analysis_cases import analyse, answers, cases, value_answers

from tnp_migrate.numpy_facts.values import NONE, SCALAR, UNKNOWN, Value, array, element_of, join

SETUP = """
import numpy as np
d = np.array([[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]])
s = np.ones(3, np.float32)
i = np.arange(3)
j = np.array([1, 2, 3], dtype=np.int32)
h = np.array([1, 2, 3], "int8")
u = np.array([1, 2, 3], "uint8")
w = np.array([1, 2, 3], "uint16")
k = np.array([1, 2, 3], "uint32")
b = i > 0
c = np.array([1j, 2, 3])
z = np.array(2.5)
"""
BINARY = [
    f"{x} {op} {y}"
    for op in ("+", "/", "//", "**", "*", "<")
    for x in "dsijhbzuwk"
    for y in ("s", "j", "b", "z", "u", "2", "-2", "0.5", "u.max()", "u.sum()", "len(u)")
]
COMPLEX = [
    f"{x} {op} {y}"
    for op in "+*/"
    for x in "dsijhbc"
    for y in ("1j", "c", "(1 + 2j)", "np.float64(2)", "np.float32(2)")
]
ONE = [
    f"np.{name}({x})"
    for name in "sqrt exp abs negative sign floor ceil rint trunc fix round square real imag angle isnan sum mean std max prod any ptp trace "
    "argmax cumsum cumprod sort copy ravel transpose median nan_to_num asarray zeros_like ones_like count_nonzero conj".split()
    for x in "dsijhbcuwk"
    if not (x == "c" and name in "floor ceil rint trunc fix") and not (x == "b" and name in "negative sign square")
]
TWO = [
    f"np.{name}({x}, {y})"
    for name in "add divide maximum mod power copysign arctan2 hypot floor_divide matmul dot logaddexp".split()
    for x in "dsijbuk"
    for y in ("s", "j", "2", "z", "h")
    if not (name == "matmul" and y in "2z")
]
METHODS = [
    f"{x}.{call}"
    for call in "sum() mean() max() cumsum() cumprod() argsort() round() conj() copy() ravel() std() prod() any() trace_ "
    "clip(0,1) clip(0.5,1.5) dot(s) dot(c) astype(float) astype('f4') argmax() ptp_ repeat(2) T real imag flatten() "
    "reshape(-1) reshape(1,-1) sum(dtype=np.float32) sum(0,np.float32) take([0]) searchsorted(1) view(np.uint8) "
    "transpose() squeeze() max(axis=0) sum(axis=0,keepdims=True) cumsum(axis=0) cumsum(dtype=float) swapaxes(0,0) "
    "nonzero() tolist() item_ shape ndim size dtype".split()
    if not call.endswith("_")
    for x in "dsijhbcuwk"
    if not (x == "c" and call.startswith(("clip", "searchsorted")))
    and not (x == "d" and call.startswith("searchsorted"))
]
GIVEN = [
    "np.zeros(3, int)", "np.zeros((2, 3), np.float32)", "np.ones((2, 2), 'f4')", "np.empty(3, dtype=bool)", "np.full(3, 1)",
    "np.full(3, 1.5, np.float32)", "np.full((2, 2), 1, dtype=float)", "np.eye(3, 3, 0, int)", "np.eye(2, dtype=int)",
    "np.array([1, 2], np.float32)", "np.array([1, 2], 'f4')", "np.array(d, int)", "np.asarray(d, np.float32)",
    "np.array([1, 2.5])", "np.array([[1, 2], [3, 4]])", "np.array([True, False])", "np.array([1, True])", "np.array([1j, 2])",
    "np.array([])", "np.array([[]])", "np.array(3)", "np.array([d, d])", "np.array([i[0], 2])", "np.array((1, 2))",
    "np.zeros_like(d, int)", "np.zeros_like(d, dtype=int)", "np.full_like(d, 1, int)", "np.zeros_like(i, shape=(2, 2))",
    "np.arange(3, 5, 1, np.float32)", "np.arange(3, dtype=np.float32)", "np.arange(0, 1, 0.5)", "np.arange(3.0)", "np.arange(i[2])",
    "np.linspace(0, 1, 5, dtype=int)", "np.linspace(0, 1, 5, True, False, int)", "np.linspace([0, 1], 1, 5)",
    "np.linspace(0, 1, 3, retstep=True)", "np.identity(3, int)", "np.logspace(0, 1, 3)",
    "np.sum(s, 0, np.float64)", "np.sum(s, dtype=np.float64)", "np.mean(s, dtype=np.float64)", "np.add(s, s, dtype=np.float64)",
    "np.sqrt(s, dtype=np.float64)", "np.cumsum(s, 0, float)", "np.copy(d)", "np.array(d, ndmin=3)", "np.array(d, copy=True)",
    "np.where(b, s, 0.0)", "np.where(b, s, d)", "np.where(b, i, 0.5)", "np.where(b, i, 1j)", "np.where(b)", "np.clip(i, 0.5, 1.5)", "np.clip(s, 0, 1)",
    "np.round(d, 1)", "np.reshape(d, (3, 2))", "np.median(s)", "np.percentile(s, 50)", "np.quantile(d, [0.1, 0.5])",
    "np.average(s, weights=d[0])", "np.linalg.norm(s)", "np.linalg.norm(j)", "np.linalg.svd(d)", "np.trace(d)", "np.max(d, 1)",
    "np.float32(d)", "np.float64(s)", "np.int64(2)", "np.bool_(d)", "d[0]", "d[0, 1]", "d[:, 1:]", "d[None]", "d[..., 0]", "d[d > 2]",
    "d[[0, 1]]", "d[i[:2]]", "d[i[:2], i[:2]]", "d[:, [0, 1]]", "d[b[:2]]", "d[0][1]", "d[np.newaxis, :]", "d[(0, 1)]", "d[-1]", "d[True]", "d[i[0]]",
    "d[np.array([[0, 1]])]", "d[0, [1, 2]]", "d[None, 0]", "d[d.argmax(axis=0)]", "d[0:1, None]", "s[...]", "d.flat[0]", "d.T[0]", "d.shape[0]", "z[()]", "z[...]",
    "-i", "~b", "~j", "-s", "+b", "not z", "d @ s", "s @ s", "d.T @ d", "i @ i", "i if True else d", "b & b", "b | True", "i >> 1", "i & 1", "i % 2", "i % 2.0", "2 ** i", "2.0 ** i", "1 / j", "1 - h",
    "[1, 2] + i", "(1, 2) * d[:, :2]", "d == 1", "d is None", "i == None", "abs(c)", "sum(d)", "max(i)", "min(s)", "round(2.5)", "len(d)", "list(d)", "tuple(d)", "sorted(i)", "float(z)", "[x for x in d]",
    "np.random.rand(2, 3)", "np.random.rand()", "np.random.randint(3)", "np.random.normal(size=(2, 2))", "np.random.random()", "np.random.choice(3)", "np.random.permutation(3)", "np.random.uniform()", "np.random.randn()",
    "np.meshgrid(i, i)", "np.unique(i)", "np.unique(i, True)", "np.unique(i, return_counts=True)", "np.histogram(d)", "np.nonzero(d)", "np.split(i, 3)",
    "np.shape(d)", "np.ndim(d)", "np.pi * s", "np.inf * i", "np.e", "np.nan + j", "np.isscalar(1)", "np.allclose(d, d)", "np.array_equal(d, d)", "np.dtype('f4')",
    "np.add.reduce(d)", "np.add.accumulate(h)", "np.multiply.outer(s, s)", "np.searchsorted(i, 1)", "np.digitize(d, [1, 2])", "np.interp(d, [0, 1], [0, 1])", "np.argsort(d)", "np.diff(i)", "np.outer(s, i)",
    "np.concatenate([s, i])", "np.stack([s, s])", "np.expand_dims(d, 0)", "np.squeeze(d)", "np.atleast_2d(s)", "np.broadcast_to(s, (2, 3))", "np.diag(s)", "np.diag(d[:, :2])", "np.tile(s, 2)", "np.fft.fft(s)",
    "np.r_[i, 1.5]", "np.c_[i, i]", "np.mgrid[0:2, 0:2]", "np.ogrid[0:2]", "np.linalg.inv(d[:, :2])", "np.einsum('ij->j', d)", "np.tensordot(d, d)", "np.vdot(s, s)", "np.inner(s, s)", "np.bincount(i)",
]  # fmt: skip
RANKED = [
    expression.replace("(x", f"({x}").replace("x.", f"{x}.").replace("[x", f"[{x}").replace(" x", f" {x}")
    for expression in [
        "np.ravel(x)", "np.flatnonzero(x)", "np.argwhere(x)", "np.outer(x, x)", "np.diagflat(x)", "np.unique(x)", "np.unique(x, axis=0)",
        "np.unique(x, return_index=True)", "np.union1d(x, x)", "np.intersect1d(x, x)", "np.intersect1d(x, x, return_indices=True)",
        "np.setdiff1d(x, 1)", "np.roll(x, 1)", "np.flipud(x)", "np.pad(x, 1)", "np.isin(x, [1])", "np.fft.fft(x)", "np.fft.fftshift(x)", "np.fft.rfft(x)",
        "np.interp(x, [0, 1], [0, 1])", "np.digitize(x, [1, 2])", "np.searchsorted([1, 2], x)", "np.polyval([1, 2], x)",
        "np.cumsum(x)", "np.cumsum(x, 0)", "np.cumsum(x, axis=None)", "np.cumprod(x, axis=-1)", "np.append(x, x)", "np.append(x, x, axis=0)",
        "np.repeat(x, 2)", "np.repeat(x, 2, axis=0)", "np.insert(x, 0, 1)", "np.insert(x, 0, 1, axis=0)", "np.delete(x, 0)", "np.delete(x, 0, 0)",
        "np.sort(x)", "np.sort(x, axis=None)", "np.sort(x, 0)", "np.argsort(x)", "np.argsort(x, None)", "np.partition(x, 0)", "np.argpartition(x, 0, axis=None)",
        "np.diff(x)", "np.diff(x, 1, 0)", "np.concatenate([x, x])", "np.concatenate((x, x), axis=None)", "np.concatenate((x, x), 0)", "np.stack((x, x))",
        "np.stack([x, x], axis=-1)", "np.hstack((x, x))", "np.vstack((x, x))", "np.vstack([x, x]).T", "np.column_stack((x, x))", "np.dstack((x, x))",
        "np.atleast_1d(x)", "np.atleast_2d(x)", "np.atleast_3d(x)", "np.atleast_2d(x, x)", "np.broadcast_to(x, (2, 2, 3))", "np.reshape(x, -1)", "np.reshape(x, (1, -1))",
        "np.reshape(x, np.shape(x))", "np.diag(x)", "np.expand_dims(x, 0)", "np.expand_dims(x, -1)", "np.expand_dims(x, (0, 1))", "np.nonzero(x)[0]", "np.nonzero(x)",
        "np.array((x, x))", "np.array([x, x])", "np.array([[x, x], [x, x]])", "np.array((1, x))", "np.asarray([x])", "np.array([x], ndmin=4)",
        "(1, 2, 3) + x", "[1, 2, 3] * x", "[(1, 2, 3)] + x", "np.add((1, 2, 3), x)", "np.maximum([[1], [2]], x)",
        "x.cumsum()", "x.cumsum(0)", "x.argsort()", "x.argsort(axis=None)", "x.repeat(2)", "x.repeat(2, 0)", "x.argpartition(0)", "x.nonzero()[0]",
        "np.random.uniform(0, 1, x.shape)", "np.random.permutation(x)",
    ]
    for x in "dsiz"
] + [
    "np.random.uniform(0, 1, 3)", "np.random.uniform(0, 1, (3, 2))", "np.random.uniform(0, 1, size=3)", "np.random.normal(0, 1, i[0])", "np.random.randint(0, 5, [2, 2])",
    "np.random.choice(5, 3)", "np.random.choice(5, size=(2, 2))", "np.random.exponential(1, 3)", "np.random.random((2, 2))", "np.random.random_sample(3)", "np.random.standard_normal(size=(2,))",
    "np.random.default_rng(0).integers(0, 5, size=(2, 3))", "np.random.default_rng(0).random(3)", "np.random.default_rng(0).random()", "np.random.default_rng(0).normal(0, 1, (2, 2))",
    "np.random.default_rng(0).choice(5, 3)", "np.random.default_rng(0).choice([[1, 2], [3, 4]], 2)", "np.random.default_rng(0).beta(1, 2, (3, 1))", "np.random.uniform([0, 1], [1, 2])",
    "np.random.poisson(3, 4)", "np.random.binomial(3, 0.5, 4)", "np.random.gamma(3.0, 2.0, (2, 2))", "np.hstack((1, 2))", "np.concatenate([[1, 2], [3]])", "np.vstack(((1, 2), (3, 4)))",
    "np.bincount([0, 1])", "np.convolve([1, 2], [1, 2])", "np.hanning(4)", "np.roots([1, 2])", "np.vander([1, 2])", "np.tri(3)", "np.linalg.inv([[1, 2], [3, 4]])", "np.fft.fftfreq(4)",
]  # fmt: skip
EXPRESSIONS = [*BINARY, *COMPLEX, *ONE, *TWO, *METHODS, *GIVEN, *RANKED]


@pytest.mark.parametrize("path", cases("arrays"), ids=lambda path: path.stem)
def test_values_are_those_on_the_lines(path: Path) -> None:
    text = path.read_text()
    assert value_answers(text) == answers(text, "#?")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_is_claimed_is_true_in_numpy(expression: str) -> None:
    """A dtype or rank may stay unknown; one that is named has to be NumPy's."""
    index = analyse(case=f"{SETUP}\nr = {expression}\n")
    claimed = index.modules["case"].globals["r"]
    namespace: dict[str, object] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dividing by zero is not what is tested
            exec(f"{SETUP}\nr = {expression}\n", namespace)
    except Exception as error:  # noqa: BLE001  # what NumPy refuses claims nothing
        pytest.skip(f"NumPy raises {type(error).__name__}")
    real = namespace["r"]
    if claimed.is_array:
        assert isinstance(real, np.ndarray | np.generic | bool)
        assert claimed.dtype in (None, np.asarray(real).dtype.name)
        assert claimed.rank in (None, np.ndim(real))
    elif claimed.kind == "scalar":
        assert isinstance(real, int | float | complex | np.generic)
    elif claimed.kind != "unknown":
        assert isinstance(
            real,
            {"list": (list, tuple), "tuple": tuple, "shape": tuple, "dtype": (type, np.dtype), "str": str}[
                claimed.kind
            ],
        )


def test_what_one_module_returns_reaches_another() -> None:
    index = analyse(
        model="import numpy as np\nfrom shapes import square\n\n\ny = square(3)\n",
        shapes="import numpy as np\n\n\ndef square(n):\n    return np.zeros((n, n))\n",
    )
    assert str(index.modules["model"].globals["y"]) == "array float64 2d"


def test_what_one_module_passes_reaches_another() -> None:
    index = analyse(
        a="import numpy as np\n\n\ndef f(x):\n    return x\n",
        b="import numpy as np\nfrom a import f\n\nf(np.zeros(3))\n",
    )
    (function,) = index.modules["a"].functions.values()
    assert function.arguments["x"].is_array


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (array("float64", 2), array("float64", 2), "array float64 2d"),
        (array("float64", 2), array("float32", 2), "array 2d"),
        (array("float64", 2), array("float64", 1), "array float64"),
        (array(), array(sure=False), "array likely"),
        (array("float64"), NONE, "array float64 likely"),
        (array(), SCALAR, "array likely"),
        (array(), UNKNOWN, "array likely"),
        (array(), Value("str"), "unknown"),
        (SCALAR, NONE, "unknown"),
        (SCALAR, Value("str"), "unknown"),
        (Value("list", element=SCALAR), Value("list"), "list"),
    ],
)
def test_join(one: Value, other: Value, expected: str) -> None:
    assert str(join(one, other)) == expected
    assert str(join(other, one)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (array("float64", 2), "array float64 1d"),
        (array("float64", 1), "array float64 0d"),
        (array("float64"), "array float64"),
        (Value("shape"), "scalar"),
        (Value("list", element=array()), "array"),
        (Value("tuple", items=(SCALAR, array())), "array likely"),
        (Value("str"), "str"),
        (UNKNOWN, "unknown"),
    ],
)
def test_element_of(value: Value, expected: str) -> None:
    assert str(element_of(value)) == expected
