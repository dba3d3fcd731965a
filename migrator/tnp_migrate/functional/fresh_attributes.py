"""Attributes with an array made here, which nothing else holds, and the calls that may change that.

After `self.x = np.zeros(3)` the array is the attribute's alone, whoever holds that of other objects, until a call takes
hold of an `x`, binds one, or runs what is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from tnp_migrate.analysis.effects import callees
from tnp_migrate.functional.hoisted_calls import ALL, Ordering
from tnp_migrate.functional.unique_holder import RUNNERS
from tnp_migrate.functional.unit import Unit
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Function

_LAZILY = ""  # no attribute's name
_CLOSED = frozenset("array list tuple dict set str shape rng".split())


@dataclass(eq=False)
class Freshness(Ordering):
    """What calls do to attributes with an array of their own."""

    touched: dict[ast.Call, Container[str]] = field(default_factory=dict)

    def age(self, call: ast.Call) -> None:
        """Forget that attributes are the only ones to have their arrays, where a call may change that."""
        if not self.now.fresh:
            return
        if call not in self.touched:
            self.touched[call] = self._touched_by(call)
        names = self.touched[call]
        kept = (path for path in self.now.fresh if not any(part[1:] in names for part in path if part[0] == "."))
        self.now.fresh = set(kept)

    def _touched_by(self, call: ast.Call) -> Container[str]:
        """The attributes whose arrays a call may take hold of, and those that it may bind."""
        if not is_closed(self.unit, call, self.known.running.tops):
            return ALL
        if self.known.touched is None:
            self.known.touched = self.known.running.closure(self._touched_in)
        called = callees(self.unit.module, self.unit.index, call)
        found = {*self.known.touched.of(called), *(self.known.touched_by_python if called else ())}
        if None in found:
            return ALL
        names = {one for one in found if one}
        self.lazily |= names if _LAZILY in found else set()
        return names

    def _touched_in(self, function: Function) -> Iterator[str | None]:
        """The same of a function itself: None for all attributes, `_LAZILY` for a generator."""
        if not self._is_open_to_view(function):
            yield None
            return
        yield from self.known.touched_in(function)
        yield from [_LAZILY] if function.yields else []

    def _is_open_to_view(self, function: Function) -> bool:
        """Whether all that a function runs is known: by calls, and by the names of methods that need none."""
        unit = self.known.unit_at(function.module, function.node.body[0])
        parent, methods = function.module.names.scopes.parent, unit.index.methods
        for one in function.nodes:
            if isinstance(one, ast.Call) and not is_closed(unit, one, self.known.running.tops):
                return False
            if isinstance(one, ast.Attribute) and one.attr in methods:
                above = parent.get(one)
                if not (isinstance(above, ast.Call) and above.func is one):
                    return False
        return function in self.known.summaries


def is_closed(unit: Unit, call: ast.Call, own: Container[str]) -> bool:
    """Whether a call runs no function of the project but those that it is known to reach.

    `own` are the names of the project's packages.
    """
    given = [*call.args, *(word.value for word in call.keywords)]
    if any(isinstance(one, ast.Lambda) or unit.value(one).kind in ("function", "class") for one in given):
        return False
    if isinstance(call.func, ast.Name) and unit.scope.owner(call.func.id) is None:
        return call.func.id not in RUNNERS
    keeps = isinstance(call.func, ast.Attribute) and call.func.attr in traits.KEEPING_METHODS
    if isinstance(call.func, ast.Attribute) and (keeps or unit.value(call.func.value).kind in _CLOSED):
        return True  # `append` is a list's, or one of the project, which is looked into
    if callees(unit.module, unit.index, call) or unit.value(call.func).kind == "class":
        return True
    root = (unit.qualified(call.func) or "").partition(".")[0]
    return root in ("numpy", "math") or (bool(root) and root not in own and not any(map(unit.may_be_run, given)))
