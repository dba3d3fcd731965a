"""Texts that an expression may give, where all of them are written out: `NAMES[key]`, after `NAMES = {"a": "pkg.a"}`.

What is read from a dict is what stands in it as long as nothing but reading is done with it, and with what it is in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tnp_migrate.analysis.value_flow import Flows, definitions
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.scopes import Scope

_DISPLAYS = (ast.Dict, ast.List, ast.Tuple)
_TEXTS = (ast.Constant, ast.JoinedStr)
_LOOKING = frozenset("len callable str repr print isinstance import_module".split())
_LISTING = frozenset("list tuple set sorted dict iter enumerate".split())
_READING = frozenset({"get", "keys", "values", "items"})


class _Open(Exception):
    """An expression may give what is not written out."""


@dataclass(frozen=True)
class _Given:
    """An expression that gives a value, where it stands; `own` where each run of the function that asks makes it."""

    module: Module
    node: ast.expr
    own: bool = True


@dataclass(eq=False)
class Texts:
    """What expressions may give, and the variables that it is found in on the way."""

    index: Index
    flows: Flows
    _asked: set[ast.AST] = field(default_factory=set)
    _holders: dict[tuple[Scope, str], tuple[Module, bool]] = field(default_factory=dict)
    _is_flat: bool = True  # whether no container holds another

    def of(self, module: Module, node: ast.expr) -> list[ast.expr] | None:
        """The texts that an expression in a module may give; None where there may be others."""
        self._asked.clear()
        self._holders.clear()
        self._is_flat = True
        try:
            found = [*self._given(module, node)]
        except _Open:
            return None
        is_read = all(self._is_only_read(*held, *at) for held, at in self._holders.items())
        return [one.node for one in found] if is_read else None

    def _given(self, module: Module, node: ast.expr) -> Iterator[_Given]:
        """The texts and displays that an expression may give: what else is written out, as a function, is no text."""
        if node in self._asked:  # a loop
            raise _Open
        self._asked.add(node)
        yield from self._given_by(module, node)
        self._asked.discard(node)

    def _given_by(self, module: Module, node: ast.expr) -> Iterator[_Given]:
        if isinstance(node, (*_TEXTS, *_DISPLAYS)):
            yield _Given(module, node)
        elif isinstance(node, ast.IfExp | ast.BoolOp):
            for one in [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values:
                yield from self._given(module, one)
        elif isinstance(node, ast.Name | ast.Attribute):
            yield from self._of_name(module, node)
        elif isinstance(node, ast.Subscript):
            yield from self._items(module, node.value, node.slice)
        elif isinstance(node, ast.Call):
            yield from self._of_call(module, node)
        else:
            raise _Open

    def _of_name(self, module: Module, node: ast.Name | ast.Attribute) -> Iterator[_Given]:
        scope = module.names.scopes.around(node)
        qualified = module.names.of(node, scope)
        owner = scope.owner(node.id) if isinstance(node, ast.Name) else None
        if qualified is None and owner is not None and owner.kind == "module" and isinstance(node, ast.Name):
            qualified = f"{module.name}.{node.id}"
        if qualified is not None:
            yield from self._of_global(qualified)
            return
        function = module.function_around(node)
        if not isinstance(node, ast.Name) or function is None or function.nested or owner is not function.scope:
            raise _Open
        for one in definitions(self.flows.body(function), node):
            if not isinstance(one, ast.expr):
                raise _Open
            yield from self._in_variable(module, owner, node.id, self._given(module, one))

    def _of_global(self, qualified: str) -> Iterator[_Given]:
        """What a variable of a module may have; a function or a class is no text, and a library names no own module."""
        found = self.index.find(qualified)
        top = qualified.partition(".")[0]
        if isinstance(found, Function | Class) or all(top != one.partition(".")[0] for one in self.index.modules):
            return
        if found is None:
            raise _Open
        holder, name = found
        scopes = holder.names.scopes
        above = [scopes.parent.get(one) for one in scopes.module.bound.get(name, ())]
        for one in above:
            if not isinstance(one, ast.Assign) or len(one.targets) != 1 or not isinstance(one.targets[0], ast.Name):
                raise _Open
            given = (_Given(each.module, each.node, own=False) for each in self._given(holder, one.value))
            yield from self._in_variable(holder, scopes.module, name, given)
        if not above:
            raise _Open

    def _in_variable(self, module: Module, scope: Scope, name: str, given: Iterator[_Given]) -> Iterator[_Given]:
        """What a variable may have, which is noted to hold it where that is a container."""
        for one in given:
            if isinstance(one.node, _DISPLAYS):
                own = one.own and self._holders.get((scope, name), (module, True))[1]
                self._holders[scope, name] = module, own
                self._is_flat &= all(isinstance(item, _TEXTS) for item in _picked(one.node, None))
            yield one

    def _items(self, module: Module, container: ast.expr, key: ast.expr | None) -> Iterator[_Given]:
        for one in [*self._given(module, container)]:
            if not isinstance(one.node, _DISPLAYS):
                raise _Open
            for item in _picked(one.node, key):
                yield from (_Given(each.module, each.node, one.own) for each in self._given(one.module, item))

    def _of_call(self, module: Module, call: ast.Call) -> Iterator[_Given]:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "get" and call.args and not call.keywords:
            yield from self._items(module, call.func.value, call.args[0])
            for default in call.args[1:]:
                yield from self._given(module, default)
            return
        function = self.index.find(module.names.of(call.func, module.names.scopes.around(call)) or "")
        if function is None and isinstance(call.func, ast.Name):
            function = self.index.find(f"{module.name}.{call.func.id}")
        if not isinstance(function, Function) or not _is_plain(function):
            raise _Open
        for one in function.nodes:
            if isinstance(one, ast.Return) and one.value is not None:
                yield from self._given(function.module, one.value)

    # ---- what is done with what holds texts

    def _is_only_read(self, scope: Scope, name: str, module: Module, own: bool) -> bool:  # noqa: FBT001
        """Whether nothing is put into a container that a variable holds, nor may be where it goes."""
        above = (module.names.scopes.parent.get(one) for one in scope.bound.get(name, ()))
        if any(isinstance(one, ast.AugAssign) for one in above):
            return False
        if scope.kind == "module":
            return all(self._is_read(one, node, own) for one, node in self._uses(f"{module.name}.{name}", name))
        uses = (one.root for one in module.names.scopes.uses.get(name, ()) if one.scope.owner(name) is scope)
        return all(self._is_read(module, node, own) for node in uses)

    def _uses(self, qualified: str, name: str) -> Iterator[tuple[Module, ast.expr]]:
        """Where a variable of a module is named, in all modules."""
        for module in self.index.modules.values():
            if name.encode() not in module.source.body:
                continue
            for use in [one for uses in module.names.scopes.uses.values() for one in uses]:
                node: ast.expr = use.node
                while not self._is_of(module, use.scope, node, qualified) and isinstance(node, ast.Attribute):
                    node = node.value
                if self._is_of(module, use.scope, node, qualified):
                    yield module, node

    def _is_of(self, module: Module, scope: Scope, node: ast.expr, qualified: str) -> bool:
        owner = scope.owner(node.id) if isinstance(node, ast.Name) else None
        if owner is not None and owner.kind == "module" and f"{module.name}.{ast.unparse(node)}" == qualified:
            return True
        holder = self.index.find(module.names.of(node, scope) or "")
        return isinstance(holder, tuple) and f"{holder[0].name}.{holder[1]}" == qualified

    def _is_read(self, module: Module, node: ast.expr, own: bool) -> bool:  # noqa: FBT001
        """Whether a container, or what it holds, is only read where it stands."""
        parent = module.names.scopes.parent
        above = parent.get(node)
        if not isinstance(getattr(node, "ctx", None), ast.Load | None):
            return False
        if isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Load):
            return above.slice is node or self._is_flat or self._is_read(module, above, own)
        if isinstance(above, ast.Attribute):
            call = parent.get(above)
            if above.attr not in _READING or not isinstance(call, ast.Call) or call.func is not above:
                return False
            return above.attr == "keys" or self._is_flat or (above.attr == "get" and self._is_read(module, call, own))
        if isinstance(above, ast.Call):
            called = above.func.attr if isinstance(above.func, ast.Attribute) else getattr(above.func, "id", "")
            return node in above.args and (called in _LOOKING or (called in _LISTING and self._is_flat))
        if isinstance(above, ast.For | ast.comprehension) and above.iter is node:
            return self._is_flat
        if isinstance(above, ast.Assign):  # a variable that is on the way, or what nothing is read from
            return all(isinstance(one, ast.Name) and self._is_held(module, one) for one in above.targets)
        return isinstance(above, ast.Compare | ast.FormattedValue) or (own and isinstance(above, ast.Return))

    def _is_held(self, module: Module, target: ast.Name) -> bool:
        """Whether what a variable is bound to is looked at as well."""
        scope = module.names.scopes.around(target)
        owner = scope.owner(target.id)
        return owner is not None and (owner, target.id) in self._holders


def _picked(display: ast.expr, key: ast.expr | None) -> list[ast.expr]:
    """The items of a display that a key may pick."""
    if isinstance(display, ast.Dict):
        if None in display.keys:
            raise _Open
        pairs = zip(display.keys, display.values, strict=True)
        wanted = key.value if isinstance(key, ast.Constant) else None
        return [
            item for one, item in pairs if wanted is None or not isinstance(one, ast.Constant) or one.value == wanted
        ]
    assert isinstance(display, ast.List | ast.Tuple)
    if any(isinstance(one, ast.Starred) for one in display.elts):
        raise _Open
    return display.elts


def _is_plain(function: Function) -> bool:
    """Whether a call of a function gives what stands behind its `return`s."""
    odd = function.yields or function.node.decorator_list or isinstance(function.node, ast.AsyncFunctionDef)
    inside = (one for one in function.nodes if one is not function.node)
    return not (odd or function.owner or function.nested) and not any(
        isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) for one in inside
    )
