"""What a program asks of the kind of a value: a tensor without axes answers as NumPy's number does.

Input `hasattr(v, "__len__")`, output `hasattr(tnh.as_number(v), "__len__")`, right whatever `v` is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.backend.printing import may_show, shown
from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Extra

# Classes of which NumPy's numbers are instances and arrays are not, or the other way round.
_TOLD_APART = frozenset(
    "float complex Number Real Complex Integral Rational Iterable Sized Reversible SupportsIndex SupportsFloat "
    "floating integer generic number inexact complexfloating signedinteger unsignedinteger bool_ float16 float32 "
    "float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128 double single intp int_ float_ "
    "SupportsRound".split()
)
# Members that only arrays, or only numbers, or only some of these have; of tensors each has them.
_MEMBERS = frozenset(
    "__len__ __iter__ __index__ __floor__ __ceil__ __round__ __trunc__ is_integer as_integer_ratio hex bit_count "
    "numerator denominator fromhex".split()
)
_OF_ARRAYS = frozenset("Container Collection Hashable".split())  # what tensors and arrays differ in, however many axes
_ASSERTIONS = frozenset("assertIsInstance assertNotIsInstance assertIs assertIsNot".split())
_TRUTHS = frozenset({"numpy.allclose", "numpy.array_equal", "numpy.array_equiv"})  # which give Python's bool
_MAKES_ARRAYS = frozenset(
    f"numpy.{name}"
    for name in "array asarray asanyarray zeros ones empty full reshape squeeze copy broadcast_to".split()
)


def translate_asked_kinds(site: Site, call: ast.Call) -> Iterator[Extra]:
    """Calls that ask for the kind of their first argument."""
    yield from _made_without_axes(site, call)
    name = asking(site, call)
    if name in ("hasattr", "getattr"):
        member = call.args[1].value if isinstance(call.args[1], ast.Constant) else None
        if member in _MEMBERS and _may_be_number(site, call.args[0]):
            yield _as_number(site, call.args[0])
    elif name in ("assertIs", "assertIsNot"):
        yield from translate_identity(site, *call.args[:2])
    elif name is not None:
        yield from _asked_for_classes(site, call)


def asking(site: Site, call: ast.Call) -> str | None:
    """The name of the function, if a call asks for the kind of its first argument."""
    func = call.func
    if len(call.args) < 2 or isinstance(call.args[0], ast.Starred):
        return None
    if isinstance(func, ast.Name) and func.id in ("isinstance", "hasattr", "getattr") and not site.is_bound(func):
        return func.id
    return func.attr if isinstance(func, ast.Attribute) and func.attr in _ASSERTIONS else None


def translate_match(site: Site, node: ast.Match) -> Iterator[Extra]:
    """A subject of which patterns ask whether it is a number."""
    asked = {_last_name(one.cls) for case in node.cases for one in _outer_patterns(case.pattern)}
    if asked & _TOLD_APART and _may_be_number(site, node.subject):
        yield _as_number(site, node.subject)


def translate_identity(site: Site, asked: ast.expr, truth: ast.expr) -> Iterator[Extra]:
    """`x.all() is np.True_`, `np.allclose(a, b) is True`: NumPy has truths of its own, or gives Python's.

    A tensor is neither.
    """
    of_numpy = getattr(truth, "attr", "") in ("True_", "False_")
    if not of_numpy and not (isinstance(truth, ast.Constant) and isinstance(truth.value, bool)):
        return
    if _is_python_truth(site, asked):
        yield Extra((wrap(site.span(asked), "bool("),))
    elif site.value(asked).is_array and (of_numpy or _is_computed(asked)):
        yield from shown(site, [asked])
    elif site.value(asked).is_array:
        message = "a tensor is neither True nor np.True_: ask for its truth"
        yield Extra((), (site.finding("TNP312", site.span(asked), message, "is"),))


def _is_computed(node: ast.expr) -> bool:
    """Whether an expression itself computes an array, by an operator or a method."""
    return isinstance(node, ast.Compare | ast.BinOp | ast.UnaryOp) or (
        isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("all", "any")
    )


def _is_python_truth(site: Site, node: ast.expr) -> bool:
    """Whether NumPy gives one of Python's own truths: `np.allclose(a, b)`, or a name for it."""
    made = made_of(site, node) if isinstance(node, ast.Name) else [node]
    return bool(made) and all(isinstance(one, ast.Call) and site.qualified(one.func) in _TRUTHS for one in made)


def made_of(site: Site, name: ast.Name) -> list[ast.expr]:
    """What a name is bound to, if all of that is assigned."""
    owner = site.module.names.scopes.around(name).owner(name.id)
    bound = [site.parent(one) for one in owner.bound[name.id]] if owner is not None else []
    made = [one.value for one in bound if isinstance(one, ast.Assign)]
    return made if len(made) == len(bound) else []


def _outer_patterns(pattern: ast.pattern) -> Iterator[ast.MatchClass]:
    """The patterns of classes that the subject itself is held against."""
    if isinstance(pattern, ast.MatchClass):
        yield pattern
    elif isinstance(pattern, ast.MatchOr):
        for one in pattern.patterns:
            yield from _outer_patterns(one)
    elif isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        yield from _outer_patterns(pattern.pattern)


def is_matched_as_number(site: Site, pattern: ast.AST) -> bool:
    """Whether a pattern of a class is held against a subject that has become NumPy's number."""
    above = site.parent(pattern)
    while isinstance(above, ast.MatchOr | ast.MatchAs):
        above = site.parent(above)
    match = site.parent(above) if isinstance(above, ast.match_case) else None
    return isinstance(match, ast.Match) and _may_be_number(site, match.subject)


def _asked_for_classes(site: Site, call: ast.Call) -> Iterator[Extra]:
    first, types = call.args[:2]
    asked = _classes_asked(site, types)
    if "bool" in asked and _is_python_truth(site, first):
        yield Extra((wrap(site.span(first), "bool("),))
    elif any(is_type_of_array(site, one) for one in _each(types)) or (asked & _OF_ARRAYS and may_show(site, first)):
        yield from shown(site, [first])
    elif not _is_array_made(site, first) and _asks_for_number(site, call, asked):
        yield _as_number(site, first)


def _asks_for_number(site: Site, call: ast.Call, asked: set[str]) -> bool:
    """Whether what is asked for such classes may be one of NumPy's numbers, and they tell it from an array."""
    return (bool(asked & _TOLD_APART) or _is_variable(site, call.args[1])) and _may_be_number(site, call.args[0])


def _is_variable(site: Site, types: ast.expr) -> bool:
    """Whether the classes asked for are some that the text does not name: a parameter, an item of a dict."""
    if isinstance(types, ast.Name) and not site.is_bound(types):
        return False
    named = site.qualified(types) is not None or _classes_asked(site, types) != {_last_name(types)}
    return isinstance(types, ast.Name | ast.Subscript) and site.value(types).kind == "unknown" and not named


def _made_without_axes(site: Site, call: ast.Call) -> Iterator[Extra]:
    """An array that is known to have no axes: it is no number to NumPy, if this file asks for that."""
    value = site.value(call)
    if value.rank != 0 or not value.sure or site.qualified(call.func) not in _MAKES_ARRAYS:
        return
    others = [one for one in site.module.values if isinstance(one, ast.Call)]
    if any(asking(site, one) or ast.unparse(one.func) == "type" for one in others) or any(
        site.qualified(one.func) == "numpy.isscalar" for one in others
    ):
        message = "an array without dimensions counts as a number where a value is asked for its kind"
        yield Extra((), (site.finding("TNP312", site.span(call), message, ast.unparse(call.func)),))


def _as_number(site: Site, node: ast.expr) -> Extra:
    return Extra((wrap(site.span(node), f"{site.helper('as_number')}("),), (), frozenset({"as_number"}))


def _may_be_number(site: Site, node: ast.expr) -> bool:
    """Whether something may be a tensor that stands for one of NumPy's numbers."""
    return may_show(site, node) and site.value(node).kind in ("array", "unknown") and not _is_array_made(site, node)


def _is_array_made(site: Site, node: ast.expr) -> bool:
    """Whether something is an array to NumPy as well, or has been made a number before."""
    if isinstance(node, ast.Call) and (site.qualified(node.func) or "").endswith(
        ("_tnp_helpers.as_number", "_tnp_helpers.to_numpy")
    ):
        return True
    return is_surely_ndarray(site, node)


def is_surely_ndarray(site: Site, node: ast.expr) -> bool:
    """Whether something is an array and none of NumPy's numbers, even one without axes."""
    value = site.value(node)
    if value.sure and value.has_axes:
        return True
    made = made_of(site, node) if isinstance(node, ast.Name) else [node]
    return bool(made) and all(isinstance(one, ast.Call) and site.qualified(one.func) in _MAKES_ARRAYS for one in made)


def _classes_asked(site: Site, types: ast.expr) -> set[str]:
    """The last names of the classes that a check asks for."""
    owner = site.module.names.scopes.around(types).owner(types.id) if isinstance(types, ast.Name) else None
    bound = [site.parent(one) for one in owner.bound[types.id]] if owner is not None else []  # type: ignore[attr-defined]
    if len(bound) == 1 and isinstance(bound[0], ast.Assign):  # a constant of the file
        types = bound[0].value
    return {_last_name(one) for one in _each(types)}


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _each(types: ast.expr) -> list[ast.expr]:
    """The types that stand in a tuple or list, or are joined by `|`."""
    if isinstance(types, ast.BinOp):
        return [*_each(types.left), *_each(types.right)]
    return [each for one in types.elts for each in _each(one)] if isinstance(types, ast.Tuple | ast.List) else [types]


def is_type_of_array(site: Site, node: ast.expr) -> bool:
    """Whether an expression is `type(x)` or `x.__class__` of an array."""
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return site.value(node.value).is_array
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "type":
        return False
    return len(node.args) == 1 and site.value(node.args[0]).is_array
