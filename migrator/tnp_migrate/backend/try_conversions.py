"""Conversions to arrays inside `try`: the code asks whether NumPy can, and NumPy can more than TensorFlow.

Input `try: column = np.array(row[key])`, output `try: column = tnh.array_or_objects(row[key])`.
"""

from __future__ import annotations

import ast

from tnp_migrate.backend.sites import Site, end
from tnp_migrate.diagnostics.decisions import Outcome
from tnp_migrate.numpy_facts.libraries import LIBRARIES
from tnp_migrate.program.names import Reference

_CAUGHT = frozenset({"Exception", "BaseException", "TypeError", "ValueError"})
HELPER = "array_or_objects"


def convert_attempt(site: Site, reference: Reference, call: ast.Call) -> Outcome | None:
    """Keep objects and text in NumPy's arrays where a failure would be caught; None for every other conversion."""
    if reference.name not in ("numpy.array", "numpy.asarray") or len(call.args) != 1 or call.keywords:
        return None
    argument = call.args[0]
    if isinstance(argument, ast.Starred) or site.value(argument).kind != "unknown":
        return None
    if not _is_tried(site, call) and not _meets_array_likes(site):
        return None
    outcome = end(reference, "helper", site.helper(HELPER), rule="attempt")
    return Outcome(outcome.reference, outcome.bin, outcome.decisions, (), frozenset({HELPER}))


def _meets_array_likes(site: Site) -> bool:
    """Whether the file imports a library whose objects NumPy can make arrays of, and TensorFlow cannot."""
    imported = {name.partition(".")[0] for name in site.module.names.bindings.values() if name}
    return any(LIBRARIES[one].converts for one in imported & LIBRARIES.keys())


def _is_tried(site: Site, node: ast.AST) -> bool:
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
