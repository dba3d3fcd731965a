"""What the body of a loop sees, itself or by what it calls: while it runs, some places have their old arrays."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tnp_migrate.analysis.effects import callees
from tnp_migrate.functional.fresh_attributes import is_closed
from tnp_migrate.functional.known import Known
from tnp_migrate.functional.loop_parts import builtin_called
from tnp_migrate.functional.mentioned import mentions_of, waiting_in
from tnp_migrate.functional.unique_holder import is_of_numpy
from tnp_migrate.functional.unit import Unit
from tnp_migrate.program.nodes import LAZY, walk

_WALKS = frozenset({"zip", "enumerate", "reversed"})
_WRITTEN = (ast.List, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp, ast.Dict, ast.Set, ast.Constant)
_WAITS = (ast.Yield, ast.YieldFrom, ast.Await)
_HELD = frozenset({"__dict__", "__getattribute__", "__getattr__"})
_CALLED = frozenset("__init__ __call__ __enter__ __exit__ __new__ __repr__ __str__".split())


@dataclass(eq=False)
class Sights:
    """One loop, with what its body mentions."""

    unit: Unit
    known: Known
    loop: ast.For

    def seen(
        self, roots: Collection[str], attributes: Collection[str], *, bound: Collection[str], closed: bool, lent: bool
    ) -> ast.AST | None:
        """What in the loop may look at variables, or at attributes of whatever object, or binds some variables anew.

        `closed` where calls may do so: nothing may run that is not known. `lent` where a caller has the arrays.
        """
        for one in self._inside():
            if isinstance(one, _WAITS):
                return one
            if isinstance(one, ast.Name) and (one.id in roots or (one.id in bound and _is_stored(one))):
                return one
            if isinstance(one, ast.Attribute) and (one.attr in attributes or one.attr in _HELD):
                return one
            if closed and isinstance(one, ast.Call) and self._may_see(one, attributes):
                return one
        found = self._binding(attributes) if closed else None
        return found or (self._waiting(attributes) if closed or lent else None)

    def _inside(self) -> Iterator[ast.AST]:
        """The nodes of the body, and those of the head that are evaluated turn by turn."""
        for statement in self.loop.body:
            yield from walk(statement)
        for one in walk(self.loop.iter):
            if isinstance(one, ast.GeneratorExp):
                yield from walk(one)

    def _may_see(self, call: ast.Call, attributes: Collection[str]) -> bool:
        """Whether a call may run something that looks at one of some attributes, or at variables of others."""
        if is_of_numpy(self.unit, call):
            return False
        if not attributes or not is_closed(self.unit, call, self.known.running.tops):
            return True
        named = mentions_of(self.known).of(callees(self.unit.module, self.unit.index, call))
        return None in named or not named.isdisjoint(attributes)

    def _binding(self, attributes: Collection[str]) -> ast.AST | None:
        """A call in the head of the loop that may bind one of some attributes, or write to its array."""
        calls = [one for one in walk(self.loop.iter) if isinstance(one, ast.Call)]
        for one in [one for one in calls if builtin_called(self.unit, one) not in _WALKS]:
            if not is_of_numpy(self.unit, one) and self._may_bind(one, attributes):
                return one
        return None

    def _waiting(self, attributes: Collection[str]) -> ast.AST | None:
        """What goes over something that may be computed turn by turn, by code that mentions such an attribute."""
        opened = next((one for one in self._walked(self.loop.iter) if not self._is_there(one)), None)
        waiting = waiting_in(self.known) if opened is not None else frozenset[str | None]()
        if waiting and (None in waiting or not attributes or not waiting.isdisjoint(attributes)):
            return opened
        methods = self.unit.index.methods
        run = [one for name, ones in methods.items() if name[:2] == "__" and name not in _CALLED for one in ones]
        return self.loop if mentions_of(self.known).of(run).intersection(attributes) else None

    def _walked(self, given: ast.expr) -> Iterator[ast.expr]:
        """What a loop goes over, through `zip` and the like."""
        if isinstance(given, ast.Call) and builtin_called(self.unit, given) in _WALKS:
            for one in given.args:
                yield from self._walked(one)
        else:
            yield given

    def _is_there(self, given: ast.expr) -> bool:
        """Whether all that a loop takes of an expression is there before it starts."""
        if isinstance(given, ast.Call):
            return is_of_numpy(self.unit, given) and getattr(given.func, "id", "") not in LAZY
        return isinstance(given, _WRITTEN) or self.unit.value(given).is_array

    def _may_bind(self, call: ast.Call, attributes: Collection[str]) -> bool:
        """Whether a call in the head of a loop may bind one of some attributes, or write to its array."""
        if not attributes or not is_closed(self.unit, call, self.known.running.tops):
            return True
        called = callees(self.unit.module, self.unit.index, call)
        written = self.known.reached.writes.of(called)
        stored = self.known.reached.stores.of(called)
        return None in written or any(one in stored or f".{one}" in written for one in attributes)


def _is_stored(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)
