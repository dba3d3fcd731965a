"""The parts into which NumPy splits an array, written as the slices of it that they are.

`np.split(a, [2, 5])` gives `a[:2]`, `a[2:5]` and `a[5:]`.
"""

from __future__ import annotations

import ast
from itertools import pairwise

from tnp_migrate.functional.unit import Unit
from tnp_migrate.numpy_facts.signatures import Unbindable, bind_call, signature_table

_AXES = {"numpy.vsplit": 0, "numpy.dsplit": 2}
_SPLITS = frozenset({"numpy.split", "numpy.array_split", "numpy.hsplit", *_AXES})
_FEW = 8  # parts


def parts_of(unit: Unit, call: ast.Call) -> ast.List | None:
    """The parts of an array that has a name, if the text says how many there are, and along which axis.

    They are made of parts of the call and of new nodes, which have no place in the file.
    """
    name = unit.qualified(call.func) or ""
    if name not in _SPLITS or unit.scope.owner("len") is not None:
        return None
    try:
        given = bind_call(call, signature_table().numpy[name]).given
    except Unbindable:
        return None
    array, sections = given.get("ary"), given.get("indices_or_sections")
    if array is None or unit.path(array) is None or not (unit.value(array).is_array and unit.value(array).sure):
        return None
    axis = _axis(unit, name, array, given.get("axis"))
    bounds = _bounds(unit, name, _length(array, axis), sections) if axis is not None else None
    if axis is None or bounds is None:
        return None
    return ast.List([_part(array, axis, *pair) for pair in pairwise([None, *bounds, None])], ast.Load())


def _axis(unit: Unit, name: str, array: ast.expr, axis: ast.expr | None) -> int | None:
    if name == "numpy.hsplit":
        rank = unit.value(array).rank
        return None if rank is None else min(1, rank - 1)
    number = axis.value if isinstance(axis, ast.Constant) else None if axis is not None else _AXES.get(name, 0)
    return number if type(number) is int and number >= 0 else None


def _length(array: ast.expr, axis: int) -> ast.expr:
    if not axis:
        return ast.Call(ast.Name("len", ast.Load()), [array], [])
    return ast.Subscript(ast.Attribute(array, "shape", ast.Load()), ast.Constant(axis), ast.Load())


class _Put(ast.NodeTransformer):
    """Puts a length where a text has `_`."""

    def __init__(self, length: ast.expr) -> None:
        self.length = length

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace the placeholder."""
        return self.length if node.id == "_" else node


def _bounds(unit: Unit, name: str, length: ast.expr, sections: ast.expr | None) -> list[ast.expr] | None:
    """Where one part ends and the next one begins."""
    if isinstance(sections, ast.List | ast.Tuple):
        return sections.elts if len(sections.elts) < _FEW and all(map(unit.is_one_number, sections.elts)) else None
    count = sections.value if isinstance(sections, ast.Constant) else 0
    if type(count) is not int or not 0 < count <= _FEW:
        return None
    if name == "numpy.array_split":  # whose first parts are longer by one
        sizes = [f"(_ + {count - 1 - part}) // {count}" for part in range(count - 1)]
        texts = [" + ".join(sizes[: part + 1]).replace(" + 0)", ")") for part in range(count - 1)]
    else:
        texts = [f"{part} * _ // {count}".removeprefix("1 * ") for part in range(1, count)]
    return [_Put(length).visit(ast.parse(text, mode="eval").body) for text in texts]


def _part(array: ast.expr, axis: int, lower: ast.expr | None, upper: ast.expr | None) -> ast.expr:
    index: ast.expr = ast.Slice(lower, upper)
    if axis:
        index = ast.Tuple([*(ast.Slice() for _ in range(axis)), index], ast.Load())
    return ast.Subscript(array, index, ast.Load())
