"""Single draws of random numbers: of which generator, how many numbers, and what one of them is.

`rng.normal(0, 1)` gives a float of Python's, `rng.normal(0, 1, 3)` an array, and `rng.normal(0, s)` what `s` says.
"""

from __future__ import annotations

import ast

from tnp_migrate.compiled.host_effects import DRAWS, Obstacle
from tnp_migrate.numpy_facts.random_draws import draws_of
from tnp_migrate.numpy_facts.signatures import Bound, Unbindable, bind_call
from tnp_migrate.numpy_facts.values import UNKNOWN, Value
from tnp_migrate.program.index import Function

_FLOATS = frozenset(
    "beta chisquare exponential f gamma gumbel laplace logistic lognormal noncentral_chisquare noncentral_f normal "
    "pareto power rand randn random random_sample ranf rayleigh sample standard_cauchy standard_exponential "
    "standard_gamma standard_normal standard_t triangular uniform vonmises wald weibull".split()
)
_INTEGERS = frozenset("binomial geometric hypergeometric logseries negative_binomial poisson randint zipf".split())
_OF_NUMPY = frozenset({"integers"})  # which gives numbers of NumPy's
_ARRAYS = frozenset("dirichlet multinomial multivariate_normal".split())
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
    if method in _ARRAYS or (is_sized and method in _FLOATS | _INTEGERS | _OF_NUMPY | {"choice"}):
        return "" if not _may_be_none(function, size) else _unknown(call)
    if method == "choice":
        chosen = _value(function, bound.given["a"]) if "a" in bound.given else UNKNOWN
        return "int" if chosen.kind == "scalar" else "" if chosen.is_array and chosen.sure else _unknown(call)
    if method not in _FLOATS | _INTEGERS | _OF_NUMPY:
        return Obstacle(call, f"{DRAWS} with `{method}`", "draw positions instead, as `permutation(n)` does")
    kinds = {one.kind for one in values}
    if kinds <= {"scalar"} and "dtype" not in bound.given:
        return "float" if method in _FLOATS else "int" if method in _INTEGERS else ""
    return "" if kinds & _HAS_AXES and all(one.sure for one in values) else _unknown(call)


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
