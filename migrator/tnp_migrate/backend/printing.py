"""What is printed, written into texts or hashed shows what NumPy shows: arrays go through NumPy there.

Input `print("best", {"loss": loss})`, output `print("best", tnh.to_numpy({"loss": loss}))`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.numpy_facts.values import Value


def as_numpy(site: Site, nodes: Iterable[ast.expr]) -> Iterator[Extra]:
    """Take what is an array, or a container of them, to NumPy; dtypes too, which write themselves otherwise."""
    for node in nodes:
        value = site.value(node)
        if isinstance(node, ast.Attribute) and node.attr == "dtype" and value.kind in ("dtype", "unknown"):
            yield Extra((wrap(site.span(node), f"{site.helper('numpy_dtype')}("),), (), frozenset({"numpy_dtype"}))
        elif isinstance(node, ast.GeneratorExp):
            yield from as_numpy(site, [node.elt])
        elif isinstance(node, ast.Starred):
            yield from as_numpy(site, [node.value])
        elif holds_array(value):
            yield Extra((wrap(site.span(node), f"{site.helper('to_numpy')}("),), (), frozenset({"to_numpy"}))


def holds_array(value: Value, depth: int = 4) -> bool:
    """Whether a value is an array or a container that has one, a few levels deep."""
    inside = [*(value.items or ()), *([value.element] if value.element else [])]
    return value.is_array or (depth > 0 and any(holds_array(one, depth - 1) for one in inside))


def translate_formatted(site: Site, node: ast.JoinedStr) -> Iterator[Extra]:
    """`f"{x}"` formats a tensor as NumPy does; `f"{x!r}"`, a dtype and what is in a container it writes its own way."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = site.value(part.value)
            is_dtype = isinstance(part.value, ast.Attribute) and part.value.attr == "dtype"
            needed = is_dtype or part.conversion != -1 or not value.is_array
            if needed and site.source.text(site.span(part.value)) == ast.unparse(part.value):
                yield from as_numpy(site, [part.value])  # before Python 3.12 places inside f-strings can be wrong
