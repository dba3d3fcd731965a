"""What the helper module's generators can draw, read from the rules as text: methods and their parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.numpy_facts.signatures import Parameter, Signature

RANDOM_MAKERS = frozenset({"default_rng", "Generator", "RandomState"})
# What a generator is seeded from: it stays NumPy's.
SEED_MATERIAL = frozenset("BitGenerator MT19937 PCG64 PCG64DXSM Philox SFC64 SeedSequence".split())
_HOST = "HostDraws"  # the class whose methods NumPy draws
# Parameters of NumPy's that the methods here do not take, by class and method.
LACKING: dict[str, dict[str, tuple[str, ...]]] = {
    "Generator": {
        "choice": ("shuffle",),
        "multivariate_hypergeometric": ("method",),
        "multivariate_normal": ("check_valid", "tol"),
        "permuted": ("out",),
        "random": ("out",),
        "standard_exponential": ("method", "out"),
        "standard_gamma": ("out",),
        "standard_normal": ("out",),
    },
    "RandomState": {"get_state": ("legacy",), "multivariate_normal": ("check_valid", "tol")},
}


@dataclass(frozen=True)
class Draw:
    """A method of a generator of the helper module; `on_host` where NumPy draws for it."""

    signature: Signature
    on_host: bool


@cache
def draws_of(owner: str) -> Mapping[str, Draw]:
    """The methods of `Generator` or `RandomState` as the helper module has them, inherited ones with them."""
    found: dict[str, Draw] = {}
    node = read_rulebook().definitions[owner].node
    assert isinstance(node, ast.ClassDef)
    for base in node.bases:
        if isinstance(base, ast.Name):
            found |= draws_of(base.id)
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and not statement.name.startswith("_"):
            found[statement.name] = Draw(tuple(_parameters(statement.args)), owner == _HOST)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name):
            names = [one.id for one in statement.targets if isinstance(one, ast.Name)]
            found.update(dict.fromkeys(names, found[statement.value.id]))
    return found


def _parameters(arguments: ast.arguments) -> Iterator[Parameter]:
    named = arguments.args[1:]
    defaults = [None] * (len(named) - len(arguments.defaults)) + [ast.unparse(one) for one in arguments.defaults]
    for argument, default in zip(named, defaults, strict=True):
        yield Parameter(argument.arg, "normal", default)
    if arguments.vararg is not None:
        yield Parameter(arguments.vararg.arg, "variadic", None)
    for argument, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield Parameter(argument.arg, "keyword", ast.unparse(given) if given is not None else None)


def drawn_by(name: str) -> str | None:
    """Name what draws for a name of numpy.random in the helper module; None for what stays NumPy's.

    `numpy.random.normal` is `random.normal` there, `numpy.random.default_rng` and the classes have their own names.
    """
    bare = name.removeprefix("numpy.random.")
    if bare in RANDOM_MAKERS:
        return bare
    if bare == "_rand":
        return "random"
    draw = draws_of("RandomState").get(bare)
    return f"random.{bare}" if draw is not None and not draw.on_host else None
