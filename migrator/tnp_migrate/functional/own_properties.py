"""Properties that compute what they give: `kf.R *= 5` hands their setter what the operator has made of that.

A write to an item of what such a getter gives is one to an array that nobody else has, and is lost.
"""

from __future__ import annotations

import ast

from tnp_migrate.functional.access_paths import Path
from tnp_migrate.functional.known import Known
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.unit import Unit
from tnp_migrate.program.index import Function


def binds_computed(unit: Unit, known: Known, statement: ast.AST, path: Path, getter: Function) -> bool:
    """Whether a statement is an operator in place on all that a getter gives, which makes it anew each time."""
    if not isinstance(statement, ast.AugAssign) or unit.path(statement.target) != path:
        return False
    returns = [one for one in getter.nodes if isinstance(one, ast.Return)]
    around = known.unit_at(getter.module, getter.node.body[-1])
    return bool(returns) and not any(one.value is None or origins(around, known, one.value) for one in returns)
