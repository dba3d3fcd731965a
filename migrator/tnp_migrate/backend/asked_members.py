"""Members of arrays that are asked for by a text: `getattr(x, "strides")`, `hasattr(x, name)`.

A tensor that lacks the member raises, answers with the default, or says that it is not there, where an array has it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Outcome
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.names_table import member_problem

_ASKING = ("getattr", "hasattr")


def asked_of(site: Site, node: ast.expr) -> ast.expr | None:
    """What a call asks for a member by its name; None where it is no such call."""
    if not isinstance(node, ast.Call) or len(node.args) < 2 or not isinstance(node.func, ast.Name):
        return None
    return node.args[0] if node.func.id in _ASKING and not site.is_bound(node.func) else None


def translate_asked(site: Site, call: ast.Call, *, proven: bool) -> Iterator[Outcome]:
    """Say which members a tensor lacks, of those that a call may ask an array for, or what may be one."""
    span = site.span(call)
    findings = tuple(
        site.finding(code, span, f"`.{name}` of an array: a tensor has no such member", f"numpy.ndarray.{name}")
        for name in _names(site, call.args[1])
        if (proven or name in traits.ONLY_NDARRAYS_HAVE) and (code := member_problem(name)) is not None
    )
    if findings:
        yield Outcome(span, "flagged", (), findings)


def _names(site: Site, node: ast.expr) -> list[str]:
    """The texts that an expression may be: its own, or those that a loop around it goes through."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if not isinstance(node, ast.Name):
        return []
    above: ast.AST | None = site.parent(node)
    while above is not None:
        for loop in getattr(above, "generators", [above]):
            target, items = getattr(loop, "target", None), getattr(loop, "iter", None)
            if (
                isinstance(target, ast.Name)
                and target.id == node.id
                and isinstance(items, ast.Tuple | ast.List | ast.Set)
            ):
                return [one.value for one in items.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        above = site.parent(above)
    return []
