"""Functions that a text is the name of: `globals()["step"]`, `eval("step(x)")`, `sys.modules["pkg.model"].step`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from tnp_migrate.analysis.looked_at import is_only_looked_at
from tnp_migrate.analysis.value_flow import Flows
from tnp_migrate.analysis.written_texts import Texts
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import text_in
from tnp_migrate.program.scopes import Scope

_RUNS_TEXT = frozenset({"eval", "exec"})
_NAMESPACES = frozenset({"globals", "locals", "vars"})
_IMPORTING = frozenset({"importlib.import_module", "builtins.__import__"})


def run_texts(module: Module) -> Iterator[tuple[Scope, ast.Call]]:
    """The calls that run a text as code which sees the variables around the call: it is passed none of its own."""
    for scope, call in _calls_of(module, _RUNS_TEXT):
        if len(call.args) == 1:
            yield scope, call


def is_reading(call: ast.Call) -> bool:
    """Whether the text that `eval` runs is written out, and only computes with NumPy and variables."""
    text = text_in(call.args[0])
    if text is None or getattr(call.func, "id", "") != "eval":
        return False
    try:
        nodes = [*ast.walk(ast.parse(text.strip(), mode="eval"))]
    except (SyntaxError, ValueError):
        return True  # which raises
    called = [one.func for one in nodes if isinstance(one, ast.Call)]
    of_numpy = [ast.unparse(one).partition(".")[0] in ("np", "numpy") for one in called]
    return all(of_numpy) and not any(isinstance(one, ast.NamedExpr | ast.Lambda) for one in nodes)


@lru_cache(maxsize=1)
def functions_by_name(index: Index) -> frozenset[Function]:
    """The functions that may be reached otherwise than by a name that is theirs alone.

    Those of modules that a text names, any of a module where that is computed or the module is a value; and those whose
    name is bound to something else as well.
    """
    return frozenset(_by_name(index))


def _by_name(index: Index) -> Iterator[Function]:
    for module in index.modules.values():
        for where, name in (*_names(index, module), *_as_values(index, module)):
            for function in where.functions.values():
                if function.owner is None and not function.nested and name in (None, function.node.name):
                    yield function
            meant = index.find(f"{where.name}.{name}") if name is not None else None
            if isinstance(meant, Function):  # which the module has imported
                yield meant
        yield from _of_names_bound_twice(index, module)


@lru_cache(maxsize=1)
def modules_as_values(index: Index) -> frozenset[Module]:
    """The modules of the project that are used other than for something in them, or may be imported by any name."""
    return frozenset(meant for module in index.modules.values() for meant, _ in _as_values(index, module))


def _as_values(index: Index, module: Module) -> Iterator[tuple[Module, str | None]]:
    """The modules of the project that a module uses other than for something in them, or imports by a computed name.

    With what is read from them, None for anything.
    """
    aliases = [one for one in _bound_twice(module) if isinstance(one, ast.alias)]
    imported = (index.modules.get(module.names.binding(one) or "") for one in aliases)
    yield from ((one, None) for one in imported if one is not None)
    for use in [one for uses in module.names.scopes.uses.values() for one in uses]:
        qualified = module.names.of(use.node, use.scope) or ""
        meant = index.modules.get(qualified)
        if meant is not None and not isinstance(index.find(qualified), Function):  # `from .solve import solve`
            yield meant, None
        call = module.names.scopes.parent.get(use.node)
        if not isinstance(call, ast.Call) or call.func is not use.node:
            continue
        if _imports_anything(module, use.scope, call) and not is_only_looked_at(module, call):
            may_be = _importable(index, module, call)
            for name in _read_from(index, module, use.scope, call):
                having = (one for one in may_be if name is None or name in one.names.scopes.module.bound)
                yield from ((one, name) for one in having)


def _importable(index: Index, module: Module, call: ast.Call) -> list[Module]:
    """The modules of the project that a call may import by a name of which parts are written out."""
    patterns = [pattern_of(one).pattern for one in _texts_given(index, module, call)]
    # Behind a dot stands a name in a package that is named elsewhere.
    either = "|".join(re.sub(r"^(\\\.)+", r"(.*\\.)?", one) for one in patterns) or "(?!)"
    return [one for name, one in index.modules.items() if re.fullmatch(either, name)]


def _texts_given(index: Index, module: Module, imports: ast.Call) -> Iterator[ast.expr]:
    """The texts that the name of an imported module may be; what gives them where not all are written out."""
    texts = Texts(index, Flows())
    for where, one in _names_given(index, module, imports):
        found = texts.of(where, one)
        yield from [one] if found is None else found


def _names_given(index: Index, module: Module, imports: ast.Call) -> list[tuple[Module, ast.expr]]:
    """The expressions that the name of an imported module may be, with the modules that they stand in.

    Where it is a parameter and the module is returned, they are what callers in the project pass: other callers are out
    of sight, and so is what they do with it.
    """
    name, function = imports.args[0], module.function_around(imports)
    scope = function.scope if function is not None else None
    is_returned = isinstance(module.names.scopes.parent.get(imports), ast.Return)
    if function is None or scope is None or not isinstance(name, ast.Name) or not is_returned:
        return [(module, name)]
    if name.id not in function.parameters:
        return [(module, name)]
    plain = function.owner is None and not function.nested and not function.node.decorator_list
    calls = _calls_by_name(index, function.node.name) if plain and len(scope.bound.get(name.id, ())) == 1 else None
    place = function.parameters.index(name.id)
    given = [(where, _argument(call, place, name.id)) for where, call in calls or ()]
    return [(module, name)] if calls is None else [(where, one) if one else (module, name) for where, one in given]


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """What a call passes for a parameter, by its place or its name; None where that is not written out."""
    if any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords):
        return None
    named = (word.value for word in call.keywords if word.arg == name)
    return call.args[place] if len(call.args) > place else next(named, None)


def _read_from(index: Index, module: Module, scope: Scope, namespace: ast.AST) -> list[str | None]:
    """What is read from a namespace, or from the variable of a function that it is bound to; None for anything."""
    above = module.names.scopes.parent.get(namespace)
    target = above.targets[0] if isinstance(above, ast.Assign) and len(above.targets) == 1 else None
    owner = scope.owner(target.id) if isinstance(target, ast.Name) else None
    if not isinstance(target, ast.Name) or owner is None or owner.kind != "function":
        return _looked_up(index, module, namespace)
    uses = [one for one in module.names.scopes.uses.get(target.id, ()) if one.scope.owner(target.id) is owner]
    return [name for one in uses for name in _looked_up(index, module, one.root)]


def _bound_twice(module: Module) -> list[ast.AST]:
    """What binds the names of a module that have another meaning, too."""
    return [one for nodes in module.names.scopes.module.bound.values() if len(nodes) > 1 for one in nodes]


def pattern_of(name: ast.expr) -> re.Pattern[str]:
    """The names that an expression may give, by the parts of it that are written out."""

    def parts(node: ast.expr) -> list[str]:
        if isinstance(node, ast.Constant):
            return [re.escape(str(node.value))]
        if isinstance(node, ast.JoinedStr):
            return [text for one in node.values for text in parts(one)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return [*parts(node.left), *parts(node.right)]
        return [".*"]

    return re.compile("".join(parts(name)))


def getter_of(index: Index, qualified: str) -> Function | None:
    """The `__getattr__` of a module, which gives what a qualified name means that nothing in the module binds."""
    head, _, last = qualified.rpartition(".")
    module = index.modules.get(head)
    if module is None or last in module.names.scopes.module.bound or qualified in index.modules:
        return None
    found = index.find(f"{head}.__getattr__")
    return found if isinstance(found, Function) else None


def _imports_anything(module: Module, scope: Scope, call: ast.Call) -> bool:
    """Whether a call imports a module by a computed name."""
    named = isinstance(call.func, ast.Name) and call.func.id == "__import__" and scope.owner("__import__") is None
    imports = named or module.names.of(call.func, scope) in _IMPORTING
    return imports and bool(call.args) and not isinstance(call.args[0], ast.Constant)


def _of_names_bound_twice(index: Index, module: Module) -> Iterator[Function]:
    """What a module defines or imports under a name that has another meaning, too: as a fallback, or for a platform."""
    for node in _bound_twice(module):
        meant = index.find(module.names.binding(node) or "") if isinstance(node, ast.alias) else None
        where = index.modules.get(module.names.binding(node) or "") if isinstance(node, ast.alias) else None
        if isinstance(meant, Function):
            yield meant
        elif where is not None:
            yield from (one for one in where.functions.values() if one.owner is None)
        elif node in module.functions:
            yield module.functions[node]
        elif node in module.classes:
            yield from module.classes[node].methods.values()


def module_meant(index: Index, module: Module, scope: Scope, node: ast.AST) -> Module | None:
    """The module of the project that `sys.modules[name]`, `importlib.import_module(name)` or `globals()` gives."""
    if isinstance(node, ast.Subscript) and module.names.of(node.value, scope) == "sys.modules":
        return _named(index, module, node.slice)
    if not isinstance(node, ast.Call):
        return None
    name = getattr(node.func, "id", "") if isinstance(node.func, ast.Name) else ""
    if name and scope.owner(name) is None:
        if name == "globals" or (name in _NAMESPACES and not node.args and scope.kind == "module"):
            return module
        return _named(index, module, node.args[0]) if name == "__import__" and node.args else None
    imports = module.names.of(node.func, scope) in _IMPORTING
    return _named(index, module, node.args[0]) if imports and node.args else None


def _named(index: Index, module: Module, name: ast.expr) -> Module | None:
    if isinstance(name, ast.Name) and name.id == "__name__":
        return module
    return index.modules.get(str(name.value)) if isinstance(name, ast.Constant) else None


def _names(index: Index, module: Module) -> Iterator[tuple[Module, str | None]]:
    """The modules that a module looks names up in, with the names; None where they are computed."""
    for _, call in run_texts(module):
        text = text_in(call.args[0])
        for name in _names_in(text) if text is not None else [None]:
            yield module, name
    roots = (*_NAMESPACES, "sys", "importlib", "import_module", "modules", "__import__")
    for use in [one for root in roots for one in module.names.scopes.uses.get(root, ())]:
        above = module.names.scopes.parent.get(use.node)
        meant = module_meant(index, module, use.scope, above) if above is not None else None
        if meant is not None and above is not None:
            yield from ((meant, name) for name in _looked_up(index, module, above))


def _names_in(text: str) -> list[str | None]:
    try:
        return [node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    except (SyntaxError, ValueError):
        return []  # which raises


def _looked_up(index: Index, module: Module, namespace: ast.AST) -> list[str | None]:
    """What is read from a namespace; nothing where something is bound in it, or only asked for.

    Of one that a function returns, what its callers in the project read.
    """
    if not isinstance(getattr(namespace, "ctx", ast.Load()), ast.Load):
        return []
    above = module.names.scopes.parent.get(namespace)
    further = module.names.scopes.parent.get(above) if above is not None else None
    if isinstance(above, ast.Return):
        return _read_by_callers(index, module, above)
    if isinstance(above, ast.Compare | ast.Expr) or not isinstance(getattr(above, "ctx", ast.Load()), ast.Load):
        return []
    if isinstance(above, ast.Attribute):
        if above.attr not in ("get", "pop", "__getitem__") or not isinstance(further, ast.Call) or not further.args:
            return [above.attr]
        return [text_in(further.args[0])]
    if isinstance(above, ast.Subscript):
        return [text_in(above.slice)]
    if isinstance(above, ast.Call) and getattr(above.func, "id", "") == "hasattr":
        return []
    reads = isinstance(above, ast.Call) and getattr(above.func, "id", "") == "getattr" and len(above.args) > 1
    return [text_in(above.args[1])] if reads and isinstance(above, ast.Call) else [None]


def _read_by_callers(index: Index, module: Module, returns: ast.Return) -> list[str | None]:
    """What is read from what a function returns where it is called; None where it is a method, or used otherwise."""
    function = module.function_around(returns)
    if function is None or function.owner is not None or function.nested or function.node.decorator_list:
        return [None]
    calls = _calls_by_name(index, function.node.name)
    parents = [(one, one.names.scopes.parent.get(call), call) for one, call in calls or ()]
    if calls is None or any(isinstance(above, ast.Return) for _, above, _ in parents):
        return [None]
    return [name for one, _, call in parents for name in _read_from(index, one, one.names.scopes.around(call), call)]


def _calls_by_name(index: Index, function: str) -> list[tuple[Module, ast.Call]] | None:
    """The calls of what has a bare name, with their modules; None where it is used otherwise, or renamed."""
    found: list[tuple[Module, ast.Call]] = []
    for module in index.modules.values():
        for node, above in module.names.scopes.parent.items() if function.encode() in module.source.body else ():
            if isinstance(node, ast.alias) and node.asname and node.name.rpartition(".")[2] == function:
                return None
            if function == getattr(node, "attr", getattr(node, "id", "")) and _is_read(node):
                if not isinstance(above, ast.Call) or above.func is not node:
                    return None
                found.append((module, above))
    return found


def _is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _calls_of(module: Module, builtins: frozenset[str]) -> Iterator[tuple[Scope, ast.Call]]:
    for use in [one for name in sorted(builtins) for one in module.names.scopes.uses.get(name, ())]:
        call = module.names.scopes.parent.get(use.node)
        if isinstance(call, ast.Call) and call.func is use.root and use.scope.owner(use.root.id) is None:
            yield use.scope, call
