"""How many axes NumPy's results have, where the text decides."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Literal

from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import Value, element_of

Rank = int | None
Rule = Callable[[ast.Call, Sequence[Value]], Rank]

_NO_AXIS_FIRST = frozenset("trace percentile quantile norm".split())  # reductions that take something else first
# Where the size of what is drawn stands among the arguments.
SIZE_AT = {
    "uniform": 2, "normal": 2, "randint": 2, "integers": 2, "binomial": 2, "beta": 2, "gamma": 2, "lognormal": 2,
    "laplace": 2, "choice": 1, "exponential": 1, "poisson": 1, "chisquare": 1, "random": 0, "random_sample": 0,
    "standard_normal": 0,
}  # fmt: skip


def rank_of(name: str, call: ast.Call, values: Sequence[Value]) -> Rank:
    """Give the rank of what a function of NumPy's returns, `values` being those of the positional arguments."""
    rule = _RULES.get(name)
    return rule(call, values) if rule is not None and not _is_open(call) else None


def method_rank(name: str, call: ast.Call, receiver: Value) -> Rank:
    """Give the rank of what an array's method returns."""
    if name == "reshape":
        return reshape_rank(call.args)
    if name in traits.SHAPE_KEEPING or name in ("transpose", "swapaxes", "byteswap"):
        return receiver.rank
    if name in ("ravel", "flatten"):
        return 1
    rule = _METHODS.get(name)
    given = ast.Call(call.func, [call.func, *call.args], call.keywords)
    return rule(given, [receiver]) if rule is not None and not _is_open(call) else None


def random_rank(name: str, call: ast.Call, values: Sequence[Value]) -> Rank:
    """Give the rank of what a method of a generator, or a function of `numpy.random`, draws; 0 for one number."""
    if _is_open(call):
        return None
    if name in ("rand", "randn"):
        return len(call.args)
    at = SIZE_AT.get(name)
    size = _argument(call, at if at is not None else len(call.args), "size")
    if size is None or at is None or (name == "choice" and not _has_numbers(values)):
        return None
    value = values[at] if at < len(values) and at < len(call.args) and call.args[at] is size else None
    return shape_rank(size, value)


def shape_rank(shape: ast.expr | None, value: Value | None) -> Rank:
    """Give how many axes an array of a shape has, which is an expression with a value, if that is known."""
    if isinstance(shape, ast.Tuple | ast.List):
        return None if any(isinstance(one, ast.Starred) for one in shape.elts) else len(shape.elts)
    if isinstance(shape, ast.Constant) and isinstance(shape.value, int):
        return 1
    return 1 if value is not None and value.kind == "scalar" else None


def rank_of_shape(call: ast.Call, values: Sequence[Value]) -> Rank:
    """Give the rank of what is made of the shape that a call is given first."""
    shape = call.args[0] if call.args else next((word.value for word in call.keywords if word.arg == "shape"), None)
    return shape_rank(shape, values[0] if values and call.args else None)


def broadcast_rank(nodes: Sequence[ast.expr], values: Sequence[Value]) -> Rank:
    """Give the rank of an elementwise operation, where the ranks of all operands are known."""
    ranks = [operand_rank(node, value) for node, value in zip(nodes, values, strict=False)]
    return None if None in ranks else max((rank for rank in ranks if rank is not None), default=None)


def reduced_rank(name: str, call: ast.Call, rank: Rank, others: Sequence[ast.expr]) -> Rank:
    """Give how many axes a reduction leaves of as many; `others` are given to it by position, the axis first."""
    given = {word.arg: word.value for word in call.keywords} | dict(zip(["axis"], others, strict=False))
    not_axes = len(others) > (name not in _NO_AXIS_FIRST) or any(isinstance(one, ast.Starred) for one in call.args)
    if not_axes or not given.keys().isdisjoint((None, "keepdims", "q")):
        return None
    if "axis" not in given:
        return 0 if name != "trace" or rank == 2 else None
    axis = given["axis"].operand if isinstance(given["axis"], ast.UnaryOp) else given["axis"]
    number = isinstance(axis, ast.Constant) and type(axis.value) is int
    return rank - 1 if number and rank else None


def product_rank(values: Sequence[Value]) -> Rank:
    """Give the rank of a matrix product."""
    ranks = [value.rank for value in values[:2] if value.is_array]
    table = {(1, 1): 0, (2, 2): 2, (2, 1): 1, (1, 2): 1}
    return table.get((ranks[0], ranks[1])) if len(ranks) == 2 and None not in ranks else None  # type: ignore[arg-type]


def reshape_rank(arguments: list[ast.expr]) -> Rank:
    """Give the rank of `x.reshape(...)`."""
    if len(arguments) == 1 and isinstance(arguments[0], ast.Tuple):
        arguments = arguments[0].elts
    if len(arguments) == 1 and not isinstance(arguments[0], ast.Constant | ast.UnaryOp):
        return None
    return None if any(isinstance(one, ast.Starred) for one in arguments) else len(arguments) or None


def _is_open(call: ast.Call) -> bool:
    """Whether a call has arguments that cannot be told apart."""
    return any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords)


def _has_numbers(values: Sequence[Value]) -> bool:
    """Whether what is chosen from has numbers, and no rows."""
    return bool(values) and as_array_rank(values[0]) in (0, 1)


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    by_name = next((word.value for word in call.keywords if word.arg == name), None)
    return by_name if by_name is not None or position >= len(call.args) else call.args[position]


def as_array_rank(value: Value) -> Rank:
    """Give the rank of the array that NumPy makes of an operand: of a list one more than of what is in it."""
    if value.is_array:
        return value.rank
    if value.kind in ("scalar", "shape"):
        return int(value.kind == "shape")
    if value.kind not in ("list", "tuple"):
        return None
    inner = {as_array_rank(one) for one in value.items or (element_of(value),)}
    rank = inner.pop()
    return rank + 1 if rank is not None and not inner else None


def operand_rank(node: ast.expr, value: Value) -> Rank:
    """Give the rank of an operand; a variable's list or tuple says nothing, for a caller may pass another."""
    written = isinstance(node, ast.List | ast.Tuple) or value.kind not in ("list", "tuple")
    return as_array_rank(value) if written else None


def _fixed(rank: int) -> Rule:
    return lambda *_: rank


def _like(position: int = 0) -> Rule:
    """As many axes as an argument has, which may be a list."""
    return lambda call, values: operand_rank(call.args[position], values[position]) if position < len(values) else None


def _along(position: int, default: Literal["flat", "last"]) -> Rule:
    """As many axes as the array has, along an axis; of all elements in one row without."""

    def rule(call: ast.Call, values: Sequence[Value]) -> Rank:
        axis = _argument(call, position, "axis")
        if isinstance(axis, ast.Constant) and axis.value is None:
            return 1
        rank = _like()(call, values) if axis is None or isinstance(axis, ast.UnaryOp | ast.Constant) else None
        return 1 if axis is None and default == "flat" else max(rank, 1) if rank is not None else None

    return rule


def _joined(change: Callable[[int], int]) -> Rule:
    """Of arrays in a list or tuple, which all have as many axes, or are given them."""

    def rule(call: ast.Call, values: Sequence[Value]) -> Rank:
        axis = _argument(call, 1, "axis")
        if not values or (isinstance(axis, ast.Constant) and axis.value is None):
            return 1 if values else None
        parts = values[0].items if values[0].kind == "tuple" else (element_of(values[0]),)
        ranks = [as_array_rank(one) for one in parts or ()] if values[0].kind in ("tuple", "list") else []
        return next((change(rank) for rank in ranks if rank is not None), None)

    return rule


def _alone(rank: int) -> Rule:
    """A rank that holds where nothing but the arrays is given: `return_index=True` makes it a tuple."""
    return lambda call, _: None if call.keywords else rank


def _diagonal(call: ast.Call, values: Sequence[Value]) -> Rank:
    rank = _like()(call, values)
    return None if rank is None else {1: 2, 2: 1}.get(rank)


def _at_least(least: int) -> Rule:
    def rule(call: ast.Call, values: Sequence[Value]) -> Rank:
        rank = _like()(call, values)
        return None if rank is None or len(call.args) != 1 else max(rank, least)

    return rule


def _of_shape(position: int) -> Rule:
    """Of the shape that is given, which is a number of elements if it is a number."""

    def rule(call: ast.Call, values: Sequence[Value]) -> Rank:
        shape = _argument(call, position, "shape")
        return shape_rank(shape, values[position] if position < len(values) else None)

    return rule


def _more(call: ast.Call, values: Sequence[Value]) -> Rank:
    """`expand_dims` with one axis."""
    axis, rank = _argument(call, 1, "axis"), _like()(call, values)
    number = isinstance(axis, ast.UnaryOp) or (isinstance(axis, ast.Constant) and type(axis.value) is int)
    return rank + 1 if rank is not None and number else None


def _table(names: str, rule: Rule) -> dict[str, Rule]:
    return {f"numpy.{name}": rule for name in names.split()}


_RULES: dict[str, Rule] = {
    **_table("flatnonzero bincount convolve correlate ravel roots hanning hamming blackman bartlett kaiser", _fixed(1)),
    **_table("fft.fftfreq fft.rfftfreq fromiter", _fixed(1)),
    **_table("argwhere outer diagflat vander tri", _fixed(2)),
    **_table("unique union1d intersect1d setdiff1d setxor1d", _alone(1)),
    **_table("roll flipud fliplr pad linalg.inv linalg.pinv linalg.cholesky linalg.matrix_power isin in1d", _like()),
    **_table("fft.fft fft.ifft fft.rfft fft.irfft fft.fftn fft.ifftn fft.fft2 fft.ifft2 fft.fftshift", _like()),
    **_table("fft.ifftshift interp digitize", _like()),
    **_table("searchsorted polyval", _like(1)),
    **_table("cumsum cumprod nancumsum nancumprod", _along(1, "flat")),
    **_table("append repeat delete", _along(2, "flat")),
    **_table("insert", _along(3, "flat")),
    **_table("sort argsort", _along(1, "last")),
    **_table("partition argpartition", _along(2, "last")),
    **_table("diff", _along(2, "last")),
    **_table("concatenate", _joined(lambda rank: rank)),
    **_table("stack", _joined(lambda rank: rank + 1)),
    **_table("hstack", _joined(lambda rank: max(rank, 1))),
    **_table("vstack column_stack row_stack", _joined(lambda rank: max(rank, 2))),
    **_table("dstack", _joined(lambda rank: max(rank, 3))),
    **_table("atleast_1d", _at_least(1)),
    **_table("atleast_2d", _at_least(2)),
    **_table("atleast_3d", _at_least(3)),
    **_table("broadcast_to reshape", _of_shape(1)),
    **_table("diag", _diagonal),
    **_table("expand_dims", _more),
}
_METHODS: dict[str, Rule] = {
    name: _RULES[f"numpy.{name}"] for name in ("cumsum", "cumprod", "repeat", "argsort", "argpartition")
}


def rank_of_sizes(sizes: list[Value]) -> int | None:
    """How many dimensions a shape has, given as numbers or as one tuple of them."""
    if len(sizes) == 1 and sizes[0].kind != "scalar":
        return len(sizes[0].items) if sizes[0].items else None
    return len(sizes) or None
