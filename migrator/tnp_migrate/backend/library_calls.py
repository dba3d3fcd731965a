"""Where ndarrays and plain numbers are asked for: calls of libraries, and what is stored in their objects.

Input `argrelextrema(y, np.less)`, output `argrelextrema(tnh.to_numpy(y), np.less)`; input `Counter(v for v in x)`,
output `Counter(tnh.to_numpy(v) for v in tnh.unstacked(x))`; NumPy itself asks `__array__`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.numpy_facts.libraries import (
    ARRAY_CALLS,
    CHOICES,
    LIBRARIES,
    PLAIN_CALLS,
    PLAIN_WORDS,
    READERS,
    Library,
)
from tnp_migrate.numpy_facts.values import Value
from tnp_migrate.program.array_use import takes_arrays
from tnp_migrate.program.called_libraries import library_called

_NEVER_TENSORS = (ast.Constant, ast.Lambda, ast.JoinedStr, ast.Starred)


def translate_neighbours(site: Site) -> Iterator[Extra]:
    """Give ndarrays to every such place outside islands."""
    yield from _array_methods(site)
    for node in site.module.values:
        if isinstance(node, ast.Call) and not site.is_settled(node):
            yield from _call(site, node)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not site.is_settled(node):
            yield from _taken(site, node)
    for node in site.module.names.scopes.parent:
        if isinstance(node, ast.Assign) and not site.is_settled(node):
            yield from _stored(site, node)


def _call(site: Site, node: ast.Call) -> Iterator[Extra]:
    library = _library(site, node)
    if library is None:
        return
    last = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if last in ARRAY_CALLS:
        library = Library("ndarrays")
    certain = last not in ARRAY_CALLS and (site.qualified(node.func) is None or last.startswith(READERS))
    certain = certain or not _may_see_arrays(site)
    for position, one in enumerate(node.args):
        if library.takes != "array-likes" or last in PLAIN_CALLS:
            yield from _converted(site, one, library, sure=certain or (library.takes == "data" and position > 0))
    for word in node.keywords:
        if word.arg is not None and (library.takes != "array-likes" or last in PLAIN_CALLS or word.arg in PLAIN_WORDS):
            yield from _converted(
                site, word.value, library, sure=certain or library.takes == "data" or word.arg in CHOICES
            )


def _may_see_arrays(site: Site) -> bool:
    """Whether what nothing is known of may be an array: another file passes it, or this one has to do with arrays."""
    return len(site.index.modules) > 1 or bool(site.module.names.references) or takes_arrays(site.source.data)


def _library(site: Site, node: ast.Call) -> Library | None:
    """How what a call is of takes arrays: as the user declares it, or as its library does."""
    declared = site.module.names.declared(node.func, site.module.names.scopes.around(node))
    return LIBRARIES.get(library_called(site.index, site.module, node) or "") if declared is None else declared.library


def _taken(site: Site, node: ast.Subscript) -> Iterator[Extra]:
    """A mask or positions by which rows are taken of such an object."""
    library = LIBRARIES.get(site.value(node.value).library or "")
    if library is not None and library.takes != "array-likes":
        yield from _index(site, node.slice, library)


def _index(site: Site, node: ast.expr, library: Library) -> Iterator[Extra]:
    for one in node.elts if isinstance(node, ast.Tuple) else [node]:
        yield from _converted(site, one, library, sure=True)


def _stored(site: Site, node: ast.Assign) -> Iterator[Extra]:
    """What becomes a column, or the like, of an object of such a library."""
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            library = LIBRARIES.get(site.value(target.value).library or "")
            if library is not None and library.takes != "array-likes":
                yield from _converted(site, node.value, library, sure=True)
                yield from _index(site, target.slice, library)


def _converted(site: Site, node: ast.expr, library: Library, *, sure: bool) -> Iterator[Extra]:
    """Convert an argument; `sure` asks for evidence that it is a tensor, or holds one."""
    if isinstance(node, ast.GeneratorExp):
        yield from _converted(site, node.elt, library, sure=True)
    elif sure or library.takes not in ("ndarrays", "data"):
        if holds_tensors(site, node):
            yield _as_ndarray(site, node)
    elif may_hold_tensors(site, node):
        yield _as_ndarray(site, node)


def _array_methods(site: Site) -> Iterator[Extra]:
    """`__array__` has to return an ndarray."""
    for function in site.module.functions.values():
        if function.owner is None or function.node.name != "__array__" or site.is_settled(function.node.body[0]):
            continue
        for node in function.nodes:
            if isinstance(node, ast.Return) and node.value is not None and may_hold_tensors(site, node.value):
                yield _as_ndarray(site, node.value)


def _as_ndarray(site: Site, node: ast.expr) -> Extra:
    return Extra((wrap(site.span(node), f"{site.helper('to_numpy')}("),), (), frozenset({"to_numpy"}))


def is_neighbour(site: Site, call: ast.AST | None) -> bool:
    """Whether a call is one of a function, class or object's method of a library that takes ndarrays."""
    library = _library(site, call) if isinstance(call, ast.Call) else None
    return library is not None and library.takes == "ndarrays"


def _is_converted(site: Site, node: ast.expr) -> bool:
    return site.source.text(site.span(node)).startswith(f"{site.helper('to_numpy')}(")


def holds_tensors(site: Site, node: ast.expr) -> bool:
    """Whether there is evidence of an array in an argument: itself, or in tuples, lists and dicts."""
    if isinstance(node, _NEVER_TENSORS) or _is_converted(site, node):
        return False
    inside: list[ast.expr] = []
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        inside = node.elts
    elif isinstance(node, ast.Dict):
        inside = [*filter(None, node.keys), *node.values]
    elif isinstance(node, ast.ListComp | ast.SetComp):
        inside = [node.elt]
    return _has_array(site.value(node)) or any(holds_tensors(site, _starred(one)) for one in inside)


def _starred(node: ast.expr) -> ast.expr:
    """What a star takes apart in a display; else the item itself."""
    return node.value if isinstance(node, ast.Starred) else node


def _has_array(value: Value) -> bool:
    inside = [*(value.items or ()), *([value.element] if value.element is not None else [])]
    return value.is_array or (value.kind in ("list", "tuple", "dict", "set") and any(map(_has_array, inside)))


def may_hold_tensors(site: Site, node: ast.expr) -> bool:
    """Whether an argument may be a tensor or hold one: whatever is not known to be something else."""
    if isinstance(node, _NEVER_TENSORS) or _is_converted(site, node):
        return False
    value = site.value(node)
    if isinstance(node, ast.List | ast.Tuple | ast.ListComp | ast.Dict):
        inside = (
            [node.elt] if isinstance(node, ast.ListComp) else node.values if isinstance(node, ast.Dict) else node.elts
        )
        return any(may_hold_tensors(site, _starred(one)) for one in inside)
    if value.kind in ("list", "tuple", "dict", "set") and (value.element is not None or value.items):
        return any(one.kind == "unknown" or _has_array(one) for one in (value.items or (value.element,)) if one)
    if value.kind in ("unknown", "list", "tuple", "dict"):
        return value.library is None and not _is_known_name(site, node)
    return value.is_array


def _is_known_name(site: Site, node: ast.expr) -> bool:
    """Whether a name stands for something imported, a NumPy function passed on among them, or for a dtype."""
    if isinstance(node, ast.Attribute) and node.attr == "dtype":
        return True
    return site.qualified(node) is not None
