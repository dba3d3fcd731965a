"""Tables of functions that a module writes out: `FILLS = {"ones": fill_ones}`, of which `FILLS[kind](x)` runs one.

A table is one where the project does nothing with it but look up what it runs: then all its functions are known, and
they are not passed on by being in it.
"""

from __future__ import annotations

import ast

from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import Scope, Use

_NAMING = (("__name__",), ("__qualname__",), ("__doc__",))  # attributes that hand no function on
_BUILTINS = frozenset({"len", "sorted", "list", "tuple", "set", "print", "str"})  # of a dict they see the keys


def enter_tables(index: Index) -> None:
    """Note in the index what is called from tables, and which functions stand in them."""
    for module in index.modules.values():
        scope = module.names.scopes.module
        for name, bound in scope.bound.items():
            display = _display(module, bound)
            entries = _entries(module, display) if display is not None else []
            if display is None or not entries or _is_seen_elsewhere(index, module, name):
                continue
            called = _called(module, name, is_dict=isinstance(display, ast.Dict))
            index.dispatched |= {node: list(dict.fromkeys(one for _, one in entries)) for node in called}
            index.entries |= {node for node, _ in entries if called}
        _enter_loops(index, module)


def _enter_loops(index: Index, module: Module) -> None:
    """Note the same of loops over functions, `for solve in (euler, heun):`, which no variable holds."""
    for loop in _loops(module):
        assert isinstance(loop.iter, ast.List | ast.Tuple)
        entries = _entries(module, loop.iter)
        called = _by_variable(module, module.names.scopes.around(loop), loop.target) if entries else None
        if called:
            index.dispatched |= {node: list(dict.fromkeys(one for _, one in entries)) for node in called}
            index.entries |= {node for node, _ in entries}


def _loops(module: Module) -> list[ast.For]:
    """The loops of a module over what is written out."""
    found = [one for one in walk(module.source.tree) if isinstance(one, ast.For)]
    return [one for one in found if isinstance(one.iter, ast.List | ast.Tuple)]


def _display(module: Module, bound: list[ast.AST]) -> ast.Dict | ast.List | ast.Tuple | None:
    """The table that a variable is bound to, once."""
    above = module.names.scopes.parent.get(bound[0]) if len(bound) == 1 else None
    value = above.value if isinstance(above, ast.Assign | ast.AnnAssign) else None
    if isinstance(above, ast.Assign) and above.targets != bound:
        return None
    return value if isinstance(value, ast.Dict | ast.List | ast.Tuple) else None


def _entries(module: Module, display: ast.Dict | ast.List | ast.Tuple) -> list[tuple[ast.AST, Function]]:
    """The items of a table with the functions that they are; none where one of them is anything else."""
    scope = module.names.scopes.module
    found: list[tuple[ast.AST, Function]] = []
    for node in display.values if isinstance(display, ast.Dict) else display.elts:
        bound = scope.bound.get(node.id, []) if isinstance(node, ast.Name) else []
        if len(bound) != 1 or bound[0] not in module.functions:
            return []
        found.append((node, module.functions[bound[0]]))
    return found


def _is_seen_elsewhere(index: Index, module: Module, name: str) -> bool:
    """Whether another module may get at a variable."""
    for other in index.modules.values():
        scopes = other.names.scopes
        imported = {alias.name for node, _ in scopes.imports for alias in node.names}
        read = any(name in use.attributes for uses in scopes.uses.values() for use in uses)
        if other is not module and (imported & {name, "*"} or read):
            return True
    return False


def _called(module: Module, name: str, *, is_dict: bool) -> list[ast.AST]:
    """What calls name the functions of a table by; nothing where it is put to any other use."""
    scopes, found = module.names.scopes, list[ast.AST]()
    for use in scopes.uses.get(name, ()):
        if use.scope.owner(name) is not scopes.module:
            continue
        nodes = _of_use(module, use, is_dict=is_dict)
        if nodes is None:
            return []
        found += nodes
    return found


def _of_use(module: Module, use: Use, *, is_dict: bool) -> list[ast.AST] | None:
    """The same of one use, None for one that may hand functions on or change the table."""
    parent = module.names.scopes.parent
    above = parent.get(use.node)
    if isinstance(above, ast.Compare):
        return []
    if isinstance(above, ast.For) and above.iter is use.node:
        return [] if is_dict else _by_variable(module, use.scope, above.target)
    if isinstance(above, ast.Call):
        reads = isinstance(above.func, ast.Name) and above.func.id in _BUILTINS and above.func is not use.node
        if reads and (is_dict or above.func.id == "len"):  # type: ignore[attr-defined]
            return []
        return _by_method(module, use, above) if above.func is use.node and is_dict else None
    if isinstance(above, ast.Subscript) and above.value is use.node and isinstance(above.ctx, ast.Load):
        around = parent.get(above)
        if isinstance(around, ast.Call) and around.func is above:
            return [above]
        if isinstance(around, ast.Assign) and around.value is above and len(around.targets) == 1:
            return _by_variable(module, use.scope, around.targets[0])
    return None


def _by_method(module: Module, use: Use, call: ast.Call) -> list[ast.AST] | None:
    """`for name, fill in FILLS.items()`, and the like."""
    above = module.names.scopes.parent.get(call)
    if use.attributes == ("keys",):
        return []
    if not isinstance(above, ast.For) or above.iter is not call:
        return None
    if use.attributes == ("values",):
        return _by_variable(module, use.scope, above.target)
    pair = above.target.elts if isinstance(above.target, ast.Tuple) and len(above.target.elts) == 2 else []
    return _by_variable(module, use.scope, pair[1]) if use.attributes == ("items",) and pair else None


def _by_variable(module: Module, scope: Scope, target: ast.expr) -> list[ast.AST] | None:
    """The calls of a variable that is bound once, to functions of a table, and only called."""
    scopes = module.names.scopes
    owner = scope.owner(target.id) if isinstance(target, ast.Name) else None
    if not isinstance(target, ast.Name) or owner is None or owner.bound[target.id] != [target]:
        return None
    uses = [use for use in scopes.uses.get(target.id, ()) if use.scope.owner(target.id) is owner]
    above = [(use.node, scopes.parent.get(use.node)) for use in uses if use.attributes not in _NAMING]
    called = all(isinstance(one, ast.Call) and one.func is node for node, one in above)
    return [node for node, _ in above] if called else None
