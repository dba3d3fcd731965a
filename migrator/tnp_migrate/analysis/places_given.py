"""Calls that stand for the list of places which a function returns, and does nothing else.

After `def params(self): return [self.w, self.b]` a loop over `net.params()` goes over `[net.w, net.b]`, and a loop over
`self.first.params() + self.second.params()` over the places of both. The analysis and the functional stage read these
lists in place of the calls: a list that is made anew by each call holds what its text says, and nothing else.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

from tnp_migrate.analysis.argument_binding import given_alone
from tnp_migrate.analysis.effects import callees, is_guess
from tnp_migrate.numpy_facts.values import UNKNOWN, join
from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.dispatch import methods_called
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import gone_over, walk

Display = ast.List | ast.Tuple
_WALKS = frozenset({"zip", "enumerate", "reversed", "list", "tuple"})
_DEEPEST = 6  # calls in calls
_MOST = 24  # methods of one name


def note_places_given(index: Index) -> None:
    """Note the calls, and the properties, that loops and assignments take such a list from."""
    finder = _Finder(index)
    if not finder.names:
        return
    for module in index.modules.values():
        for node in module.names.scopes.parent:
            for given in _taken(node):
                found = finder.stands_for(module, given, _DEEPEST)
                if found is not None and (isinstance(node, ast.For) or found not in index.perhaps_empty):
                    index.stand_ins[given] = found
            if isinstance(node, ast.For):
                _note_items(index, module, node)


def _note_items(index: Index, module: Module, loop: ast.For) -> None:
    """Note that the variables of a loop are arrays, where all of such a list are: an empty one has no others."""
    for leaf, given in gone_over(loop.target, loop.iter, lambda node: _builtin_called(module, node)):
        display = index.stand_ins.get(given)
        items = display.elts if isinstance(display, ast.List | ast.Tuple) else []
        known = reduce(join, [module.value(one) or UNKNOWN for one in items], None)
        names = [one for part in loop.body for one in walk(part) if isinstance(one, ast.Name)]
        names = [one for one in names if isinstance(leaf, ast.Name) and one.id == leaf.id]
        parent = module.names.scopes.parent
        bound = [one for one in names if not isinstance(one.ctx, ast.Load)]
        if known is not None and known.is_array and all(isinstance(parent.get(one), ast.AugAssign) for one in bound):
            module.values.update(dict.fromkeys([leaf, *names], known))


def _builtin_called(module: Module, node: ast.expr) -> str:
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return name if name and module.names.scopes.around(node).owner(name) is None else ""


def _taken(node: ast.AST) -> Iterator[ast.expr]:
    """The calls and attributes that a loop goes over, or that a variable gets."""
    if isinstance(node, ast.For):
        pending = [node.iter]
        while pending:
            one = pending.pop()
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in _WALKS:
                pending += one.args
            elif isinstance(one, ast.Call | ast.Attribute | ast.BinOp):
                yield one
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call | ast.Attribute) and len(node.targets) == 1:
        yield from [node.value] if isinstance(node.targets[0], ast.Name | ast.Tuple) else []


@dataclass(eq=False)
class _Finder:
    index: Index
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Find the names of the functions that are such getters."""
        names = {one.node.name for one in self.index.functions() if _returned(one) is not None}
        classes = [owner for module in self.index.modules.values() for owner in module.classes.values()]
        bound = [pair for owner in classes for pair in owner.scope.bound.items()]
        others = {name for name, nodes in bound if not all(isinstance(one, ast.FunctionDef) for one in nodes)}
        self.names = names - others - self.index.attribute_stores.keys()

    def stands_for(self, module: Module, node: ast.expr, depth: int) -> Display | None:
        """The list that an expression gives, written with the names that it has where that stands."""
        if depth == 0:
            return None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            sides = [self._listed(module, one, depth) for one in (node.left, node.right)]
            if all(isinstance(one, ast.List) for one in sides):
                return _made(node, [each for one in sides if one is not None for each in one.elts])
            return None
        made = [self._by(module, function, node, depth) for function in self._meant(module, node)]
        found = [one for one in made if one is not None]
        filled = [one for one in found if one.elts]
        if not filled or len(found) < len(made) or len({ast.dump(one) for one in filled}) > 1:
            return None
        for item, *others in zip(*(one.elts for one in filled), strict=True):
            values = [module.value(one) or UNKNOWN for one in (item, *others)]
            module.values[item] = reduce(join, values)
        if len(filled) < len(found):
            self.index.perhaps_empty.add(filled[0])
        return filled[0]

    def _by(self, module: Module, function: Function, node: ast.expr, depth: int) -> Display | None:
        """The list that an expression gives which runs a function."""
        returned = _returned(function)
        shown = self._listed(function.module, returned, depth - 1) if returned is not None else None
        given = self._given(module, function, node)
        if shown is None or given is None:
            return None
        items = [_put(one, given, node, function.module, module) for one in shown.elts]
        found = [one for one in items if one is not None]
        return _made(node, found, like=shown) if len(found) == len(items) else None

    def _listed(self, module: Module, node: ast.expr, depth: int) -> Display | None:
        """The items of what a getter returns, or of a part of that."""
        if not isinstance(node, ast.List | ast.Tuple):
            found = self.stands_for(module, node, depth)
            return found if found not in self.index.perhaps_empty else None
        items: list[ast.expr] = []
        for one in node.elts:
            inner = self._listed(module, one.value, depth) if isinstance(one, ast.Starred) else None
            if isinstance(one, ast.Starred) and inner is None:
                return None
            items += inner.elts if inner is not None else [one]
        return _made(node, items, like=node)

    def _meant(self, module: Module, node: ast.expr) -> list[Function]:
        """The functions that a call, or a property, may run; none where one may be no such getter."""
        name = node.attr if isinstance(node, ast.Attribute) else ""
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name not in self.names:
            return []
        if isinstance(node, ast.Call):
            found = self.index.methods.get(name, []) if is_guess(module, node) else callees(module, self.index, node)
        else:
            found = self._properties(module, node)
        alike = all(is_property(one) == isinstance(node, ast.Attribute) for one in found)
        found = [one for one in found if not one.only_raises] or found
        return found if alike and len(found) <= _MOST else []

    def _properties(self, module: Module, node: ast.expr) -> list[Function]:
        if not isinstance(node, ast.Attribute):
            return []
        receiver = module.value(node.value) or UNKNOWN
        if receiver.kind != "instance":
            return []
        return methods_called(receiver, node.attr, UNKNOWN)

    def _given(self, module: Module, function: Function, node: ast.expr) -> dict[str, ast.expr] | None:
        """What the parameters of a getter stand for: variables, and attributes of these."""
        given = given_alone(module, function, node) if isinstance(node, ast.Call) else {}
        receiver = node.func if isinstance(node, ast.Call) else node
        if function.takes_self and isinstance(receiver, ast.Attribute):
            given.setdefault(function.parameters[0], receiver.value)
        plain = all(_is_place(one) for one in given.values())
        return given if plain and given.keys() == set(function.parameters) else None


def _returned(function: Function) -> ast.expr | None:
    """What a function returns that does nothing else; None for all others."""
    node = function.node
    body = (
        node.body[1:]
        if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        else node.body
    )
    plain = not node.decorator_list or is_property(function)
    if isinstance(node, ast.AsyncFunctionDef) or function.nested or not plain or len(body) != 1:
        return None
    value = body[0].value if isinstance(body[0], ast.Return) else None
    return value if value is not None and _gives_places(value) else None


def _gives_places(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return all(_gives_places(one) or _is_place(one) for one in node.elts)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and _gives_places(node.left) and _gives_places(node.right)
    if isinstance(node, ast.Starred):
        return _gives_places(node.value)
    return isinstance(node, ast.Call) and not node.keywords and all(map(_is_place, [node.func, *node.args]))


def _is_place(node: ast.expr) -> bool:
    """Whether an expression is a variable, or an attribute of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _made(at: ast.expr, items: list[ast.expr], *, like: ast.expr | None = None) -> Display:
    kind = ast.Tuple if isinstance(like, ast.Tuple) else ast.List
    return ast.copy_location(kind(items, ast.Load()), at)


def _put(node: ast.expr, given: Mapping[str, ast.expr], at: ast.expr, there: Module, here: Module) -> ast.expr | None:
    """A place with what stands for its variable; what is known of it, is known of that."""
    if isinstance(node, ast.Name):
        return given.get(node.id)
    made = ast.copy_location(copy.copy(node), at)
    if isinstance(made, ast.Attribute) and isinstance(node, ast.Attribute):
        inner = _put(node.value, given, at, there, here)
        if inner is None:
            return None
        made.value = inner
    elif isinstance(made, ast.List | ast.Tuple) and isinstance(node, ast.List | ast.Tuple):
        parts = [_put(one, given, at, there, here) for one in node.elts]
        made.elts = [one for one in parts if one is not None]
        if len(made.elts) < len(parts):
            return None
    else:
        return None
    value = there.value(node)
    if value is not None:
        here.values[made] = value
    return made
