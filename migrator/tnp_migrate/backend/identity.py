"""NumPy functions told apart by identity: callers hold NumPy's own or the one that stands for it here.

Input `if combine is np.add:`, output `if combine is np.add or combine is tnp.add:`.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Decision, Outcome, Part
from tnp_migrate.program.names import Reference

_SAME = {ast.Is: " is ", ast.Eq: " == "}
_OTHER = {ast.IsNot: " is not ", ast.NotEq: " != "}
_LOOSE = (ast.If, ast.While, ast.Assert, ast.Return, ast.Assign, ast.IfExp)


def accept_both(site: Site, reference: Reference, outcome: Outcome) -> Outcome:
    """Let a test for a function hold for NumPy's as well: islands, and callers outside the project, pass that."""
    above = site.parent(reference.node)
    if len(outcome.decisions) != 1 or len(outcome.decisions[0].parts) != 1 or not isinstance(reference.node, ast.expr):
        return outcome
    if site.table.tnp.get(reference.name) is None and site.rulebook.find(reference.name) is None:  # no function
        return outcome
    new = str(outcome.decisions[0].parts[0])
    if isinstance(above, ast.Tuple | ast.List | ast.Set):
        return _in_collection(site, reference, outcome, above, new)
    if isinstance(above, ast.Compare) and len(above.ops) == 1:
        return _in_comparison(site, reference, outcome, above, new)
    return outcome


def _in_collection(
    site: Site, reference: Reference, outcome: Outcome, holder: ast.Tuple | ast.List | ast.Set, new: str
) -> Outcome:
    above = site.parent(holder)
    if not isinstance(above, ast.Compare) or not isinstance(above.ops[0], ast.In | ast.NotIn) or above.left is holder:
        return outcome
    if any(ast.unparse(one) == new for one in holder.elts):  # an earlier run has written it
        return replace(outcome, bin="kept", decisions=(), findings=(), helpers=frozenset())
    text = site.source.text(reference.span)
    decision = Decision(reference.span, (f"{text}, {new}",), rule="identity")
    return replace(outcome, bin="rewritten", decisions=(decision,), findings=())


def _in_comparison(site: Site, reference: Reference, outcome: Outcome, test: ast.Compare, new: str) -> Outcome:
    kind = type(test.ops[0])
    operator = _SAME.get(kind) or _OTHER.get(kind)
    if operator is None:
        return outcome
    same = kind in _SAME
    other = test.comparators[0] if test.left is reference.node else test.left
    above = site.parent(test)
    wanted = f"{ast.unparse(other)}{operator}{new}"
    if isinstance(above, ast.BoolOp) and any(ast.unparse(one) == wanted for one in above.values):
        return replace(outcome, bin="kept", decisions=(), findings=(), helpers=frozenset())
    text, place = site.source.text(reference.span), site.span(other)
    parts: tuple[Part, ...]
    if all(isinstance(one, ast.Name | ast.Attribute | ast.Load) for one in ast.walk(other)):
        joined = ast.Or if same else ast.And
        parts = (place, operator, text, " or " if same else " and ", place, operator, new)
        if not isinstance(above, _LOOSE) and not (isinstance(above, ast.BoolOp) and isinstance(above.op, joined)):
            parts = ("(", *parts, ")")
    else:  # evaluated once
        parts = (place, " in " if same else " not in ", f"({text}, {new})")
    return replace(
        outcome, bin="rewritten", decisions=(Decision(site.span(test), parts, rule="identity"),), findings=()
    )
