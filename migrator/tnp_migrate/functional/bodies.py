"""The functions and modules that the functional stage looks at, and in which order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.analysis.effects import callers_in, may_write
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.functional.known import Known
from tnp_migrate.program.index import Function, Index, Module

Body = Function | Module


def key_of(body: Body) -> tuple[str, str]:
    """A body by its module and its place in that."""
    return (body.module.name, body.place) if isinstance(body, Function) else (body.name, "")


@dataclass(eq=False)
class Bodies:
    """The bodies of a project, by what they call and what stands inside them."""

    index: Index
    summaries: dict[Function | Module, Summary]
    neighbours: dict[Body, tuple[Body, ...]] = field(default_factory=dict)
    inner: dict[Function, tuple[Function, ...]] = field(default_factory=dict)

    @cached_property
    def with_writes(self) -> dict[Body, None]:
        """The innermost functions and modules around each write."""
        found: dict[Body, None] = {}
        for summary in self.summaries.values():
            for site in summary.sites:
                found[self.innermost(summary.module, site.node)] = None
            nodes = {site.node for site in summary.sites}
            for call, functions in summary.calls:  # who writes to an array only because a caller passes one
                for function in functions if call in nodes else ():
                    if function in self.summaries and self.summaries[function].mutated_parameters():
                        found[function] = None
        nests = dict.fromkeys(one.outermost for one in found if isinstance(one, Function))
        for nest in nests:  # with those inside: they hold and hand on the same variables
            inside = self.inside(nest)
            found |= dict.fromkeys((nest, *inside) if inside else ())
        return found

    def inside(self, function: Function) -> tuple[Function, ...]:
        """The functions inside a function, however deep."""
        if function not in self.inner:
            functions = function.module.functions
            self.inner[function] = tuple(functions[one] for one in function.nodes[1:] if one in functions)
        return self.inner[function]

    def rarely_meant(self) -> Iterator[Function]:
        """The methods that write to an argument, for all that calls on something unknown are not taken for them."""
        for summary in self.summaries.values():
            for call, functions in summary.calls:
                yield from (one for one in functions if not may_write(self.index, summary.module, call, one))

    def innermost(self, module: Module, node: ast.AST) -> Body:
        """The innermost function around a node, else the module."""
        return module.functions.get(node) or module.function_around(node) or module

    def callers(self, known: Known) -> list[Body]:
        """The bodies that call a function which gives back what it writes to, or writes to what is not its own."""
        tables = (
            known.conventions, known.written_attributes, known.written_variables, known.written_items, known.gives,
            known.keeps,
        )  # fmt: skip
        wanted = {one for one in known.refused if isinstance(one, Function) and one.yields}.union(*tables)
        found: dict[Body, None] = {}
        for summary in self.summaries.values():
            for call, functions in summary.calls:
                if not wanted.isdisjoint(functions):
                    found[self.innermost(summary.module, call)] = None
        return list(found)

    def users(self, known: Known) -> list[Body]:
        """The bodies that name a variable of a module which functions write to: they may hold its array."""
        written = {(one.scope, one.name) for ones in known.written_variables.values() for one in ones}
        found: dict[Body, None] = {}
        for module in self.index.modules.values() if written else ():
            scopes = module.names.scopes
            for name in [name for scope, name in written if scope is scopes.module]:
                nodes = [use.node for use in scopes.uses.get(name, ()) if use.scope.owner(name) is scopes.module]
                found |= dict.fromkeys(self.innermost(module, one) for one in [*nodes, *scopes.module.bound[name]])
        return list(found)

    def summary_around(self, body: Body) -> Summary:
        """The summary that has what a body does: of the outermost function around it."""
        if body in self.summaries:
            return self.summaries[body]
        assert isinstance(body, Function)
        return self.summaries[body.outermost]

    def beside(self, body: Body) -> tuple[Body, ...]:
        """The functions that a body calls, holds or stands in."""
        if body not in self.neighbours:
            found: dict[Body, None] = {one: None for _, ones in self.summary_around(body).calls for one in ones}
            if isinstance(body, Function):
                module, scopes = body.module, body.module.names.scopes
                found |= dict.fromkeys(
                    module.functions[one] for one in scopes.ancestors(body.node) if one in module.functions
                )
                outermost = body.outermost
                found |= dict.fromkeys(one for one in (outermost, *self.inside(outermost)) if one is not body)
            self.neighbours[body] = tuple(found)
        return self.neighbours[body]

    @cached_property
    def _calling(self) -> dict[Function, list[Summary]]:
        return callers_in(self.summaries)

    def callers_of(self, function: Function) -> list[Function]:
        """The outermost functions with calls that may reach a function."""
        return [one.function for one in self._calling.get(function, ()) if one.function is not None]

    def in_order(self, bodies: list[Body]) -> list[Body]:
        """Bodies behind those that they call, as far as calls go one way."""
        wanted, entered = set(bodies), set[Body]()
        found: dict[Body, None] = {}
        for first in bodies:
            pending: list[tuple[Body, bool]] = [(first, False)]
            while pending:
                body, done = pending.pop()
                if done:
                    found[body] = None
                elif body not in entered:
                    entered.add(body)
                    pending += [(body, True), *((one, False) for one in self.beside(body) if one in wanted)]
        return list(found)
