"""Functions that use what only an ndarray has: they stay on NumPy as islands."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.index import Function, Index, Module
from tnp_migrate.islands import Reason, outermost
from tnp_migrate.names_table import flagged, member_problem
from tnp_migrate.rulebook import Rulebook
from tnp_migrate.scopes import Scope

# Strides, structured, text, time, matrix, masked, mapped and extended-precision arrays, and iterators over memory.
_HOST_ONLY = frozenset("TNP408 TNP410 TNP411 TNP412 TNP413 TNP414 TNP415 TNP418 TNP424".split())


def find_needs(index: Index, rulebook: Rulebook | None) -> dict[Function, Reason]:
    """Find functions that take memory layout, flags or other members of a proven array, and ndarray's subclasses."""
    found: dict[Function, Reason] = {}
    for module in index.modules.values():
        scopes = module.names.scopes
        for node, value in module.values.items():
            if value.dtype == "object" and isinstance(node, ast.expr):
                owner = outermost(module, _scope(scopes.of, scopes.ancestors(node), scopes.module))
                if owner is not None:
                    found.setdefault(
                        owner, Reason("TNP409", node, "an array of objects is none of numbers", whole=True)
                    )
            if not isinstance(node, ast.Attribute):
                continue
            receiver = module.values.get(node.value)
            if receiver is None or not receiver.is_array or not receiver.sure or member_problem(node.attr) is None:
                continue
            if rulebook is not None and rulebook.find(f"numpy.ndarray.{node.attr}") is not None:
                continue
            owner = outermost(module, _scope(scopes.of, scopes.ancestors(node), scopes.module))
            if owner is not None:
                code = member_problem(node.attr) or "TNP408"
                found.setdefault(owner, Reason(code, node, f"`.{node.attr}` is for ndarrays only", whole=True))
            del value
        for reference in module.names.references:
            flaw = flagged(reference.name)
            if flaw is None or flaw[0] not in _HOST_ONLY or reference.context == "annotation":
                continue
            if rulebook is not None and rulebook.find(reference.name) is not None:
                continue
            owner = outermost(module, reference.scope)
            if owner is not None:
                name = f"np{reference.name[5:]}"
                found.setdefault(
                    owner, Reason(flaw[0], reference.node, f"{name} gives what no tensor can hold", whole=True)
                )
        for owner, node in _beside_exact_numbers(module):
            text = f"`{ast.unparse(node)}` is used beside NumPy here: no tensor holds such numbers"
            found.setdefault(owner, Reason("TNP409", node, text, whole=True))
        for one in module.classes.values():
            bases = [module.names.of(base, one.scope.parent or scopes.module) for base in one.node.bases]
            if any(base and base.startswith("numpy.") for base in bases):
                for method in one.methods.values():
                    found.setdefault(
                        method, Reason("TNP416", one.node, "its class derives from a NumPy class", whole=True)
                    )
    return found


def _beside_exact_numbers(module: Module) -> Iterator[tuple[Function, ast.expr]]:
    """Functions of a module where some take Decimal or Fraction and use NumPy, which computes with them as objects."""
    if not any(name in module.source.body for name in (b"decimal", b"fractions")):
        return
    users: dict[Function, None] = {}
    for reference in module.names.references:
        owner = outermost(module, reference.scope) if reference.context != "annotation" else None
        if owner is not None:
            users[owner] = None
    scopes = module.names.scopes
    exact = [
        use.node
        for name, uses in scopes.uses.items()
        if name in ("Decimal", "Fraction", "decimal", "fractions")
        for use in uses
        if (module.names.of(use.node, use.scope) or "").partition(".")[0] in ("decimal", "fractions")
        and outermost(module, use.scope) in users
    ]
    yield from ((owner, exact[0]) for owner in users if exact)


def _scope(of, ancestors, module: Scope) -> Scope:  # type: ignore[no-untyped-def]  # noqa: ANN001
    return next((of[one] for one in ancestors if one in of), module)
