"""Which definitions reach a name: `image` in `image = image.astype(t); image -= 1` is the copy, and not the parameter.

Definitions and uses are those of the intermediate representation, in SSA form. A variable that functions inside use,
or a loop or a pattern binds, is not followed: what its name may be anywhere in the function holds for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.ir.lowering import bodies_of
from tnp_migrate.ir.state import ModuleBodies
from tnp_migrate.program.index import Function, Module

_SAME = frozenset({"copy", "phi"})
_OPEN = frozenset("global cell attribute next unpack exception enter unknown".split())


@dataclass(eq=False)
class Flows:
    """The bodies of functions, each lowered when it is asked for."""

    _modules: dict[Module, ModuleBodies] = field(default_factory=dict)

    def body(self, function: Function) -> Body:
        """The body of an outermost function."""
        made = self._bodies(function.module)
        return made.of[function.node] if function.node in made.of else made.add(function.node, None)

    def body_for(self, function: Function, constants: frozenset[tuple[str, object]]) -> Body:
        """The body of an outermost function as calls with some constants run it."""
        return self._bodies(function.module).add_for(self.body(function), dict(constants))

    def _bodies(self, module: Module) -> ModuleBodies:
        if module not in self._modules:
            self._modules[module] = bodies_of(module.names.scopes)
        return self._modules[module]


def definitions(body: Body, name: ast.Name) -> Iterator[ast.expr | str | None]:
    """What a name may have been bound to where it stands: expressions, and parameters by their names.

    None stands for what is not followed.
    """
    if name not in body.registers:
        yield None
    for one in _on_the_way(body, name):
        if not _passed_on(one):
            yield from _defined(one)


def names_on_the_way(body: Body, name: ast.Name) -> frozenset[str]:
    """The variables that what a name has was bound to before."""
    bound = (str(one.detail) for one in _on_the_way(body, name) if one.operation in _SAME)
    return frozenset((name.id, *bound))


def _on_the_way(body: Body, name: ast.Name) -> Iterator[Instruction]:
    """The instructions that what a name has may have come through, back to those that made it."""
    pending = [body.registers[name]] if name in body.registers else []
    seen = set(pending)
    while pending:
        one = body.instructions[pending.pop()]
        yield one
        before = _passed_on(one)
        pending += [each for each in before if each not in seen]
        seen.update(before)


def _passed_on(one: Instruction) -> tuple[int, ...]:
    """The registers that an instruction gives on as they are."""
    if one.operation == "augmented":
        return one.operands[:1]
    return one.operands if one.operation in _SAME else ()


def _defined(one: Instruction) -> Iterator[ast.expr | str | None]:
    if one.operation == "parameter":
        yield str(one.detail)
    elif one.operation in _OPEN and not isinstance(one.node, ast.Attribute):
        yield None
    elif isinstance(one.node, ast.expr):
        yield one.node
    elif one.operation not in ("undefined", "constant", "function", "class", "import", *_SAME):
        yield None
