"""Where ndarrays are asked for: calls of libraries whose functions take what a tensor lacks, such as `x.take`.

Input `argrelextrema(y, np.less)`, output `argrelextrema(tnh.to_numpy(y), np.less)`; NumPy itself asks `__array__`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.numpy_facts.values import element_of
from tnp_migrate.program.nodes import walk

_LIBRARIES = frozenset(
    "scipy sklearn skimage statsmodels pandas cv2 PIL pywt networkx h5py numba numexpr shapely".split()
)
_NEVER_TENSORS = (ast.Constant, ast.Lambda, ast.JoinedStr, ast.Starred)


def translate_neighbours(site: Site) -> Iterator[Extra]:
    """Give ndarrays to every such place outside islands."""
    yield from _array_methods(site)
    if _LIBRARIES.isdisjoint(_roots(site)):
        return
    for node in site.module.values:
        if not isinstance(node, ast.Call) or not is_neighbour(site, node) or site.is_settled(node):
            continue
        for argument in [*node.args, *(word.value for word in node.keywords if word.arg is not None)]:
            if _may_hold_tensors(site, argument):
                yield _as_ndarray(site, argument)


def _array_methods(site: Site) -> Iterator[Extra]:
    """`__array__` has to return an ndarray."""
    for function in site.module.functions.values():
        if function.owner is None or function.node.name != "__array__" or site.is_settled(function.node.body[0]):
            continue
        for node in walk(function.node):
            if isinstance(node, ast.Return) and node.value is not None and _may_hold_tensors(site, node.value):
                yield _as_ndarray(site, node.value)


def _as_ndarray(site: Site, node: ast.expr) -> Extra:
    return Extra((wrap(site.span(node), f"{site.helper('to_numpy')}("),), (), frozenset({"to_numpy"}))


def is_neighbour(site: Site, call: ast.AST | None) -> bool:
    """Whether a call is one of a function or class of such a library."""
    if not isinstance(call, ast.Call):
        return False
    root = (site.qualified(call.func) or "").partition(".")[0]
    return root in _LIBRARIES and not any(name.partition(".")[0] == root for name in site.index.modules)


def _roots(site: Site) -> set[str]:
    """The packages that the file imports from anywhere."""
    found = set()
    for node in walk(site.source.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def _may_hold_tensors(site: Site, node: ast.expr) -> bool:
    if isinstance(node, _NEVER_TENSORS) or site.source.text(site.span(node)).startswith(f"{site.helper('to_numpy')}("):
        return False
    value = site.value(node)
    if value.kind in ("list", "tuple", "dict"):
        value = element_of(value)
    if value.kind == "unknown":
        return not _is_known_name(site, node)
    return value.is_array


def _is_known_name(site: Site, node: ast.expr) -> bool:
    """Whether a name stands for something imported, a NumPy function passed on among them, or for a dtype."""
    if isinstance(node, ast.Attribute) and node.attr == "dtype":
        return True
    return site.qualified(node) is not None
