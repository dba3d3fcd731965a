"""Functions of NumPy that are passed on as values: who calls them is not known.

Input `class Act: f = np.tanh`, output `class Act: f = staticmethod(tnp.tanh)`: a ufunc is no method, a function is.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import lru_cache

from tnp_migrate.analysis.library_functions import body_like
from tnp_migrate.backend.sites import Site, short
from tnp_migrate.diagnostics.decisions import Outcome
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.signatures import names_of
from tnp_migrate.program.index import Index
from tnp_migrate.program.names import Reference, is_ufunc

# What calls a function that it is given at once, from where it is called itself.
_CALL_AT_ONCE = frozenset("map filter reduce starmap accumulate sorted min max".split())
_WRITTEN = ("_tnp_helpers.either", "_tnp_helpers.taking_options", "_tnp_helpers.as_ufunc")
# How a program asks something that it has in a variable, an item or an attribute for what only ufuncs have.
_OF_UFUNCS = re.compile(
    rb"""\.(?:nin|nout|nargs|ntypes|reduceat)\b|["'](?:nin|nout|nargs|ntypes|reduceat|reduce|accumulate|outer)["']|"""
    rb"""(?:\]|(?<![\w.])(?:self\.)?(?!(?:functools|itertools|np|numpy|tf|tnp|tnh)\.)\w+)\.(?:(?:reduce|accumulate|outer)\b|at\()"""
)
_AT = re.compile(rb"(?:\]|(?<![\w.])(?:self\.)?(?!(?:np|numpy|tf|tnp|tnh)\.)\w+)\.at\(")
_OPTIONS = frozenset("out where dtype casting order subok".split())
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Functions written in C, which no class makes methods of.
_BUILTIN = frozenset(
    "arange array asanyarray asarray ascontiguousarray asfortranarray empty frombuffer fromiter zeros".split()
)


def pass_on(site: Site, reference: Reference, outcome: Outcome) -> Outcome:
    """Let a function that is passed on be what NumPy's is to code that stays on NumPy, and in a class."""
    above = site.parent(reference.node)
    if isinstance(above, ast.Call) and (site.qualified(above.func) or "").endswith(_WRITTEN):
        return Outcome(reference.span, "kept")  # as an earlier run has written it
    if outcome.bin not in ("renamed", "helper") or reference.context != "value" or len(outcome.decisions) != 1:
        return outcome
    decision = outcome.decisions[0]
    if _is_called_by_islands(site, reference):
        name = "either"
        parts = (f"{site.helper(name)}(", reference.span, ", ", *decision.parts, ")")
        outcome = replace(outcome, bin="helper", helpers=outcome.helpers | {name})
        decision = replace(decision, parts=parts)
    elif is_ufunc(reference.name, site.table.numpy) and _asks_ufuncs(site.index, _OF_UFUNCS):
        name = "as_ufunc"
        parts = (f"{site.helper(name)}(", reference.span, ", ", *decision.parts, ")")
        findings = outcome.findings
        if _asks_ufuncs(site.index, _AT):
            message = (
                f"{short(reference.name)} is passed on, and something is asked for `at`: it cannot write to a tensor"
            )
            findings = (*findings, site.finding("TNP202", reference.span, message, reference.name))
        outcome = replace(outcome, bin="helper", helpers=outcome.helpers | {name}, findings=findings)
        decision = replace(decision, parts=parts)
    elif _is_given_options(site, reference):
        name = "taking_options"
        outcome = replace(outcome, bin="helper", helpers=outcome.helpers | {name})
        decision = replace(decision, parts=(f"{site.helper(name)}(", *decision.parts, ")"))
    if _is_bound_by_class(site, reference):
        decision = replace(decision, parts=("staticmethod(", *decision.parts, ")"))
    return replace(outcome, decisions=(decision,))


def _is_called_by_islands(site: Site, reference: Reference) -> bool:
    """Whether a function that hands back the memory of its argument may be called by what stays on NumPy."""
    name = reference.name
    if not (site.islands.functions or site.islands.modules) or name in traits.COPY_FUNCTIONS:
        return False
    above = site.parent(reference.node)
    above = site.parent(above) if isinstance(above, ast.keyword) else above
    called = getattr(above.func, "attr", getattr(above.func, "id", "")) if isinstance(above, ast.Call) else ""
    return body_like(name) in ("gives", "writes") and not isinstance(above, ast.Compare) and called not in _CALL_AT_ONCE


def _is_given_options(site: Site, reference: Reference) -> bool:
    """Whether the project calls what a variable holds with options that NumPy's function takes and the new one lacks.

    As `f(x, out=out)` does in a function with the parameters `f` and `out=None`.
    """
    name = reference.name
    rule = site.rulebook.find(name)
    own = [one for one, _ in rule.parameters] if rule is not None else names_of(site.table.tnp.get(name) or ())
    if rule is not None and (rule.takes_anything or isinstance(rule.node, ast.ClassDef)):
        return False
    lacking = {one.name for one in site.table.numpy.get(name, ())}.difference(own)
    return bool(lacking & _options_of_variables(site.index))


@lru_cache(maxsize=2)
def _asks_ufuncs(index: Index, members: re.Pattern[bytes]) -> bool:
    """Whether the project asks what it has been given for members of ufuncs."""
    return any(members.search(module.source.data) for module in index.modules.values())


@lru_cache(maxsize=1)
def _options_of_variables(index: Index) -> frozenset[str]:
    """The options of ufuncs that some call gives what a variable or an item holds."""
    found: set[str] = set()
    for module in index.modules.values():
        scopes = module.names.scopes
        for call in (one for calls in scopes.calls.values() for one in calls):
            words = _OPTIONS.intersection(word.arg for word in call.keywords if word.arg)
            if words and isinstance(call.func, ast.Name):
                owner = scopes.around(call).owner(call.func.id)
                bound = owner.bound.get(call.func.id, ()) if owner is not None else ()
                known = [one for one in bound if isinstance(one, (ast.alias, *_DEFINITIONS))]
                found |= words if bound and not known else set()
            elif words and isinstance(call.func, ast.Subscript):
                found |= words
    return frozenset(found)


def _is_bound_by_class(site: Site, reference: Reference) -> bool:
    """Whether the statements of a class bind a name to a function that NumPy does not make a method of it."""
    above = site.parent(reference.node)
    is_bound = isinstance(above, ast.Assign | ast.AnnAssign) and isinstance(site.parent(above), ast.ClassDef)
    name = reference.name
    return is_bound and (name.removeprefix("numpy.") in _BUILTIN or is_ufunc(name, site.table.numpy))
