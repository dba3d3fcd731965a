"""`np.ndarray` as a type: annotations and isinstance checks.

Input `isinstance(x, np.ndarray)`, output `isinstance(x, (np.ndarray, tf.Tensor))`: right whatever x is.
"""

from __future__ import annotations

import ast

from tnp_migrate.backend.sites import Site, end
from tnp_migrate.diagnostics.decisions import Decision, Outcome
from tnp_migrate.program.names import Reference

_ARRAY_TYPES = frozenset({"numpy.ndarray", "numpy.typing.NDArray"})


def annotate(site: Site, reference: Reference) -> Outcome:
    """An annotation of an array is one of a tensor; other annotations stay."""
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
    if reference.name != "numpy.ndarray" or reference.context == "call":
        return None
    above = site.parent(reference.node)
    holder = site.parent(above) if isinstance(above, ast.Tuple) else above
    text = site.source.text(reference.span)
    new = f"{text}, {site.tf('Tensor')}"
    if isinstance(above, ast.Tuple) and any(
        isinstance(one, ast.Attribute) and one.attr == "Tensor" for one in above.elts
    ):
        return end(reference, "kept")
    if (
        isinstance(holder, ast.Call)
        and isinstance(holder.func, ast.Name)
        and holder.func.id in ("isinstance", "issubclass")
    ):
        outcome = end(reference, "rewritten", new if isinstance(above, ast.Tuple) else f"({new})", rule="isinstance")
        found = site.finding("TNP104", reference.span, "the check for ndarray accepts tensors as well", reference.name)
        return Outcome(outcome.reference, outcome.bin, outcome.decisions, (found,))
    if isinstance(above, ast.ClassDef):
        found = site.finding("TNP416", reference.span, "a subclass of ndarray stays on NumPy", reference.name)
        return Outcome(reference.span, "flagged", (), (found,))
    if isinstance(above, ast.Compare):
        found = site.finding(
            "TNP209", reference.span, "a comparison of types: a tensor's type is not ndarray", reference.name
        )
        return Outcome(reference.span, "flagged", (), (found,))
    return end(reference, "kept")
