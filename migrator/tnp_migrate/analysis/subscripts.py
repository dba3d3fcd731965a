"""What an index picks: parts of tuples, the rank of a part of an array, what an object's own method gives."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce

from tnp_migrate.analysis.frames import Frame
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import UNKNOWN, Value, array, element_of, join
from tnp_migrate.program.dispatch import methods_meant


def result_of(frame: Frame, receiver: Value, name: str) -> Value:
    """What a special method of an instance gives, by all that the text returns of it."""
    given = [frame.trace.read(one, "returns") or UNKNOWN for one in methods_meant(receiver, name)]
    return reduce(join, given) if given else UNKNOWN


def made_by_index(name: str, index: Value) -> Value | None:
    """What an object of NumPy makes of an index: `np.r_[...]` an array, `np.s_[...]` the index itself."""
    if name in traits.INDEXED_SLICES:
        return index if index.kind == "tuple" else UNKNOWN
    if name == "numpy.mgrid" and index.kind == "tuple" and index.items is not None:
        return array(rank=len(index.items) + 1)  # an array of coordinates for each axis
    return array() if name in traits.INDEXED_ARRAYS else None


def part_of_tuple(receiver: Value, index: ast.Slice) -> Value:
    """What `t[:2]` gives: the items, where the bounds are written."""
    lower, upper = (one if one is None else getattr(one, "value", "") for one in (index.lower, index.upper))
    if not isinstance(lower, int | None) or not isinstance(upper, int | None) or index.step is not None:
        return Value("tuple", element=element_of(receiver))
    if receiver.items is not None:
        return replace(receiver, items=receiver.items[lower:upper])
    return Value("tuple", element=element_of(receiver))


def slices(index: ast.expr) -> bool:
    """Whether an index is one that only arrays take: a tuple with slices, an ellipsis."""
    parts = index.elts if isinstance(index, ast.Tuple) else []
    return any(
        isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is Ellipsis) for part in parts
    )


def indexed_rank(rank: int | None, index: ast.expr, frame: Frame) -> int | None:
    """The rank of a part of an array; None where it is not known."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    for part in parts:
        if isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is Ellipsis):
            continue
        value = frame.module.values.get(part, UNKNOWN)
        if (isinstance(part, ast.Constant) and part.value is None) or frame.qualified(part) == "numpy.newaxis":
            rank = None if rank is None else rank + 1
        elif value.kind == "scalar" and not (isinstance(part, ast.Constant) and isinstance(part.value, bool)):
            rank = None if not rank else rank - 1
        else:
            return None
    dotted = any(isinstance(part, ast.Constant) and part.value is Ellipsis for part in parts)
    return None if dotted and rank == 0 else rank  # `a[..., 0]` is an array where `a[0]` is a number
