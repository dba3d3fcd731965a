"""The shores of islands: the decorator above a function that stays NumPy, and conversions of what it calls.

Input `def fill(x): x[0] = 1`, output the same below `@tnh.island(mutates=("x",))`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import replace

from tnp_migrate.analysis.argument_binding import passed
from tnp_migrate.analysis.effects import callees, may_write, own_nodes
from tnp_migrate.backend.sites import Site, wrap
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.islands.earlier_runs import translated_before
from tnp_migrate.islands.kept_functions import DONE, Reason
from tnp_migrate.islands.ndarray_needs import exact_numbers
from tnp_migrate.numpy_facts.values import UNKNOWN, element_of
from tnp_migrate.program.attributes import is_variable
from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.fields import fields_of
from tnp_migrate.program.index import Class, Function, Module
from tnp_migrate.program.names import is_numpy
from tnp_migrate.program.special_methods import methods_run
from tnp_migrate.text.source import Edit, Span

_OUTSIDE = frozenset({"numba", "cupy", "pycuda", "cython", "jit", "njit", "vectorize", "guvectorize"})
_OPEN = frozenset({"class", "function", "super", "unknown"})  # what may have a function as an attribute
_NEVER_ARRAYS = frozenset("scalar str none shape dtype module function class instance super rng".split())


def translate_boundaries(site: Site) -> tuple[list[Extra], list[Edit]]:
    """Decide the boundary of every island of the file: extras, and the lines of decorators."""
    extras: list[Extra] = []
    edits: list[Edit] = []
    for function in site.module.functions.values():
        reason = site.islands.functions.get(function)
        if reason is None:
            continue
        if reason.code != DONE:
            if function.name.rpartition(".")[2] != "__getattribute__":  # a border would run it for each look at `self`
                edits.append(_decorator(site, function))
            extras.append(Extra((), tuple(_findings(site, function, reason)), frozenset({"island"})))
            extras += _conversions(site, function.node.body, function)
    extras += [*_exact_numbers(site), *_passed_to_writers(site)]
    reason = site.islands.modules.get(site.module)
    if reason is not None:
        span = _place(site, reason)
        why = reason.text if reason.whole else f"{reason.text} writes to an array"
        message = f"the module's own statements stay on NumPy: {why}"
        extras.append(Extra((), (site.finding("TNP308", span, message),)))
        if not translated_before(site.module):  # as an earlier run has done
            extras += _conversions(site, site.source.tree.body, None)
    return extras, edits


def _findings(site: Site, function: Function, reason: Reason) -> Iterator:  # type: ignore[type-arg]
    here = reason.node in site.module.names.scopes.parent  # a class may be an island because of another file
    span = _place(site, reason) if here else _head(site, function)
    why = f"{reason.text} writes to an array" if reason.code == "TNP301" and not reason.whole else reason.text
    message = f"`{function.name}` stays on NumPy, as an island: {why}"
    yield site.finding(reason.code, span, message, function.name)
    summary = site.summaries.get(function)
    mutated = _mutated(site, function)
    perhaps = summary.mutated - summary.surely if summary else set()
    copies = [name for name in mutated if ("parameter", name) in perhaps]
    for names, does in (
        ([name for name in mutated if name not in copies], "writes to {}: its callers must pass ndarrays"),
        (copies, "writes to {} or to a copy: it raises where a tensor would change"),
    ):
        if names:
            text = does.format(", ".join(f"`{name}`" for name in names))
            yield site.finding("TNP302", _head(site, function), f"`{function.name}` {text}", function.name)


def _passed_to_writers(site: Site) -> Iterator[Extra]:
    """Calls that hand what may be a tensor to an island which writes to it: it raises there."""
    for call in site.module.values:
        if not isinstance(call, ast.Call) or site.is_settled(call):
            continue
        for callee in callees(site.module, site.index, call):
            writes = callee in site.islands.functions and may_write(site.index, site.module, call, callee)
            mutated = _mutated(site, callee) if writes else ()
            for name, argument in passed(site.module, callee, call):
                if name in mutated and site.value(argument).is_array:
                    text = f"`{ast.unparse(argument)}` is a tensor, and `{callee.name}`, an island, writes to it"
                    yield Extra((), (site.finding("TNP302", site.span(call), text, callee.name),))


def _exact_numbers(site: Site) -> Iterator[Extra]:
    """Where some functions take Decimal, their callers may pass it to the others, which are on tensors now."""
    used = next((node for _, node in exact_numbers(site.module)), None)
    translated = {one.scope for one in site.module.names.references if not site.islands.holds(site.module, one.node)}
    if used is not None and any(scope.kind != "module" for scope in translated):
        text = f"no tensor holds numbers of `{ast.unparse(used)}`: the functions here that are translated raise on them"
        yield Extra((), (site.finding("TNP409", site.span(used), text),))


def _place(site: Site, reason: Reason) -> Span:
    if isinstance(reason.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        start = site.source.offset(reason.node.lineno, reason.node.col_offset)
        return Span(start, start + len(reason.node.name) + 4)
    if isinstance(reason.node, ast.expr | ast.stmt):
        return site.span(reason.node)
    return Span(0, 0)


def _head(site: Site, function: Function) -> Span:
    start = site.source.offset(function.node.lineno, function.node.col_offset)
    return Span(start, start + len("def ") + len(function.node.name))


def _mutated(site: Site, function: Function) -> list[str]:
    summary = site.summaries.get(function)
    now = summary.mutated_parameters() if summary else []
    before = site.islands.wrote.get((function.module.name, function.name), [])
    return [name for name in function.parameters if name in now or name in before]


def _decorator(site: Site, function: Function) -> Edit:
    node = function.node
    mutated = _mutated(site, function)  # what an object keeps stays read-only: a later write raises
    listed = ", ".join(f'"{name}"' for name in mutated)
    call = f"(mutates=({listed}{',' if len(mutated) == 1 else ''}))" if mutated else ""
    line = node.lineno
    for decorator in node.decorator_list:
        if any(isinstance(one, ast.Name) and one.id in _OUTSIDE for one in ast.walk(decorator)):
            line = decorator.lineno
            break
        if any(isinstance(one, ast.Attribute) and one.attr in _OUTSIDE for one in ast.walk(decorator)):
            line = decorator.lineno
            break
    start = site.source.line_starts[line - 1]
    text = site.source.lines[line - 1]
    indent = text[: len(text) - len(text.lstrip())]
    return Edit(Span(start, start), f"{indent}@{site.helper('island')}{call}{site.source.newline}")


def _conversions(site: Site, body: list[ast.stmt], function: Function | None) -> Iterator[Extra]:
    """What an island gets of translated functions and of objects that they fill becomes ndarrays."""
    given = function.parameters if function is not None else []
    for node in own_nodes(body, inside_functions=function is not None):
        for argument in _written_elsewhere(site, node, given) if isinstance(node, ast.Call) else ():
            yield _through(site, "written", argument)
        called = isinstance(node, ast.Call) and not isinstance(site.parent(node), ast.Expr | ast.Await)
        if (
            (isinstance(node, ast.Call) and called and _gives_tensors(site, node))
            or (isinstance(node, ast.Attribute) and _is_read(node) and _holds_tensors(site, node, function))
            or (isinstance(node, ast.Subscript) and _is_read(node) and _is_item_of_tensors(site, node, function))
            or (isinstance(node, ast.expr) and any(_is_on_tensors(site, one) for one in methods_run(node, site.value)))
        ):
            yield _through(site, "received", node)


def _is_read(node: ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Load)


def _is_on_tensors(site: Site, method: Function) -> bool:
    """Whether a method may give a tensor."""
    return method not in site.islands.functions and (method.returns or UNKNOWN).kind not in _NEVER_ARRAYS


def _is_item_of_tensors(site: Site, node: ast.Subscript, function: Function | None) -> bool:
    """Whether an array is read from a list or dict that an object of the project holds, and may be a tensor there."""
    holder: ast.expr = node.value
    while isinstance(holder, ast.Subscript):
        holder = holder.value
    inside = site.value(node.value).kind in ("list", "dict", "tuple") and site.value(node).kind in ("array", "unknown")
    return inside and isinstance(holder, ast.Attribute) and _holds_tensors(site, holder, function, inside=True)


def _through(site: Site, helper: str, node: ast.expr) -> Extra:
    text = f"{site.helper(helper)}("
    return Extra((replace(wrap(site.span(node), text), rule="boundary"),), (), frozenset({helper}))


def _written_elsewhere(site: Site, call: ast.Call, given: Collection[str]) -> list[ast.expr]:
    """What a call passes to translated functions that write to it, if nothing shows that it is no tensor.

    Those give back another tensor. What the island itself is given, its border has made an ndarray.
    """
    found: dict[ast.expr, None] = {}
    for callee in callees(site.module, site.index, call):
        mutated = _mutated(site, callee) if callee not in site.islands.functions else ()
        for name, argument in passed(site.module, callee, call) if mutated else ():
            value = site.value(argument)
            if name not in mutated or value.kind not in ("unknown", "array"):
                continue
            surely = value.is_array and value.sure
            if isinstance(argument, ast.Subscript) or (isinstance(argument, ast.Name) and not surely):
                found[argument] = None
    return [one for one in found if not isinstance(one, ast.Name) or one.id not in given]


def _holds_tensors(site: Site, node: ast.Attribute, function: Function | None, *, inside: bool = False) -> bool:
    """Whether an attribute of an object of the project is a property on tensors, or is given one on tensors.

    Or, `inside`, a list or dict of them. What a method on NumPy reads of its own object, methods on NumPy have put
    there.
    """
    receiver = site.value(node.value)
    stores = site.index.attribute_stores.get(node.attr, ())
    if receiver.kind in ("unknown", "function") and not _is_converted(site, node):
        return any(_puts_tensor(site, None, *store, inside=inside) for store in stores)
    if receiver.kind not in ("instance", "class"):
        return False
    if any(node.attr == one.name for one in fields_of(receiver.ref)):
        return site.value(node).kind in ("array", "unknown") and not _is_converted(site, node)
    if receiver.kind == "class" or _is_of_class(receiver.ref, node.attr):
        return site.value(node).is_array and receiver.ref.module not in site.islands.modules
    methods = [one for one in site.index.methods.get(node.attr, ()) if one.owner in receiver.ref.kin]
    if methods:
        return any(_gives_tensor(site, one) for one in methods)
    receivers = function.parameters[:1] if function is not None and function.takes_self else []
    if (isinstance(node.value, ast.Name) and node.value.id in receivers) or _is_converted(site, node):
        return False
    return any(_puts_tensor(site, receiver.ref, *store, inside=inside) for store in stores)


def _is_of_class(owner: Class, name: str) -> bool:
    """Whether the statements of a class, or of one that it inherits, bind an attribute."""
    return any(name in one.module.names.scopes.of[one.node].bound for one in owner.lineage)


def _gives_tensor(site: Site, method: Function) -> bool:
    """Whether a method is a property on tensors."""
    is_getter = is_property(method) or "cached_property" in map(ast.unparse, method.node.decorator_list)
    return is_getter and _is_on_tensors(site, method)


def _is_converted(site: Site, node: ast.Attribute) -> bool:
    """Whether a tensor does where an expression stands: NumPy's functions take it, and `is None` asks nothing of it."""
    above = site.parent(node)
    if isinstance(above, ast.Compare):
        return all(isinstance(one, ast.Is | ast.IsNot) for one in above.ops)
    called = site.qualified(above.func) if isinstance(above, ast.Call) else None
    return called is not None and is_numpy(called)


def _puts_tensor(site: Site, owner: Class | None, module: Module, target: ast.Attribute, *, inside: bool) -> bool:
    """Whether a store binds an attribute, of a class if one is given, to what may be a tensor, or hold some."""
    method = module.function_around(target)
    if site.islands.holds(module, target) is not None:
        return False
    if owner is not None and (method is None or method.owner not in owner.kin):
        return False
    above = module.names.scopes.parent.get(target)
    given = module.value(above.value) if isinstance(above, ast.Assign) else None
    if inside:
        return given is not None and (element_of(given).is_array or (given.kind == "list" and given.element is None))
    return given is not None and given.is_array


def _gives_tensors(site: Site, call: ast.Call) -> bool:
    value = site.value(call.func)
    if value.kind == "class":
        return False
    for callee in callees(site.module, site.index, call):
        if callee not in site.islands.functions and (callee.returns or UNKNOWN).kind not in _NEVER_ARRAYS:
            return callee.owner is None or site.value(call.func).kind == "function" or _may_be(callee.owner, site)
    return value.kind == "unknown" and _is_open(site, call.func)


def _is_open(site: Site, called: ast.expr) -> bool:
    """Whether what is called is a value that translated code may have made: `f(x)`, `table[k](x)`, `obj.f(x)`."""
    scopes = site.module.names.scopes
    if isinstance(site.index.find(site.qualified(called) or ""), tuple):
        return True  # a variable of a module
    if isinstance(called, ast.Name):
        owner = scopes.around(called).owner(called.id)
        return owner is not None and owner.kind != "module"
    if isinstance(called, ast.Call):
        return site.qualified(called.func) is None and not _is_builtin(site, called.func)
    if not isinstance(called, ast.Attribute):
        return isinstance(called, ast.Subscript)
    receiver = site.value(called.value)
    is_slot = is_variable(site.index, called.attr)
    made_here = isinstance(called.value, ast.Call) and bool(callees(site.module, site.index, called.value))
    return receiver.kind == "instance" or (receiver.kind in _OPEN and (is_slot or made_here))


def _is_builtin(site: Site, called: ast.expr) -> bool:
    """Whether a builtin is called, other than those that give what something holds."""
    return isinstance(called, ast.Name) and not site.is_bound(called) and called.id not in ("next", "getattr", "vars")


def _may_be(owner: Class, site: Site) -> bool:
    return owner not in site.islands.classes
