"""The state of lowering: the body that is made, the scope that the text is in, loops and `finally` around it.

A `return` behind which a `finally` has to run goes on there; after it control may pass on to all places that any way
into it leads to, which is more than Python does and never less.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tnp_migrate.ir.captures import Cell
from tnp_migrate.ir.instructions import Block, Body
from tnp_migrate.ir.ssa import Builder
from tnp_migrate.program.scopes import Scope, Scopes, all_arguments, defaults_of

NOTHING: Mapping[ast.AST, ast.expr] = {}
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Tables:
    """What lowers each kind of node."""

    expressions: Mapping[type[ast.expr], Callable[[Any, Any], int]]
    statements: Mapping[type[ast.stmt], Callable[[Any, Any], None]]
    unknown: Callable[[Any, Any], int]


@dataclass(eq=False)
class Loop:
    """Where `break` and `continue` lead, and how many `finally` are around the loop."""

    behind: Block
    head: Block
    finals: int


@dataclass(eq=False)
class Final:
    """A `finally`: where it begins, and where the ways into it lead on to."""

    block: Block
    onward: list[Block] = field(default_factory=list)


@dataclass(eq=False)
class Lowering:
    """The state of lowering one body."""

    module: ModuleBodies
    body: Body
    scope: Scope
    build: Builder
    loops: list[Loop] = field(default_factory=list)
    finals: list[Final] = field(default_factory=list)
    classes: dict[Scope, int] = field(default_factory=dict)  # the registers of the classes whose bodies this is in

    def emit(
        self, operation: str, operands: tuple[int, ...] = (), detail: object = None, node: ast.AST | None = None
    ) -> int:
        """Add an instruction; what an expression gives is known by its node."""
        register = self.build.emit(operation, operands, detail, node)
        if node is not None:
            self.body.registers[node] = register
        return register

    def expression(self, node: ast.expr) -> int:
        """Lower an expression; gives its register."""
        shown = self.module.stand_ins.get(node, node)
        register = self.module.tables.expressions.get(type(shown), self.module.tables.unknown)(self, shown)
        self.body.registers[node] = register
        return register

    def asked(self, node: ast.expr) -> int:
        """Lower an expression that Python asks for its truth, its text or its hash, which may run methods of it."""
        register = self.expression(node)
        if not _gives_builtin(node):
            self.build.emit("asked", (register,), None, node)
        return register

    def statements(self, nodes: list[ast.stmt]) -> None:
        """Lower statements; in a `try` each begins a block, since an exception shows what those before it did."""
        for node in nodes:
            if self.build.handlers and self.build.current is not None:
                self.build.follow(self.build.current)
            self.module.tables.statements[type(node)](self, node)
            if self.build.current is None and self.body.constants:
                break  # the rest does not run

    def join(self, *ends: Block | None) -> None:
        """Go on behind those of some ends that can be reached."""
        live = [one for one in ends if one is not None]
        if live:
            self.build.follow(*live)
        else:
            self.build.current = None

    def load(self, name: str, node: ast.AST) -> int:
        """Read a variable."""
        owner = self.scope.owner(name)
        if owner is None or (owner.kind == "module" and name not in self.module.private):
            return self.emit("global", (), name, node)
        if owner in self.classes:
            return self.emit("attribute", (self.classes[owner],), name, node)
        if (owner, name) in self.module.cells:
            return self.emit("cell", (), (owner, name), node)
        return self.build.read((owner, name))

    def store(self, name: str, value: int, node: ast.AST) -> None:
        """Bind a variable."""
        owner = self.scope.owner(name) or self.scope.module
        if owner.kind == "module" and name not in self.module.private:
            self.emit("set_global", (value,), name, node)
        elif owner in self.classes:
            self.emit("set_attribute", (self.classes[owner], value), name, node)
        elif (owner, name) in self.module.cells:
            self.emit("set_cell", (value,), (owner, name), node)
        else:
            self.build.bind((owner, name), self.emit("copy", (value,), name, node))

    def function(self, node: FunctionNode) -> int:
        """Lower a function or a lambda as a body of its own; gives the register of the function object."""
        defaults = defaults_of(node.args)
        given = tuple(self.expression(one) for one in defaults.values())
        inner = self.module.add(node, self.body)
        self.body.inner.append(inner)
        return self.emit("function", given, (inner, tuple(defaults)), node)

    def leave(self, target: Block, finals: int) -> None:
        """Let control pass to a block, by the `finally` around that are more than `finals`; what follows is not run."""
        if len(self.finals) > finals:
            self.build.goto(self.finals[-1].block)
            self.finals[-1].onward.append(target)
        else:
            self.build.goto(target)
        self.build.current = None

    def leave_body(self) -> None:
        """Let control pass out of the body, by all `finally` around."""
        if self.finals:
            self.build.goto(self.finals[-1].block)
        self.build.current = None


@dataclass(eq=False)
class ModuleBodies:
    """The bodies of one module, and those of its nodes that could not be lowered, being nested too deeply."""

    scopes: Scopes
    tables: Tables
    cells: frozenset[Cell]
    bodies: list[Body] = field(default_factory=list)
    of: dict[ast.AST, Body] = field(default_factory=dict)
    failed: set[ast.AST] = field(default_factory=set)
    stand_ins: Mapping[ast.AST, ast.expr] = field(default_factory=dict)  # by expressions, what is read in their place
    private: frozenset[str] = frozenset()  # variables of the module that are its own statements' alone

    def add(self, node: FunctionNode | ast.Module, outer: Body | None) -> Body:
        """Lower a body; one that is nested too deeply is left empty, and named in `failed`."""
        scope = self.scopes.of[node]
        name = "<module>" if isinstance(node, ast.Module) else getattr(node, "name", "<lambda>")
        body = Body(name, node, scope, outer)
        self.bodies.append(body)
        self.of[node] = body
        self._lower_whole(body)
        return body

    def add_for(self, body: Body, constants: Mapping[str, object]) -> Body:
        """Lower a body once more, without what does not run where some parameters are known."""
        made = Body(body.name, body.node, body.scope, body.outer, constants=constants)
        self._lower_whole(made)
        return made

    def _lower_whole(self, body: Body) -> None:
        try:
            self._lower(body)
        except RecursionError:
            body.blocks, body.instructions, body.registers = [], [], {}
            self.failed.add(body.node)

    def _lower(self, body: Body) -> None:
        state = Lowering(self, body, body.scope, Builder(body))
        state.build.follow()
        node = body.node
        if isinstance(node, ast.Module):
            state.statements(node.body)
            return
        for argument in all_arguments(node.args):
            register = state.emit("parameter", (), argument.arg, argument)
            body.parameters[argument.arg] = register
            state.store(argument.arg, register, argument)
        if isinstance(node, ast.Lambda):
            value = state.expression(node.body)  # which the node stands for, and not for what returns it
            state.build.emit("return", (value,), None, node.body)
        else:
            state.statements(node.body)


def _gives_builtin(node: ast.expr) -> bool:
    """Whether an expression surely gives a number, a text, a truth value or `None`."""
    if isinstance(node, ast.Compare):
        return all(isinstance(one, ast.Is | ast.IsNot | ast.In | ast.NotIn) for one in node.ops)
    is_not = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return is_not or isinstance(node, ast.Constant | ast.JoinedStr)
