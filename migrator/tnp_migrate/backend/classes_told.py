"""The class of a value by `type(x)` and `x.__class__`: of a tensor it is the one that NumPy's value has.

Input `type(x) is np.ndarray`, output `tnh.type_of(x) is np.ndarray`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.kinds_asked import is_surely_ndarray, is_type_of_array, made_of
from tnp_migrate.backend.printing import may_show, shown
from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Decision, Extra
from tnp_migrate.program.names import is_numpy

_ASSERTIONS = frozenset("assertIs assertIsNot assertEqual assertNotEqual".split())
_TEXTS = frozenset({"__name__", "__qualname__", "__module__"})


def translate_type(site: Site, call: ast.Call) -> Iterator[Extra]:
    """`type(x)`, other than to make another of its class."""
    of, above = call.args[0], site.parent(call)
    if (isinstance(above, ast.Call) and above.func is call) or _is_asked_for(site, call):
        yield from _class_used(site, call, of)
    elif site.value(of).is_array or (may_show(site, of) and _matters(site, call, above)):
        decision = Decision(site.span(call.func), (site.helper("type_of"),), rule="type_of")
        yield Extra((decision,), (), frozenset({"type_of"}))
        if isinstance(above, ast.Compare) and site.value(of).is_array and not is_surely_ndarray(site, of):
            message = "an array without dimensions counts as a number where types are compared"
            yield Extra((), (site.finding("TNP312", site.span(call), message, "type"),))


def translate_class(site: Site, node: ast.Attribute) -> Iterator[Extra]:
    """`x.__class__` of an array."""
    above = site.parent(node)
    if node.attr != "__class__" or not isinstance(node.ctx, ast.Load) or not site.value(node.value).is_array:
        return
    if (isinstance(above, ast.Call) and above.func is node) or _is_asked_for(site, node):
        yield from _class_used(site, node, node.value)
        return
    parts = (f"{site.helper('type_of')}(", site.span(node.value), ")")
    yield Extra((Decision(site.span(node), parts, rule="type_of"),), (), frozenset({"type_of"}))


def compares_classes(site: Site, above: ast.AST | None, node: ast.AST) -> bool:
    """Whether a class, or the tuple that it stands in, is compared with that of a value."""
    holder = site.parent(above) if isinstance(above, ast.Tuple | ast.List | ast.Set) else None
    if isinstance(holder, ast.Compare) and above is not None:
        above, node = holder, above
    if isinstance(above, ast.Call):
        sides = above.args[:2] if getattr(above.func, "attr", "") in _ASSERTIONS else []
    else:
        sides = [above.left, *above.comparators] if isinstance(above, ast.Compare) else []
    others = [one for one in sides if one is not node]
    return bool(others) and all(_is_class_of(site, one) for one in others)


def _is_class_of(site: Site, node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__"
    made = made_of(site, node) if isinstance(node, ast.Name) else [node]
    named = [one.func.id for one in made if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    return bool(made) and named == ["type"] * len(made)


def _is_asked_for(site: Site, node: ast.expr) -> bool:
    """Whether `isinstance` asks for the class, which may stand in a tuple."""
    above = site.parent(node)
    inner, above = (above, site.parent(above)) if isinstance(above, ast.Tuple) else (node, above)
    named = isinstance(above, ast.Call) and isinstance(above.func, ast.Name) and above.func.id == "isinstance"
    return named and above.args[1:] == [inner]  # type: ignore[union-attr]


def _matters(site: Site, call: ast.Call, above: ast.AST | None) -> bool:
    """Whether what nothing is known of is asked for its class's name, or compared with one of NumPy's classes."""
    if isinstance(above, ast.Attribute):
        return above.attr in _TEXTS
    if isinstance(above, ast.Assign):
        return True
    sides = [above.left, *above.comparators] if isinstance(above, ast.Compare) else []
    others = [each for one in sides for each in (one.elts if isinstance(one, ast.Tuple | ast.List) else [one])]
    return any(is_numpy(site.qualified(one) or "") or is_type_of_array(site, one) for one in others if one is not call)


def _class_used(site: Site, node: ast.expr, of: ast.expr) -> Iterator[Extra]:
    if not site.value(of).is_array:
        return
    if _is_asked_for(site, node):
        yield from shown(site, [of])
        message = "an array without dimensions counts as a number where types are compared"
        yield Extra((), (site.finding("TNP312", site.span(node), message, "type"),))
    else:
        yield _told(site, node)


def _told(site: Site, node: ast.expr) -> Extra:
    message = "the type of a tensor is not the one that NumPy's arrays and scalars have"
    return Extra((), (site.finding("TNP312", site.span(node), message, "type"),))
