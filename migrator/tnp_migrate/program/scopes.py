"""Scopes of a module: which names each binds, and how. One walk over the tree collects them with all uses.

Input `def f(np): return np.sum(x)` gives a function scope that binds `np` as a parameter, and one use of `np` in it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from tnp_migrate.program.nodes import children, is_overload, walk

Kind = Literal["module", "class", "function", "comprehension"]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(eq=False)
class Scope:
    """A namespace. `bound` holds, for each name, the nodes that bind it here."""

    kind: Kind
    node: ast.AST
    parent: Scope | None
    bound: dict[str, list[ast.AST]] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)

    def bind(self, name: str, node: ast.AST) -> None:
        """Note that `node` binds `name` in this scope, or in the module where `global` says so."""
        scope = self.module if name in self.globals else self
        scope.bound.setdefault(name, []).append(node)

    @property
    def module(self) -> Scope:
        """The module's own scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def owner_above(self, name: str) -> Scope | None:
        """The nearest enclosing scope, this one left out, in which Python would find the name."""
        scope = self.parent
        while scope is not None:
            if scope.kind != "class" and name in scope.bound:
                return scope
            scope = scope.parent
        return None

    def owner(self, name: str) -> Scope | None:
        """The scope in which Python would find the name, seen from here; None for a builtin."""
        if name in self.globals:
            return self.module if name in self.module.bound else None
        if name in self.bound:
            return self
        return self.owner_above(name)


@dataclass(frozen=True, eq=False)
class Use:
    """A name or an attribute chain as it is read: `np.linalg.norm` is `node` with the root `np` in `scope`."""

    node: ast.Name | ast.Attribute
    root: ast.Name
    attributes: tuple[str, ...]
    scope: Scope


@dataclass(eq=False)
class Scopes:
    """What one walk collects: scopes by node, uses by root name, parents, imports, strings in annotations."""

    module: Scope
    of: dict[ast.AST, Scope] = field(default_factory=dict)
    uses: dict[str, list[Use]] = field(default_factory=dict)
    parent: dict[ast.AST, ast.AST] = field(default_factory=dict)
    imports: list[tuple[ast.Import | ast.ImportFrom, Scope]] = field(default_factory=list)
    annotations: list[tuple[ast.expr, Scope]] = field(default_factory=list)
    functions: list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, Scope]] = field(default_factory=list)
    classes: list[tuple[ast.ClassDef, Scope]] = field(default_factory=list)
    _around: dict[ast.AST, Scope] = field(default_factory=dict)
    _inside: dict[ast.AST, list[ast.AST]] = field(default_factory=dict)

    @cached_property
    def nonlocals(self) -> frozenset[str]:
        """The variables of functions that functions in them bind."""
        return frozenset(name for scope in self.of.values() for name in scope.nonlocals)

    @cached_property
    def calls(self) -> dict[str, list[ast.Call]]:
        """The calls in a module by the last name of what they call."""
        found: dict[str, list[ast.Call]] = {}
        for node in self.parent:
            if isinstance(node, ast.Call):
                found.setdefault(getattr(node.func, "attr", getattr(node.func, "id", "")), []).append(node)
        return found

    def chain_root(self, node: ast.AST) -> ast.AST:
        """The outermost attribute chain of which `node` is a part."""
        above = self.parent.get(node)
        while isinstance(above, ast.Attribute) and above.value is node:
            node, above = above, self.parent.get(above)
        return node

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around `node`, the nearest first."""
        above = self.parent.get(node)
        while above is not None:
            yield above
            above = self.parent.get(above)

    def around(self, node: ast.AST) -> Scope:
        """The innermost scope that `node` stands in."""
        known = self._around.get(node)
        if known is None:
            known = next((self.of[one] for one in self.enclosing(node)), self.module)
            self._around[node] = known
        return known

    def enclosing(self, node: ast.AST) -> Iterator[ast.AST]:
        """What has a scope that a node stands in, the nearest first: what a head evaluates stands around its body."""
        seen = [node]
        for above in self.ancestors(node):
            if above in self.of and not _is_in_head(above, seen):
                yield above
            seen.append(above)

    def inside(self, node: ast.AST) -> list[ast.AST]:
        """What `walk` gives of a function or a module, which is gone through once."""
        if node not in self._inside:
            self._inside[node] = walk(node)
        return self._inside[node]


def collect_scopes(tree: ast.Module) -> Scopes:
    """Walk a module once."""
    module = Scope("module", tree, None)
    walker = _Walker(Scopes(module))
    walker.found.of[tree] = module
    walker.body(tree, module)
    _move_nonlocals(walker.found)
    _drop_signatures(walker.found)
    return walker.found


def _move_nonlocals(scopes: Scopes) -> None:
    """Bind `nonlocal` names where they belong: what a function around binds is known when all of it has been read."""
    for scope in scopes.of.values():  # the outer ones first
        for name in sorted(scope.nonlocals & scope.bound.keys()):
            owner = scope.owner_above(name)
            if owner is not None:
                nodes = [*owner.bound[name], *scope.bound.pop(name)]
                owner.bound[name] = sorted(
                    nodes, key=lambda one: (getattr(one, "lineno", 0), getattr(one, "col_offset", 0))
                )


def _drop_signatures(scopes: Scopes) -> None:
    """Let names stand for functions, and for no `@overload` of them: only stub files have nothing else."""
    signatures = {node for node, _ in scopes.functions if is_overload(node)}
    for scope in scopes.of.values() if signatures else ():
        for name, nodes in scope.bound.items():
            defined = [one for one in nodes if one not in signatures]
            if defined and len(defined) < len(nodes):
                scope.bound[name] = defined


def _is_in_head(definition: ast.AST, below: list[ast.AST]) -> bool:
    """Whether a node, with what is around it up to a definition, is evaluated where the definition stands."""
    child = below[-1]
    if isinstance(child, ast.arguments):  # of which the parameters themselves stand inside
        return len(below) > 1 and not isinstance(below[0], ast.arg)
    if isinstance(definition, ast.ClassDef):
        return child in definition.bases or child in definition.keywords or child in definition.decorator_list
    if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef):
        return child is definition.returns or child in definition.decorator_list
    return False


class _Walker:
    """One hand-written walk: `ast.NodeVisitor` costs about twice as much."""

    def __init__(self, found: Scopes) -> None:
        self.found = found

    def body(self, node: ast.AST, scope: Scope) -> None:
        parent = self.found.parent
        for child in children(node):
            parent[child] = node
            self.visit(child, scope)

    def visit(self, node: ast.AST, scope: Scope) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is None:
            self.body(node, scope)
        else:
            handler(self, node, scope)

    def name(self, node: ast.Name, scope: Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            self.found.uses.setdefault(node.id, []).append(Use(node, node, (), scope))
        else:
            scope.bind(node.id, node)
            if isinstance(node.ctx, ast.Del):
                self.found.uses.setdefault(node.id, []).append(Use(node, node, (), scope))

    def attribute(self, node: ast.Attribute, scope: Scope) -> None:
        parent, names = self.found.parent, [node.attr]
        inner: ast.expr = node.value
        parent[inner] = node
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            parent[inner.value] = inner
            inner = inner.value
        if isinstance(inner, ast.Name):
            self.found.uses.setdefault(inner.id, []).append(Use(node, inner, tuple(reversed(names)), scope))
        else:
            self.visit(inner, scope)

    def import_(self, node: ast.Import, scope: Scope) -> None:
        self.found.imports.append((node, scope))
        for alias in node.names:
            self.found.parent[alias] = node
            scope.bind(alias.asname or alias.name.split(".")[0], alias)

    def import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        self.found.imports.append((node, scope))
        for alias in node.names:
            self.found.parent[alias] = node
            if alias.name != "*":
                scope.bind(alias.asname or alias.name, alias)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        scope.bind(node.name, node)
        self.found.functions.append((node, scope))
        for decorator in node.decorator_list:
            self.child(decorator, node, scope)
        self.signature(node, scope)
        if node.returns is not None:
            self.found.annotations.append((node.returns, scope))
            self.child(node.returns, node, scope)
        inner = self.enter(node, scope)
        for statement in node.body:
            self.child(statement, node, inner)

    def lambda_(self, node: ast.Lambda, scope: Scope) -> None:
        self.signature(node, scope)
        self.child(node.body, node, self.enter(node, scope))

    def signature(self, node: FunctionNode, scope: Scope) -> None:
        arguments = node.args
        self.found.parent[arguments] = node
        for default in [*arguments.defaults, *filter(None, arguments.kw_defaults)]:
            self.child(default, arguments, scope)
        for argument in all_arguments(arguments):
            self.found.parent[argument] = arguments
            if argument.annotation is not None:
                self.found.annotations.append((argument.annotation, scope))
                self.child(argument.annotation, argument, scope)

    def enter(self, node: FunctionNode, scope: Scope) -> Scope:
        inner = Scope("function", node, scope)
        self.found.of[node] = inner
        for argument in all_arguments(node.args):
            inner.bind(argument.arg, argument)
        if not isinstance(node, ast.Lambda):
            declare(node.body, inner)
        return inner

    def class_(self, node: ast.ClassDef, scope: Scope) -> None:
        scope.bind(node.name, node)
        self.found.classes.append((node, scope))
        for outside in [*node.decorator_list, *node.bases, *node.keywords]:
            self.child(outside, node, scope)
        inner = Scope("class", node, scope)
        self.found.of[node] = inner
        declare(node.body, inner)
        for statement in node.body:
            self.child(statement, node, inner)

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope) -> None:
        inner = Scope("comprehension", node, scope)
        self.found.of[node] = inner
        for position, generator in enumerate(node.generators):
            self.found.parent[generator] = node
            self.child(generator.iter, generator, inner if position else scope)
            self.child(generator.target, generator, inner)
            for condition in generator.ifs:
                self.child(condition, generator, inner)
        for result in [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]:
            self.child(result, node, inner)

    def walrus(self, node: ast.NamedExpr, scope: Scope) -> None:
        outer = scope
        while outer.kind == "comprehension" and outer.parent is not None:
            outer = outer.parent
        self.child(node.target, node, outer)
        self.child(node.value, node, scope)

    def annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        self.found.annotations.append((node.annotation, scope))
        self.body(node, scope)

    def handler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name:
            scope.bind(node.name, node)
        self.body(node, scope)

    def pattern(self, node: ast.MatchAs | ast.MatchStar, scope: Scope) -> None:
        if node.name:
            scope.bind(node.name, node)
        self.body(node, scope)

    def mapping_pattern(self, node: ast.MatchMapping, scope: Scope) -> None:
        if node.rest:
            scope.bind(node.rest, node)
        self.body(node, scope)

    def child(self, node: ast.AST, parent: ast.AST, scope: Scope) -> None:
        self.found.parent[node] = parent
        self.visit(node, scope)


def declare(body: list[ast.stmt], scope: Scope) -> None:
    """Read the `global` and `nonlocal` statements of a body before anything in it binds a name."""
    pending: list[ast.stmt] = list(body)
    while pending:
        statement = pending.pop()
        if isinstance(statement, ast.Global):
            scope.globals.update(statement.names)
        elif isinstance(statement, ast.Nonlocal):
            scope.nonlocals.update(statement.names)
        elif not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for block in ("body", "orelse", "finalbody", "handlers", "cases"):
                pending += getattr(statement, block, [])


def all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    """The parameters of a function in the order of the text."""
    positional = [*arguments.posonlyargs, *arguments.args]
    variadic = [arguments.vararg] if arguments.vararg else []
    keywords = [arguments.kwarg] if arguments.kwarg else []
    return [*positional, *variadic, *arguments.kwonlyargs, *keywords]


def defaults_of(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The default of each parameter that has one."""
    named = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    found = dict(zip(reversed(named), reversed(arguments.defaults), strict=False))
    only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return found | {one.arg: given for one, given in only if given is not None}


_HANDLERS: dict[type[ast.AST], Callable[[Any, Any, Scope], None]] = {
    ast.Name: _Walker.name,
    ast.Attribute: _Walker.attribute,
    ast.Import: _Walker.import_,
    ast.ImportFrom: _Walker.import_from,
    ast.FunctionDef: _Walker.function,
    ast.AsyncFunctionDef: _Walker.function,
    ast.Lambda: _Walker.lambda_,
    ast.ClassDef: _Walker.class_,
    ast.ListComp: _Walker.comprehension,
    ast.SetComp: _Walker.comprehension,
    ast.GeneratorExp: _Walker.comprehension,
    ast.DictComp: _Walker.comprehension,
    ast.NamedExpr: _Walker.walrus,
    ast.AnnAssign: _Walker.annotated,
    ast.ExceptHandler: _Walker.handler,
    ast.MatchAs: _Walker.pattern,
    ast.MatchStar: _Walker.pattern,
    ast.MatchMapping: _Walker.mapping_pattern,
}
