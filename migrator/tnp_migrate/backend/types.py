"""`np.ndarray` as a type: annotations and isinstance checks.

Input `isinstance(x, np.ndarray)`, output `isinstance(x, tnh.ndarray)`: of a tensor without axes, which stands for
NumPy's number, that is False. What is an array to NumPy, too, is asked for `(np.ndarray, tf.Tensor)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tnp_migrate.backend.classes_told import compares_classes
from tnp_migrate.backend.kinds_asked import is_matched_as_number, is_surely_ndarray
from tnp_migrate.backend.sites import Site, end
from tnp_migrate.diagnostics.decisions import Decision, Outcome
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.program.names import Reference
from tnp_migrate.text.source import Span

_ARRAY_TYPES = frozenset({"numpy.ndarray", "numpy.typing.NDArray"})
_NUMBERS = frozenset(
    f"numpy.{name}"
    for name in "floating integer generic number inexact complexfloating signedinteger unsignedinteger bool_ bool "
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128".split()
)
# What a class is held in until something is asked about it.
_HOLDERS = (
    ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Assign, ast.AnnAssign, ast.arguments, ast.Call, ast.keyword, ast.Return,
    ast.MatchClass, ast.BinOp, ast.IfExp, ast.Lambda, ast.Starred, ast.NamedExpr, ast.Yield,
)  # fmt: skip


def annotate(site: Site, reference: Reference) -> Outcome:
    """An annotation of an array is one of a tensor; other annotations stay.

    `singledispatch` reads the annotation of a function's first parameter: that is one of any array.
    """
    if _is_registered(site, reference):
        if reference.name == "numpy.ndarray":
            outcome = end(reference, "rewritten", site.helper("ndarray"), rule="annotation")
            return replace(outcome, findings=(_dispatched(site, reference),), helpers=frozenset({"ndarray"}))
        number = _number_asked(site, reference) if reference.name in _NUMBERS else None
        if number is not None:
            return number
    if reference.name not in _ARRAY_TYPES:
        if reference.name in site.table.tnp and not reference.name.endswith("newaxis"):
            return end(reference, "renamed", site.tnp(reference.name[6:]))
        return end(reference, "kept")
    above = site.parent(reference.node)
    if isinstance(above, ast.Subscript) and above.value is reference.node:
        if site.span(above).start == reference.span.start:
            return Outcome(
                reference.span, "rewritten", (Decision(site.span(above), (site.tf("Tensor"),), rule="annotation"),)
            )
        return end(reference, "kept")
    return end(reference, "rewritten", site.tf("Tensor"), rule="annotation")


def check_type(site: Site, reference: Reference) -> Outcome | None:
    """Widen a check for ndarray to tensors; None where the reference is no such check."""
    if reference.context == "call":
        return None
    if reference.name != "numpy.ndarray":
        return _check_number(site, reference)
    above = site.parent(reference.node)
    if isinstance(above, ast.Tuple) and any(
        isinstance(one, ast.Attribute) and one.attr == "Tensor" for one in above.elts
    ):
        return end(reference, "kept")
    asked = _asked(site, reference.node, above)
    if asked is not None and is_surely_ndarray(site, asked):
        text = f"{site.source.text(reference.span)}, {site.tf('Tensor')}"
        return _widened(site, reference, text if isinstance(above, ast.Tuple) else f"({text})")
    if isinstance(above, ast.ClassDef):
        found = site.finding("TNP416", reference.span, "a subclass of ndarray stays on NumPy", reference.name)
        return Outcome(reference.span, "flagged", (), (found,))
    if compares_classes(site, above, reference.node):
        return end(reference, "kept")
    if isinstance(above, ast.Compare) or (isinstance(above, ast.Dict) and reference.node in above.keys):
        found = site.finding(
            "TNP209", reference.span, "a comparison of types: a tensor's type is not ndarray", reference.name
        )
        return Outcome(reference.span, "flagged", (), (found,))
    if _is_taken_apart(site, above):
        return end(reference, "kept")
    outcome = _widened(
        site, reference, site.helper("ndarray"), "the check for ndarray accepts tensors with axes as well"
    )
    said = [*_shape_pattern(site, above), *([_dispatched(site, reference)] if _registers(above) else [])]
    return replace(outcome, findings=(*outcome.findings, *said), helpers=frozenset({"ndarray"}))


def _asked(site: Site, node: ast.expr, above: ast.AST | None) -> ast.expr | None:
    """What `isinstance` asks for a class, which may stand in a tuple."""
    holder = site.parent(above) if isinstance(above, ast.Tuple) else above
    named = isinstance(holder, ast.Call) and isinstance(holder.func, ast.Name) and holder.func.id == "isinstance"
    return holder.args[0] if named and holder.args[1:] in ([node], [above]) else None  # type: ignore[union-attr]


def _widened(
    site: Site, reference: Reference, new: str, message: str = "the check for ndarray accepts tensors as well"
) -> Outcome:
    outcome = end(reference, "rewritten", new, rule="isinstance")
    found = site.finding("TNP104", reference.span, message, reference.name)
    return replace(outcome, findings=(found,))


def _is_taken_apart(site: Site, above: ast.AST | None) -> bool:
    """Whether the class itself is wanted: its attributes, an alias of `typing`, a text, `x.view(np.ndarray)`."""
    if isinstance(above, ast.Call):
        function = getattr(above.func, "attr", getattr(above.func, "id", ""))
        return function in ("view", "getattr", "print", "str", "repr", "TypeVar", "cast", "hasattr", "vars", "dir")
    in_alias = isinstance(above, ast.Tuple) and isinstance(site.parent(above), ast.Subscript)
    return in_alias or not isinstance(above, _HOLDERS)


def _shape_pattern(site: Site, above: ast.AST | None) -> Iterator[Finding]:
    """Patterns that take a shape apart: that of a tensor is no sequence to them."""
    for name, pattern in zip(*_attribute_patterns(above), strict=True):
        if name == "shape" and isinstance(pattern, ast.MatchSequence):
            span = Span(site.source.offset(pattern.lineno, pattern.col_offset), 0)
            span = replace(span, end=site.source.offset(pattern.end_lineno, pattern.end_col_offset))
            yield site.finding("TNP303", span, "the shape of a tensor matches no pattern of a sequence", "shape")


def _attribute_patterns(node: ast.AST | None) -> tuple[list[str], list[ast.pattern]]:
    return (node.kwd_attrs, node.kwd_patterns) if isinstance(node, ast.MatchClass) else ([], [])


def _check_number(site: Site, reference: Reference) -> Outcome | None:
    """Say where a pattern or `singledispatch` asks for one of NumPy's numbers: a tensor without dimensions is none."""
    above = site.parent(reference.node)
    matches = isinstance(above, ast.MatchClass) and not is_matched_as_number(site, above)
    if reference.name not in _NUMBERS or not (_registers(above) or matches):
        return None
    return _number_asked(site, reference)


def _registers(node: ast.AST | None) -> bool:
    """Whether a node is a call such as `f.register(np.ndarray)`."""
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "register"


def _dispatched(site: Site, reference: Reference) -> Finding:
    message = "a tensor without dimensions comes here as well, where NumPy's number goes by its own class"
    return site.finding("TNP312", reference.span, message, reference.name)


def _is_registered(site: Site, reference: Reference) -> bool:
    """Whether the annotation is that of a parameter of what a bare `@f.register` decorates."""
    holder = site.parent(reference.node)
    above = site.parent(site.parent(holder)) if isinstance(holder, ast.arg) else None  # type: ignore[arg-type]
    decorators = above.decorator_list if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef) else []
    return any(isinstance(one, ast.Attribute) and one.attr == "register" for one in decorators)


def _number_asked(site: Site, reference: Reference) -> Outcome:
    message = f"a tensor without dimensions is no {reference.name.replace('numpy', 'np', 1)}, as NumPy's number is"
    return Outcome(reference.span, "kept", (), (site.finding("TNP312", reference.span, message, reference.name),))
