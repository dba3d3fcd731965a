"""Functions inside of functions: what the variables around them hold when they run, and not where they are defined."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tnp_migrate.numpy_facts.values import Value, join
from tnp_migrate.program.index import Function
from tnp_migrate.program.scopes import Scope


@dataclass(eq=False)
class Closure:
    """A function as it was defined: the values of the variables around it there, and those they have been given since.

    A variable that had none yet has what it is bound to first, and all that follows.
    """

    function: Function
    names: dict[str, Value]
    waits: bool  # for a variable that has no value yet
    is_bound_since: bool = False

    def note(self, name: str, value: Value) -> None:
        """Note that a variable is bound after the definition."""
        known = self.names.get(name)
        joined = value if known is None or known is value else join(known, value)
        if known != joined:
            self.names[name] = joined
            self.is_bound_since = True


def closure_of(function: Function, names: dict[str, Value], scope: Scope) -> Closure:
    """A function where it is defined, in a scope whose variables have some values."""
    used = {one.id for one in function.nodes if isinstance(one, ast.Name)}
    own = function.scope.bound.keys()
    return Closure(function, dict(names), waits=bool((used & scope.bound.keys()) - own - names.keys()))
