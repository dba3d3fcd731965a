"""Methods and attributes of arrays that tensors lack or have differently, where the receiver is proven an array.

Input `x.sum(axis=0)`, output `tnp.sum(x, axis=0)`. A receiver that is not proven keeps its call: the helper module
gives tensors the method. What it cannot give them is said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tnp_migrate.backend.argument_evidence import dtype_finding
from tnp_migrate.backend.asked_members import asked_of, translate_asked
from tnp_migrate.backend.calls import apply_rule
from tnp_migrate.backend.inline import Refused, expand
from tnp_migrate.backend.memory_orders import memory_order_finding
from tnp_migrate.backend.operators import compare_with_zero, is_complex
from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Decision, Extra, Outcome
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.limits import lacking_kernel
from tnp_migrate.numpy_facts.names_table import member_problem
from tnp_migrate.numpy_facts.signatures import Bound
from tnp_migrate.numpy_facts.values import HOST_DTYPES
from tnp_migrate.program.names import Reference
from tnp_migrate.text.source import Span

_FLAGS = frozenset("c_contiguous f_contiguous contiguous owndata writeable aligned writebackifcopy".split())
# The helper module mends or adds these; nothing short reads better than `x.size`.
_BY_DISPATCH = frozenset({"size", "nbytes", "itemsize"})


def translate_methods(site: Site) -> Iterator[Outcome | Extra]:
    """Decide every method call and attribute of a proven array."""
    for node in sorted_expressions(site):
        asked = asked_of(site, node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            receiver = node.func.value
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and not _is_called(site, node):
            receiver = node.value
        elif asked is not None:
            receiver = asked
        else:
            continue
        if site.is_settled(node):
            continue
        proven = _is_proven(site, receiver)
        if not proven and not _may_be_array(site, receiver):
            continue
        if isinstance(node, ast.Call) and (found := memory_order_finding(site, node)) is not None:
            yield Outcome(site.span(node.func), "flagged", (), (found,))
        elif isinstance(node, ast.Call) and asked is not None:
            yield from translate_asked(site, node, proven=proven)
        elif not proven:
            yield from _lacking(site, node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from _method(site, node, node.func)
        elif isinstance(node, ast.Attribute):
            yield from _attribute(site, node)


def sorted_expressions(site: Site) -> list[ast.expr]:
    """The expressions that the analysis reached, in the order of the text."""
    found = [node for node in site.module.values if isinstance(node, ast.expr)]
    return sorted(
        found, key=lambda node: (node.lineno, node.col_offset, -(node.end_lineno or 0), -(node.end_col_offset or 0))
    )


def _is_proven(site: Site, node: ast.expr) -> bool:
    """Whether something is an array that a tensor can be: of text, dates or masked numbers NumPy has the methods."""
    value = site.value(node)
    return value.is_array and value.sure and value.dtype not in HOST_DTYPES


def _is_called(site: Site, node: ast.expr) -> bool:
    above = site.parent(node)
    return isinstance(above, ast.Call) and above.func is node


def _method(site: Site, call: ast.Call, func: ast.Attribute) -> Iterator[Outcome]:
    target = f"numpy.ndarray.{func.attr}"
    rule = site.rulebook.find(target)
    if rule is None:
        yield from _problem(site, func)
        return
    signature = site.table.numpy.get(target) if not rule.variadic else None
    function = f"numpy.{func.attr}"
    if site.value(func.value).dtype in lacking_kernel(function):  # the function's rule casts
        rule, signature = site.rulebook.find(function) or rule, None
    span = site.span(func)
    reference = Reference(
        target, Span(site.span(func.value).end, span.end), func, site.module.names.scopes.module, "call"
    )
    if func.attr == "astype" and call.args and (finding := dtype_finding(site, call.args[0])) is not None:
        yield Outcome(reference.span, "flagged", (), (finding,))
        return
    outcome = apply_rule(site, reference, call, rule, signature, func.value)
    if func.attr in ("all", "any") and is_complex(site, func.value):
        outcome = replace(outcome, decisions=(*outcome.decisions, *compare_with_zero(site, func.value).decisions))
    yield outcome


def _attribute(site: Site, node: ast.Attribute) -> Iterator[Outcome]:
    target = f"numpy.ndarray.{node.attr}"
    rule = site.rulebook.find(target)
    if rule is None or node.attr in _BY_DISPATCH or node.attr in traits.ARRAY_METHODS:
        yield from _problem(site, node)  # a method that is handed on is one of tensors' own, by the helper module
        return
    reference = Span(site.span(node.value).end, site.span(node).end)
    whole, receiver = site.span(node), site.span(node.value)
    if rule.form == "inline":
        try:
            made = expand(rule, Bound({rule.parameters[0][0]: node.value}), site.source, site.table, site.aliases)
        except Refused:
            pass
        else:
            yield Outcome(reference, "rewritten", (Decision(whole, made.parts, rule=target),))
            return
    parts = (f"{site.helper(rule.name)}(", receiver, ")")
    yield Outcome(reference, "helper", (Decision(whole, parts, rule=target),), (), frozenset({rule.name}))


def _may_be_array(site: Site, node: ast.expr) -> bool:
    """Whether nothing speaks against it that a member, which nothing else has, shows something to be an array."""
    value = site.value(node)
    return value.kind == "unknown" or (value.is_array and value.dtype not in HOST_DTYPES)


def _lacking(site: Site, node: ast.expr) -> Iterator[Outcome]:
    """A member by which something is known for an array, though nothing else says so, and which no tensor has."""
    member = node.func if isinstance(node, ast.Call) else node
    if not isinstance(member, ast.Attribute):
        return
    is_lacking = site.value(member.value).is_array and site.rulebook.find(f"numpy.ndarray.{member.attr}") is None
    if member.attr in traits.ONLY_NDARRAYS_HAVE or is_lacking or _asks_for_memory(site, member):
        yield from _problem(site, member)


def _asks_for_memory(site: Site, node: ast.Attribute) -> bool:
    """Whether something is asked for its memory as only arrays are: `x.flags["C_CONTIGUOUS"]`."""
    above = site.parent(node)
    if node.attr != "flags":
        return False
    if isinstance(above, ast.Attribute):
        return above.attr in _FLAGS
    key = above.slice if isinstance(above, ast.Subscript) else None
    return isinstance(key, ast.Constant) and str(key.value).lower() in _FLAGS


def _problem(site: Site, node: ast.Attribute) -> Iterator[Outcome]:
    code = member_problem(node.attr)
    if code is not None:
        span = Span(site.span(node.value).end, site.span(node).end)
        message = f"`.{node.attr}` of an array: a tensor has no such member"
        yield Outcome(span, "flagged", (), (site.finding(code, span, message, f"numpy.ndarray.{node.attr}"),))
    elif node.attr in traits.MUTATING_METHODS and not _is_called(site, node):
        span = Span(site.span(node.value).end, site.span(node).end)
        message = f"`.{node.attr}` is handed on, and a tensor cannot be changed in place: call it here"
        yield Outcome(span, "flagged", (), (site.finding("TNP317", span, message, f"numpy.ndarray.{node.attr}"),))
