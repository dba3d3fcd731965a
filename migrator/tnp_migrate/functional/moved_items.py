"""Items of lists, dicts and deques that a statement may move: what was read of one has another place then.

`v = rows[k]` has the array of that item as long as the list stays as it is. Behind `rows.reverse()` the array is
another item, and to bind `rows[k]` to what is written to `v` would replace the wrong one.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from tnp_migrate.functional.access_paths import Path
from tnp_migrate.functional.displays import headers_of
from tnp_migrate.functional.unit import Unit
from tnp_migrate.program.names import is_numpy
from tnp_migrate.program.nodes import walk

_READING = frozenset("get items keys values index count copy __getitem__ __len__ __contains__".split())
_AT_END = frozenset("append extend add setdefault".split())  # items that are counted from the start stay where they are
_LOOKING = frozenset(
    "len enumerate zip range sum max min list tuple dict set sorted any all reversed print isinstance iter map filter "
    "str repr id hash bool type".split()
)


def moved(unit: Unit, statement: ast.stmt, items: Mapping[Path, Path], kept: Collection[ast.AST]) -> Iterator[Path]:
    """Of some items, with their containers, those that a statement may move; `kept` are uses that move none."""
    containers = set(items.values())
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    bound = {unit.path(one) for one in targets}
    for header in headers_of(statement) if containers else ():
        for node in walk(header):
            if not isinstance(node, ast.Name | ast.Attribute) or node in kept:
                continue
            path = unit.path(node)
            if path in containers:
                mine = [item for item, container in items.items() if container == path]
                at_end = not any("[-" in item[len(path)] for item in mine) and unit.value(node).kind in ("list", "dict")
                is_made_of_itself = path in bound and isinstance(node.ctx, ast.Load)
                if is_made_of_itself or not _stay(unit, node, at_end=at_end):
                    yield from mine


def _stay(unit: Unit, node: ast.expr, *, at_end: bool) -> bool:
    """Whether a use of a container leaves its items where they are; `at_end` says that adding one does."""
    above = unit.module.names.scopes.parent.get(node)
    if isinstance(getattr(node, "ctx", None), ast.Store):  # it is bound anew: what its items were is followed
        return at_end or not isinstance(above, ast.AugAssign)
    if isinstance(above, ast.Subscript):
        return above.value is not node or (not isinstance(above.ctx, ast.Del) and not _has_slice(above.slice))
    if isinstance(above, ast.Attribute):
        return above.attr in _READING or (at_end and above.attr in _AT_END)
    if isinstance(above, ast.Call):
        name = getattr(above.func, "id", "")
        return above.func is not node and (name in _LOOKING or is_numpy(unit.qualified(above.func) or ""))
    return isinstance(above, ast.For | ast.AsyncFor | ast.comprehension | ast.Compare | ast.Return | ast.If | ast.While)


def _has_slice(index: ast.expr) -> bool:
    return any(isinstance(part, ast.Slice) for part in ast.walk(index))
