"""Whether two arrays are one object, and whether a function is a ufunc: tensors and tnp's functions answer otherwise.

Input `copy.deepcopy(x) is x`, which is true of a tensor; `isinstance(f, np.ufunc)`, where `f` may be `tnp.add` by now.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.printing import may_show
from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Extra

_OBJECTS = "a copy or a view of a tensor may be the tensor itself, and what is bound anew is another one"
_UFUNC = "what NumPy's functions have become is no ufunc: ask `callable(f)`, or for its name"


def asked_for_identity(site: Site, node: ast.Compare) -> Iterator[Extra]:
    """`x is y` of arrays, and `type(f) is np.ufunc`."""
    operands = [node.left, *node.comparators]
    if any(site.qualified(one) == "numpy.ufunc" for one in operands):
        yield Extra((), (site.finding("TNP323", site.span(node), _UFUNC, "ufunc"),))
    elif isinstance(node.ops[0], ast.Is | ast.IsNot) and _are_arrays(site, operands):
        yield Extra((), (site.finding("TNP323", site.span(node), _OBJECTS, "is"),))


def asked_for_class(site: Site, call: ast.Call) -> Iterator[Extra]:
    """`isinstance(f, np.ufunc)`, and `id(x)` of an array."""
    func = call.func
    if not isinstance(func, ast.Name) or site.is_bound(func) or not call.args:
        return
    if func.id == "isinstance" and len(call.args) > 1:
        types = call.args[1].elts if isinstance(call.args[1], ast.Tuple) else [call.args[1]]
        if any(site.qualified(one) == "numpy.ufunc" for one in types):
            yield Extra((), (site.finding("TNP323", site.span(call), _UFUNC, "ufunc"),))
    elif func.id == "id" and site.value(call.args[0]).is_array:
        yield Extra((), (site.finding("TNP323", site.span(call), _OBJECTS, "id"),))


def _are_arrays(site: Site, operands: list[ast.expr]) -> bool:
    """Whether one is an array, by evidence, and the other may be one."""
    values = [site.value(one) for one in operands]
    may_be = all(
        value.is_array or (value.kind == "unknown" and site.qualified(one) is None and may_show(site, one))
        for one, value in zip(operands, values, strict=True)
    )
    return may_be and any(value.is_array for value in values)
