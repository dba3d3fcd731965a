"""Functions that data frames call: they compute with NumPy, and what they give back goes into a column.

Input `df.p.apply(lambda v: np.exp(-v))`, output `df.p.apply(lambda v: tnh.to_numpy(tnp.exp(-v)))`. What is written
`df.p.apply(np.sqrt)` stays. A column of tensors would be one of objects.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Extra

# Methods of data frames, columns, groups and windows that call a function; the latter only where pandas is imported.
_APPLYING = frozenset("apply applymap agg aggregate transform".split())
_COMMON = frozenset("map pipe pivot_table resample reduce filter assign combine".split())
_FRAMES = frozenset("pandas polars xarray dask modin geopandas cudf".split())


def calls_back(site: Site, node: ast.AST) -> bool:
    """Whether a function is given to such a method, by itself, in a list or in a dict."""
    above = site.parent(node)
    while isinstance(above, ast.List | ast.Tuple | ast.Dict | ast.keyword):
        node, above = above, site.parent(above)
    if not isinstance(above, ast.Call) or above.func is node or not isinstance(above.func, ast.Attribute):
        return False
    if site.qualified(above.func) is not None or site.value(above.func.value).kind not in ("unknown", "list"):
        return False
    name = above.func.attr
    return name in _APPLYING or (name in _COMMON and site.module.names.reaches(_FRAMES))


def translate_callbacks(site: Site) -> Iterator[Extra]:
    """Take to NumPy what a lambda, or a function of the project, gives back to such a method."""
    for uses in site.module.names.scopes.uses.values():
        for named in (use.node for use in uses if site.value(use.node).kind == "function"):
            if calls_back(site, named) and not site.is_settled(named):
                text = f"{site.helper('giving_numpy')}("
                yield Extra((wrap(site.span(named), text),), (), frozenset({"giving_numpy"}))
    for node in site.module.names.scopes.of:
        if (
            isinstance(node, ast.Lambda)
            and site.value(node.body).kind in ("array", "unknown")
            and calls_back(site, node)
        ):
            if site.is_settled(node) or not _computes(site, node):
                continue
            yield Extra((wrap(site.span(node.body), f"{site.helper('to_numpy')}("),), (), frozenset({"to_numpy"}))


def _computes(site: Site, node: ast.Lambda) -> bool:
    """Whether the function names NumPy or calls one of the project's own."""
    inside = [one for one in ast.walk(node.body) if isinstance(one, ast.Call | ast.Name | ast.Attribute)]
    return site.value(node.body).is_array or any(
        (site.qualified(one) or "").startswith("numpy.")
        or (isinstance(one, ast.Call) and site.value(one.func).kind == "function")
        for one in inside
    )
