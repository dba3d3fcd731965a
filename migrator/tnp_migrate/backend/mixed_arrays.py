"""Conversions to arrays of what may be no numbers, or not all of one dtype: NumPy can more there than TensorFlow.

Input `try: column = np.array(row[key])`, output `try: column = tnh.array(row[key])`. The same becomes of
`np.array([names[i] for i in order])`, which may be text, and of `np.array([x.sum(), x.argmax()])`: TensorFlow packs no
tensors of several dtypes, and beside tensors it makes no float64 of Python's floats: `np.array([x.mean(), 1.0])`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.sites import Site, end
from tnp_migrate.diagnostics.decisions import Decision, Outcome
from tnp_migrate.numpy_facts.dtypes import result_type
from tnp_migrate.numpy_facts.libraries import LIBRARIES
from tnp_migrate.numpy_facts.values import Value, element_of
from tnp_migrate.program.names import Reference

_CAUGHT = frozenset({"Exception", "BaseException", "TypeError", "ValueError"})
_FLOATS = frozenset({"float64", "complex128"})  # which Python's own numbers are
_WIDE = _FLOATS | {"int64", "bool"}  # which tnp promotes as NumPy does
_DTYPES: dict[type, str] = {int: "int64", float: "float64", complex: "complex128"}
_COMPUTED = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)
HELPER = "array"


def convert_mixed(site: Site, reference: Reference, call: ast.Call) -> Outcome | None:
    """Keep objects and text in NumPy's arrays, and promote what has several dtypes; None for every other conversion."""
    given = call.args + [word.value for word in call.keywords if word.arg == "dtype"]
    if reference.name not in ("numpy.array", "numpy.asarray") or len(given) != len(call.args) + len(call.keywords):
        return None
    if not call.args or len(given) > 2 or any(isinstance(one, ast.Starred) for one in given):
        return None
    plain = len(given) == 1
    if plain and (dtype := _dtype_beside_numbers(site, call.args[0])) is not None:
        whole = site.span(call.args[0])
        named = Decision(whole, (whole, f", dtype={site.tnp(dtype)}"), rule="dtype")
        outcome = end(reference, "rewritten", site.tnp(reference.name[6:]))
        return Outcome(outcome.reference, outcome.bin, (*outcome.decisions, named))
    may_be_else = plain and (_may_be_no_numbers(site, call) or _stands_beside_numbers(site, call.args[0]))
    if not may_be_else and not _may_differ(site, given[0], to_given=not plain):
        return None
    outcome = end(reference, "helper", site.helper(HELPER), rule="attempt")
    return Outcome(outcome.reference, outcome.bin, outcome.decisions, (), frozenset({HELPER}))


def _may_be_no_numbers(site: Site, call: ast.Call) -> bool:
    """Whether a failure is caught, or a list holds what has come from elsewhere and nothing was computed with."""
    argument = call.args[0]
    value = site.value(argument)
    if value.kind == "unknown" and (is_tried(site, call) or _meets_array_likes(site)):
        return True
    if value.is_array:  # by what the attribute becomes: `self.rows = np.array(self.rows)`
        return isinstance(argument, ast.Attribute) and value.joins and not value.sure
    return not isinstance(argument, ast.List | ast.Tuple) and _passes_on(site, argument)


def _passes_on(site: Site, node: ast.expr) -> bool:
    """Whether a list or tuple holds items of which nothing is known, neither by what they are nor by their making."""
    if isinstance(node, ast.ListComp):
        return site.value(node.elt).kind == "unknown" and not isinstance(node.elt, _COMPUTED)
    value = site.value(node)
    return value.kind in ("list", "tuple") and value.element is not None and value.element.kind == "unknown"


def _may_differ(site: Site, node: ast.expr, *, to_given: bool) -> bool:
    """Whether a list may hold tensors that are not all of one dtype.

    `to_given` where they are to be of a dtype that is given; without one it takes what is known to be integers, or two
    dtypes that are known.
    """
    leaves = list(_leaves(node))
    if leaves == [node]:
        untold = _is_untold(site.value(node).element) or _passes_on(site, node)
        return to_given and site.value(node).kind == "list" and untold
    values = [one for one in map(site.value, leaves) if one.kind in ("array", "unknown")]
    known = {one.dtype for one in values if one.is_array} - {None} | {"int64" for one in leaves if _is_place(one)}
    if len(known) > 1 or (known - _FLOATS and any(map(_is_untold, values))):
        return True
    several = len(leaves) > 1 and any(map(_is_untold, values))
    return to_given and (several or any(_is_of_comprehension(site, one) for one in leaves))


def _dtype_beside_numbers(site: Site, node: ast.expr) -> str | None:
    """The dtype that NumPy gives tensors of one proven dtype, and numbers that are written beside them, if tnp has not.

    There float32 stays so beside floats, and uint8 beside integers.
    """
    numbers, values = _parted(site, node)
    known = {one.dtype for one in values if one.sure}
    written = {type(one) for one in map(_written, numbers)}
    if len(known) != 1 or not all(one.sure for one in values) or not written <= {int, float, complex}:
        return None
    dtype = known.pop()
    if dtype is None or not numbers or dtype in _WIDE:
        return None
    found = result_type((dtype, *(_DTYPES[one] for one in written)))
    return found if found != dtype else None


def _stands_beside_numbers(site: Site, node: ast.expr) -> bool:
    """Whether Python's numbers stand beside tensors that may be of a dtype which they widen."""
    numbers, values = _parted(site, node)
    inner = site.value(node)
    while inner.kind in ("list", "tuple"):
        inner = element_of(inner)
    narrow = inner.beside is not None and inner.beside not in _WIDE
    return narrow or (bool(numbers) and any(one.dtype not in _WIDE for one in values))


def _parted(site: Site, node: ast.expr) -> tuple[list[ast.expr], list[Value]]:
    """What stands in a list that is written: Python's numbers, and the values of arrays."""
    leaves = list(_leaves(node)) if isinstance(node, ast.List | ast.Tuple | ast.ListComp) else []
    return [one for one in leaves if site.value(one).kind == "scalar"], [
        one for one in map(site.value, leaves) if one.kind in ("array", "unknown")
    ]


def _written(node: ast.expr) -> object:
    """The number that is written; None where it is computed."""
    number = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return number.value if isinstance(number, ast.Constant) else None


def _is_place(node: ast.expr) -> bool:
    """Whether this is a place in an array, `x.argmax()`, whatever `x` is."""
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in ("argmax", "argmin")


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    """What stands in lists of lists, comprehensions and conditions."""
    if isinstance(node, ast.List | ast.Tuple):
        for one in node.elts:
            yield from _leaves(one)
    elif isinstance(node, ast.ListComp):
        yield from _leaves(node.elt)
    elif isinstance(node, ast.IfExp):
        yield from (*_leaves(node.body), *_leaves(node.orelse))
    else:
        yield node


def _is_of_comprehension(site: Site, node: ast.expr) -> bool:
    """Whether a name stands for the items of a list that a comprehension goes through, whatever they are."""
    around = site.module.names.scopes.ancestors(node)
    above = next((one for one in around if isinstance(one, ast.ListComp)), None)
    targets = [one.target for one in above.generators] if above is not None else []
    if not isinstance(node, ast.Name) or not _is_untold(site.value(node)):
        return False
    return any(isinstance(one, ast.Name) and one.id == node.id for one in targets)


def _is_untold(value: Value | None) -> bool:
    """Whether a value may be an array of any dtype."""
    return value is not None and (value.kind == "unknown" or (value.is_array and value.dtype is None))


def _meets_array_likes(site: Site) -> bool:
    """Whether the file imports a library whose objects NumPy can make arrays of, and TensorFlow cannot."""
    imported = {name.partition(".")[0] for name in site.module.names.bindings.values() if name}
    return any(LIBRARIES[one].converts for one in imported & LIBRARIES.keys())


def is_tried(site: Site, node: ast.AST) -> bool:
    """Whether something around an expression catches what NumPy raises where kinds do not go together."""
    inner = node
    for above in site.module.names.scopes.ancestors(node):
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            return False
        if isinstance(above, ast.Try) and inner in above.body and any(_catches(one) for one in above.handlers):
            return True
        inner = above
    return False


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _CAUGHT) for kind in kinds)
