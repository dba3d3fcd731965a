"""Whether an assignment to an item or an attribute is one to an array, which copies what it is given.

Or puts it into a container or an object.
"""

from __future__ import annotations

import ast
from functools import cache

from tnp_migrate.analysis.summaries import Summary, kind_of
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.scopes import all_arguments

_COMPUTING = traits.ELEMENTWISE | traits.REDUCTIONS | {"numpy.dot", "numpy.matmul"}  # of what is an array, mostly


def stores_in_array(summary: Summary, target: ast.Subscript) -> bool:
    """Whether an item assignment is one to an array, which copies what it is given: by evidence, or by its index."""
    kind = kind_of(summary, target.value)
    if kind != "unknown":
        return kind in ("array", "stores")
    if (summary.module.value(target.value) or UNKNOWN).library is not None:
        return False  # a table, or a file of data
    if isinstance(target.slice, ast.Slice) and _is_number_or_product(summary, target):
        return True
    return is_only_for_arrays(summary.index, summary.module, target.slice) or _is_array_by_use(summary, target.value)


def stores_by_attribute(summary: Summary, target: ast.Attribute) -> bool:
    """Whether an assignment to an attribute is one to an array.

    Nothing but an array lets `.flat`, `.real` and `.imag` be assigned, but for objects whose classes bind them.
    """
    kind = kind_of(summary, target.value)
    if target.attr not in traits.STORED_ATTRIBUTES or kind == "array":
        return kind == "array" and target.attr in traits.STORED_ATTRIBUTES
    known = summary.module.value(target.value) or UNKNOWN
    if kind != "unknown" or target.attr not in traits.STORED_PARTS or known.library is not None:
        return False
    return not is_bound_by_class(summary.index, target.attr)


def is_bound_by_class(index: Index, name: str) -> bool:
    """Whether a class of the project has an attribute, or a property, of a name."""
    classes = [one for module in index.modules.values() for one in module.classes.values()]
    return any(name in one.attributes or name in one.methods or name in one.scope.bound for one in classes)


def _is_number_or_product(summary: Summary, target: ast.Subscript) -> bool:
    """Whether a number, an array or the like of `2 * a - b` is stored, which a slice of a list hardly ever takes."""
    above = summary.module.names.scopes.parent.get(target)
    if isinstance(above, ast.AugAssign):
        return not isinstance(above.op, ast.Add | ast.Mult)
    return isinstance(above, ast.Assign) and _computes(summary, above.value)


def _computes(summary: Summary, value: ast.expr) -> bool:
    kind = kind_of(summary, value)
    if kind in ("array", "scalar") or isinstance(value, ast.UnaryOp):
        return True
    if not isinstance(value, ast.BinOp) or isinstance(value.op, ast.Mod):
        return False
    sides = (value.left, value.right)
    if isinstance(value.op, ast.Add):
        return any(_computes(summary, side) for side in sides)
    if not isinstance(value.op, ast.Mult):
        return True
    lists = any(isinstance(side, ast.List) or kind_of(summary, side) in ("list", "str") for side in sides)
    return not lists and any(isinstance(side, ast.Constant | ast.BinOp | ast.Subscript) for side in sides)


def is_only_for_arrays(index: Index, module: Module, key: ast.expr) -> bool:
    """Whether a key is one that lists and dicts do not take."""
    if isinstance(key, ast.Tuple):
        return any(
            isinstance(one, ast.Slice) or (isinstance(one, ast.Constant) and one.value is Ellipsis) for one in key.elts
        )
    return _is_mask(index, module, key, frozenset()) or (module.value(key) or UNKNOWN).is_array


def _is_mask(index: Index, module: Module, key: ast.expr, behind: frozenset[str]) -> bool:
    """Whether a key says where something holds: it is compared, or has a name that is bound to what was.

    `behind` are the names that have led to it.
    """
    if isinstance(key, ast.UnaryOp):
        return isinstance(key.op, ast.Invert) and _is_mask(index, module, key.operand, behind)
    if isinstance(key, ast.BinOp):
        sides = (key.left, key.right)
        return isinstance(key.op, ast.BitAnd | ast.BitOr) and all(_is_mask(index, module, one, behind) for one in sides)
    if not isinstance(key, ast.Name | ast.Attribute):
        return isinstance(key, ast.Compare)
    name, stores = _stores_of(index, module, key)
    return name not in behind and _are_masks(index, stores, behind | {name})


def _stores_of(index: Index, module: Module, key: ast.Name | ast.Attribute) -> tuple[str, list[tuple[Module, ast.AST]]]:
    """A variable, or an attribute by its bare name, and what binds it."""
    if isinstance(key, ast.Attribute):
        return f".{key.attr}", [*index.attribute_stores.get(key.attr, ())]
    owner = module.names.scopes.around(key).owner(key.id)
    return key.id, [(module, one) for one in owner.bound.get(key.id, ())] if owner is not None else []


def _are_masks(index: Index, stores: list[tuple[Module, ast.AST]], behind: frozenset[str]) -> bool:
    """Whether statements bind masks, one at least, and nothing else but None."""
    found = [(module, module.names.scopes.parent.get(one)) for module, one in stores]
    given = [(module, one.value) for module, one in found if isinstance(one, ast.Assign) and len(one.targets) == 1]
    masks = [(module, one) for module, one in given if not (isinstance(one, ast.Constant) and one.value is None)]
    return (
        len(given) == len(found) and bool(masks) and all(_is_mask(index, module, one, behind) for module, one in masks)
    )


def _is_array_by_use(summary: Summary, node: ast.expr) -> bool:
    """Whether this is a parameter that is used as arrays are: NumPy computes with it, or only they have the member."""
    return (
        isinstance(node, ast.Name) and summary.function is not None and node.id in _array_parameters(summary.function)
    )


@cache
def _array_parameters(function: Function) -> frozenset[str]:
    names = {argument.arg for argument in all_arguments(function.node.args)}
    used: set[str] = set()
    in_place = {node.target for node in function.nodes if isinstance(node, ast.AugAssign)}
    for node in function.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in in_place:
            names.discard(node.id)  # bound anew: the use may be of something else
        elif isinstance(node, ast.Attribute) and node.attr in traits.ONLY_ARRAYS_HAVE:
            used |= {one.id for one in [node.value] if isinstance(one, ast.Name)}
        elif isinstance(node, ast.Call) and function.module.names.of(node.func, function.scope) in _COMPUTING:
            used |= {one.id for one in node.args if isinstance(one, ast.Name)}
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            used |= {one.id for one in (node.left, node.right) if isinstance(one, ast.Name)}
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
            if any(isinstance(part, ast.Slice) for part in axes):
                used.add(node.value.id)
    return frozenset(names & used)
