"""`pytest.mark.parametrize`: it runs a test with the values that it is given, and nothing of those values."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tnp_migrate.program.names import Names
from tnp_migrate.program.nodes import text_in
from tnp_migrate.program.scopes import Scope

PARAMETRIZE = "pytest.mark.parametrize"
_VALUES = 2  # at most, by position: the names and the values; what comes after them goes to fixtures, or makes texts


@dataclass(frozen=True)
class Parametrized:
    """The parameters of a test that get values, and the expression of these: of each run one, or a tuple of them."""

    names: list[str]
    values: ast.expr
    in_tuples: bool


def parametrized(names: Names, decorator: ast.expr, scope: Scope) -> Parametrized | None:
    """What a decorator gives a test; None for any other, for names that are not written out, and values of fixtures."""
    if not isinstance(decorator, ast.Call) or names.of(decorator.func, scope) != PARAMETRIZE:
        return None
    given = {word.arg: word.value for word in decorator.keywords}
    given |= dict(zip(("argnames", "argvalues"), decorator.args, strict=False))
    named, values = given.get("argnames"), given.get("argvalues")
    if named is None or values is None or "indirect" in given or len(decorator.args) > _VALUES:
        return None
    parts = named.elts if isinstance(named, (ast.List, ast.Tuple)) else [named]
    texts = [text_in(one) for one in parts]
    found = [name.strip() for text in texts if text is not None for name in text.split(",") if name.strip()]
    if None in texts or not found:
        return None
    return Parametrized(found, values, in_tuples=len(found) > 1 or isinstance(named, (ast.List, ast.Tuple)))
