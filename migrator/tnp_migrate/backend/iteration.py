"""Arrays that are gone through: a tensor slices itself anew for each item, a thousand times slower than all at once.

Input `for row in table:` and `x, y = point`, output `for row in tnh.unstacked(table):` and
`x, y = tnh.unstacked(point)`. Under `tf.function` a tensor gives its items in a `for` statement alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.numpy_facts.values import HOST_DTYPES

_GOES_THROUGH = frozenset({"zip", "enumerate", "map"})
HELPER = "unstacked"


def translate_iteration(site: Site) -> Iterator[Extra]:
    """Unstack every array that is gone through outside islands, also where the translation only takes it for one."""
    scopes = site.module.names.scopes
    for node in scopes.parent:
        for one in _gone_through(site, node):
            value = site.value(one)
            if not value.is_array or value.rank == 0 or value.dtype in HOST_DTYPES:
                continue
            if not site.is_settled(one):
                yield Extra((wrap(site.span(one), f"{site.helper(HELPER)}("),), (), frozenset({HELPER}))


def _gone_through(site: Site, node: ast.AST) -> list[ast.expr]:
    """The expressions whose items a node takes one by one."""
    if isinstance(node, ast.For | ast.comprehension):
        return [node.iter]
    if isinstance(node, ast.Assign):
        return [node.value] if all(isinstance(one, ast.Tuple | ast.List) for one in node.targets) else []
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in _GOES_THROUGH:
            return [] if site.is_bound(node.func) else node.args
        return [one.value for one in node.args if isinstance(one, ast.Starred)]
    return []
