"""What functions do to attributes and outer variables, themselves or by all that they run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.functional.known_callers import Running
from tnp_migrate.program.attributes import Attributes, attribute_name, attributes_bound_by
from tnp_migrate.program.index import Function, Module
from tnp_migrate.program.reachability import Closure
from tnp_migrate.program.scopes import Scope


@dataclass(eq=False)
class Reached:
    """Each table is a closure over the graph of calls, made when it is first asked for."""

    summaries: dict[Function | Module, Summary]
    running: Running
    _bound: dict[tuple[Function, ...], Attributes] = field(default_factory=dict)

    @cached_property
    def binds(self) -> Closure[Function | str, str]:
        """The attributes, by their keys, that functions bind anew."""
        return self.running.closure(attributes_bound_by)

    def bound_by(self, functions: list[Function]) -> Attributes:
        """The attributes that some functions bind anew."""
        known = tuple(functions)
        if known not in self._bound:
            self._bound[known] = Attributes(self.binds.of(functions))
        return self._bound[known]

    @cached_property
    def stores(self) -> Closure[Function | str, str]:
        """The bare names of the attributes that they bind."""
        return self.running.closure(_stored_in)

    @cached_property
    def declares(self) -> Closure[Function | str, tuple[Scope, str]]:
        """The variables of others that they declare with `global` and `nonlocal`."""
        return self.running.closure(_declared_in)

    @cached_property
    def writes(self) -> Closure[Function | str, str | None]:
        """The outer variables that they write to, and attributes, by their names behind a dot; None for all."""
        return self.running.closure(self._written_in)

    def _written_in(self, function: Function) -> Iterator[str | None]:
        if function not in self.summaries:
            yield None
            return
        for kind, name in self.summaries[function].mutated:
            if kind in ("global", "attribute"):
                yield name if kind == "global" else f".{attribute_name(name)}"


def _stored_in(function: Function) -> Iterator[str]:
    nodes = (one for one in function.nodes if isinstance(one, ast.Attribute))
    return (one.attr for one in nodes if not isinstance(one.ctx, ast.Load))


def _declared_in(function: Function) -> Iterator[tuple[Scope, str]]:
    for name in function.scope.globals | function.scope.nonlocals:
        owner = function.scope.owner(name)
        if owner is not None:
            yield owner, name
