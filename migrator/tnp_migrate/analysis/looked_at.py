"""Values that are only asked what they are, as by `linkcode_resolve` of a `conf.py`: what is in them never runs.

`obj = getattr(__import__(name), part)` and `inspect.getsourcefile(obj)` after it find out where a function is written.
"""

from __future__ import annotations

import ast
from functools import partial

from tnp_migrate.program.index import Module
from tnp_migrate.program.scopes import Scope

# What gives something of its argument, or what is in it; and what gives texts and truth values of it.
_READING = frozenset({"getattr", "inspect.unwrap", "inspect.getmodule"})
_ASKING = frozenset(
    {
        *("hasattr", "callable", "isinstance", "issubclass", "inspect.getdoc", "inspect.getfile"),
        *("inspect.getsource", "inspect.getsourcefile", "inspect.getsourcelines"),
        *(f"inspect.is{kind}" for kind in ("builtin", "class", "function", "method", "module", "routine")),
    }
)
_READING_VARIABLES = ("eval", "exec", "locals", "vars")


def is_only_looked_at(module: Module, node: ast.AST) -> bool:
    """Whether all that is done with a value is to read what is in it, and to ask what that is."""
    if any(module.names.scopes.uses.get(name) for name in _READING_VARIABLES):
        return False
    return _is_looked_at(module, node, set())


def _is_looked_at(module: Module, node: ast.AST, seen: set[tuple[Scope, str]]) -> bool:
    above = module.names.scopes.parent.get(node)
    further = partial(_is_looked_at, module, seen=seen)
    if isinstance(above, ast.Expr):
        return True
    if isinstance(above, ast.Compare):
        return all(isinstance(one, ast.Is | ast.IsNot) for one in above.ops)
    if isinstance(above, ast.Attribute):
        return isinstance(above.ctx, ast.Load) and further(above)
    if isinstance(above, ast.Assign):
        return all(isinstance(one, ast.Name) and _is_name_looked_at(module, one, seen) for one in above.targets)
    if isinstance(above, ast.Call):
        given = _given_by(module, above, node)
        return given == "texts" or (given == "parts" and further(above))
    return False


def _is_name_looked_at(module: Module, target: ast.Name, seen: set[tuple[Scope, str]]) -> bool:
    """Whether all that a variable of a function may hold is only looked at: code elsewhere sees one of a module."""
    scopes = module.names.scopes
    owner = scopes.around(target).owner(target.id)
    if owner is None or owner.kind != "function":
        return False
    if (owner, target.id) in seen:
        return True
    seen.add((owner, target.id))
    uses = [one.root for one in scopes.uses.get(target.id, ()) if one.scope.owner(target.id) is owner]
    return all(_is_looked_at(module, one, seen) for one in uses)


def _given_by(module: Module, call: ast.Call, node: ast.AST) -> str:
    """What a call gives of something that it is passed: "parts" of it, "texts" about it, or "" for anything."""
    name = _name_of(module, call.func)
    first = call.args[:1] == [node]
    if name == "functools.reduce" and len(call.args) == 3 and call.args[2] is node:
        return "parts" if _name_of(module, call.args[0]) == "getattr" else ""
    if isinstance(call.func, ast.Call) and _name_of(module, call.func.func) == "operator.attrgetter":
        return "parts" if first else ""
    if name == "getattr" and node in call.args[2:]:
        return "parts"
    if first and name in _READING:
        return "parts" if all(word.arg is not None for word in call.keywords) else ""
    return "texts" if first and name in _ASKING else ""


def _name_of(module: Module, function: ast.expr) -> str:
    """The qualified name of a function of Python's; "" for any other."""
    scope = module.names.scopes.around(function)
    if isinstance(function, ast.Name) and scope.owner(function.id) is None:
        return function.id
    return module.names.of(function, scope) or ""
