"""Single draws of random numbers: of which generator, how many numbers, and what one of them is.

`rng.normal(0, 1)` gives a float of Python's, `rng.normal(0, 1, 3)` an array, and `rng.normal(0, s)` what `s` says.
"""

from __future__ import annotations

import ast
import math

from tnp_migrate.compiled.host_effects import DRAWS, Obstacle
from tnp_migrate.numpy_facts.random_draws import draws_of
from tnp_migrate.numpy_facts.signatures import Bound, Unbindable, bind_call
from tnp_migrate.numpy_facts.values import UNKNOWN, Value
from tnp_migrate.program.index import Function

FLOATS = frozenset(
    "beta chisquare exponential f gamma gumbel laplace logistic lognormal noncentral_chisquare noncentral_f normal "
    "pareto power rand randn random random_sample ranf rayleigh sample standard_cauchy standard_exponential "
    "standard_gamma standard_normal standard_t triangular uniform vonmises wald weibull".split()
)
INTEGERS = frozenset("binomial geometric hypergeometric logseries negative_binomial poisson randint zipf".split())
OF_NUMPY = frozenset({"integers"})  # which gives numbers of NumPy's
_ARRAYS = frozenset("dirichlet multinomial multivariate_normal".split())
_FEW = 1000  # numbers in a draw that is made for all trips at once
_HAS_AXES = frozenset({"array", "list", "tuple"})


def method_of(call: ast.Call) -> str:
    """The name of what draws."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def generator_of(call: ast.Call) -> str:
    """The text of what is drawn from."""
    return ast.unparse(call.func.value if isinstance(call.func, ast.Attribute) else call.func)


def size_of(call: ast.Call) -> ast.AST | None:
    """What a call says of how many numbers it draws: its `size`, all arguments where they may be that."""
    bound = _bound(call)
    if bound is None or method_of(call) in ("permutation", "choice", "rand", "randn"):
        return ast.Tuple([*call.args, *(one.value for one in call.keywords)], ast.Load())
    return bound.given.get("size")


def kind_of_draw(function: Function, call: ast.Call) -> str | Obstacle:
    """What makes of an item of an array what the call gives: `float`, `int`, nothing for arrays and NumPy's numbers."""
    method, bound = method_of(call), _bound(call)
    qualified = function.module.names.called(call.func, function.module.names.scopes.around(call))
    method = qualified.rpartition(".")[2] if qualified is not None and qualified.startswith("numpy.random.") else method
    if bound is None or "out" in bound.given:
        return Obstacle(call, f"{DRAWS} with `{method}`", "draw them before the loop")
    values = [_value(function, one) for name, one in bound.given.items() if name != "size"]
    if method in ("rand", "randn"):
        return "" if bound.variadic else "float"
    if method == "permutation":
        return "" if values and values[0].kind in ("scalar", *_HAS_AXES) else _unknown(call)
    size = bound.given.get("size")
    is_sized = size is not None and _value(function, size).kind != "none"
    if method in _ARRAYS or (is_sized and method in FLOATS | INTEGERS | OF_NUMPY | {"choice"}):
        return "" if not _may_be_none(function, size) else _unknown(call)
    if method == "choice":
        chosen = _value(function, bound.given["a"]) if "a" in bound.given else UNKNOWN
        return "int" if chosen.kind == "scalar" else "" if chosen.is_array and chosen.sure else _unknown(call)
    if method not in FLOATS | INTEGERS | OF_NUMPY:
        return Obstacle(call, f"{DRAWS} with `{method}`", "draw positions instead, as `permutation(n)` does")
    kinds = {one.kind for one in values}
    if kinds <= {"scalar"} and "dtype" not in bound.given:
        return "float" if method in FLOATS else "int" if method in INTEGERS else ""
    return "" if kinds & _HAS_AXES and all(one.sure for one in values) else _unknown(call)


def arguments_at_once(
    function: Function, call: ast.Call, counts: list[str]
) -> list[ast.expr | ast.keyword | str] | None:
    """The arguments with which a call draws at once what `counts` calls draw one after the other.

    NumPy fills an array number by number, so it draws the same. None where parameters are arrays, and where a draw is
    large or of unknown size: all of them at once may take too much memory, and gain nothing.
    """
    kind, bound, method = kind_of_draw(function, call), _bound(call), method_of(call)
    if bound is None or isinstance(kind, Obstacle) or method not in FLOATS | INTEGERS | OF_NUMPY:
        return None
    size = bound.given.get("size")
    given = [one for name, one in bound.given.items() if name != "size"]
    if any(_value(function, one).kind != "scalar" for one in given) or {"dtype", "method"} & {*bound.given}:
        return None
    if method in ("rand", "randn"):
        few = _few([*call.args])
        return [*counts, *few] if few is not None else None
    each = size.elts if isinstance(size, ast.Tuple) else [size] if size is not None else []
    few = _few(each)
    if few is None:
        return None
    shape = f"({', '.join([*counts, *few])})" if len(counts) + len(few) > 1 else counts[0]
    placed = [one for one in call.args if one is not size]
    return [*placed, *(one for one in call.keywords if one.value is not size), f"size={shape}"]


def _few(sizes: list[ast.expr]) -> list[str] | None:
    """Sizes as they are written, where they are numbers whose product is small."""
    known = [one.value for one in sizes if isinstance(one, ast.Constant) and type(one.value) is int]
    return [*map(str, known)] if len(known) == len(sizes) and math.prod(known) <= _FEW else None


def _unknown(call: ast.Call) -> Obstacle:
    return Obstacle(call, f"{DRAWS}, one or an array of them (`{ast.unparse(call)}`)", "give it a `size`")


def _bound(call: ast.Call) -> Bound | None:
    """The arguments of a draw; None for what is no method of a generator, or called with a star."""
    method = method_of(call)
    for owner in ("Generator", "RandomState"):
        draw = draws_of(owner).get({"ranf": "random_sample", "sample": "random_sample"}.get(method, method))
        if draw is not None:
            try:
                return bind_call(call, draw.signature)
            except Unbindable:
                continue
    return None


def _value(function: Function, node: ast.expr) -> Value:
    return function.module.value(node) or UNKNOWN


def _may_be_none(function: Function, size: ast.expr | None) -> bool:
    """Whether a size is a parameter that is None where it is not given."""
    if not isinstance(size, ast.Name) or size.id not in function.parameters:
        return False
    arguments = function.node.args
    named = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(named), reversed(arguments.defaults), strict=False)]
    pairs += [(one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value]
    return any(one.arg == size.id and isinstance(value, ast.Constant) and value.value is None for one, value in pairs)
