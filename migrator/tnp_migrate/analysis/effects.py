"""Where arrays are written in place, and what such a write can reach.

`b = a[1:]` and `b[0] = 1` in `def f(a)` give a site on the second line whose roots are the parameter `a`; the summary
of `f` says that it mutates `a`, and so every caller that passes an array to it has a site as well.
A write on a value of unknown kind makes a summary but no site: lists, dicts and ndarrays take it as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache, partial

from tnp_migrate.analysis.argument_binding import accepts, passed
from tnp_migrate.analysis.escapes import Users, carry_escapes, note_escape, returned_roots
from tnp_migrate.analysis.handed_back import HandedBack, Root
from tnp_migrate.analysis.memory import note_aliases, note_stores, roots, sure_roots
from tnp_migrate.analysis.specialised import Specialised
from tnp_migrate.analysis.summaries import Site, Summary
from tnp_migrate.analysis.value_flow import Flows
from tnp_migrate.analysis.writes import writes
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import UNKNOWN, element_of
from tnp_migrate.program.attributes import attribute_key
from tnp_migrate.program.dispatch import methods_called
from tnp_migrate.program.fields import start_of
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.library_objects import given_to_library_object
from tnp_migrate.program.nodes import children, walk
from tnp_migrate.program.scopes import all_arguments, defaults_of

_MOST_ASKED = 24  # methods of one name: where there are more, a call on something unknown is taken for any of them
_BINDINGS = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension, ast.withitem)
_FEW = 4  # fewer than one in so many
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_RELEVANT = (*_BINDINGS, *_DEFINITIONS, ast.AugAssign, ast.Call, ast.Return, ast.Yield, ast.Dict, ast.List, ast.Set)


def find_effects(index: Index, *, settled: bool = False) -> dict[Function | Module, Summary]:
    """Summarise every outermost function and every module; a fixpoint carries mutation through calls.

    Where it is `settled` which functions stay on NumPy, those that write, a call that may write to a copy is no site.
    """
    handed_back = HandedBack()
    nodes = {one: _relevant(one) for module in index.modules.values() for one in _bodies(module)}
    summaries: dict[Function | Module, Summary] = {}
    wanted = list(nodes)
    users: Users | None = None
    flows = Flows()
    while wanted:  # until it is known which functions hand back what they were given, or what others handed back
        made = {one: _blank_summary(one, nodes[one], handed_back, index) for one in wanted}
        for summary in made.values():
            with index.blaming(summary.module):
                _own(summary, index, flows)
        summaries |= made
        given = {one: summary.returned for one, summary in made.items() if isinstance(one, Function)}
        new = [one for one, found in given.items() if not found <= handed_back.get(one, set())]
        handed_back.note(given, index.methods)
        users = users or Users(summaries)
        wanted = users.of(new)
    callers = callers_in(summaries)
    _carry(summaries, callers, index, specialised_in(index, summaries, flows), settled=settled)
    carry_escapes(summaries, index)
    return summaries


def _bodies(module: Module) -> Iterator[Function | Module]:
    yield module
    yield from (function for function in module.functions.values() if not function.nested)


def _relevant(one: Function | Module) -> list[ast.AST]:
    """The nodes of a body that bind, call, return or write."""
    is_function = isinstance(one, Function)
    body = one.node.body if isinstance(one, Function) else one.source.tree.body
    return [node for node in own_nodes(body, inside_functions=is_function) if isinstance(node, _RELEVANT)]


def _blank_summary(one: Function | Module, nodes: list[ast.AST], handed_back: HandedBack, index: Index) -> Summary:
    if isinstance(one, Function):
        return Summary(one.module, one, nodes, one.scope, handed_back=handed_back, index=index)
    return Summary(one, None, nodes, one.names.scopes.module, handed_back=handed_back, index=index)


def _own(summary: Summary, index: Index, flows: Flows) -> None:
    """Fill in the effects of a body's own statements."""
    _note_names(summary)
    if summary.function is not None:
        summary.body = flows.body(summary.function)
    for node in summary.nodes:
        note_stores(summary, node)
        note_escape(summary, node)
        if isinstance(node, ast.Call):
            summary.calls.append((node, callees(summary.module, index, node)))
        elif isinstance(node, ast.Return) and node.value is not None:
            summary.returned |= returned_roots(summary, node.value)
    for node in summary.nodes:
        for target, construct, sure in writes(summary, node):
            reached = frozenset(roots(summary, target))
            summary.mutated |= reached
            summary.surely |= reached if _is_inside(summary, node) else sure_roots(summary, target)
            if sure:
                summary.sites.append(Site(node, construct, reached))


def _note_names(summary: Summary) -> None:
    """Note what the variables of a body may share, wherever they stand."""
    for node in summary.nodes:
        if isinstance(node, _DEFINITIONS):  # a function inside the body: its callers share what its parameters are
            for argument in all_arguments(node.args):
                summary.aliases.setdefault(argument.arg, set()).add(("inner", argument.arg))
    bindings: list[ast.AST] = [node for node in summary.nodes if isinstance(node, (*_BINDINGS, ast.Call))]
    for _ in range(3):
        before = _number_of_aliases(summary)
        for node in bindings:
            note_aliases(summary, node)
        if _number_of_aliases(summary) == before:
            break
    summary.made = {
        name
        for node in bindings
        if isinstance(node, _BINDINGS) and _makes_objects(node)
        for name in _bound_names(summary, node)
    }


def _makes_objects(node: ast.AST) -> bool:
    """Whether a binding gives its targets something else than what a variable or an attribute holds."""
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        return True
    value = node.context_expr if isinstance(node, ast.withitem) else getattr(node, "value", None)
    return value is not None and any(
        isinstance(one, ast.Call) or getattr(one, "attr", None) in traits.VIEW_ATTRIBUTES for one in walk(value)
    )


def _bound_names(summary: Summary, node: ast.AST) -> Iterator[str]:
    """The keys of `aliases` for what a node binds."""
    for one in walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id
        elif isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store):
            yield f".{attribute_key(summary.module, summary.scope, one)}"


def _is_inside(summary: Summary, node: ast.AST) -> bool:
    """Whether a node stands in a function inside the body, which may run at any later time."""
    return summary.module.names.scopes.around(node) is not summary.scope


def _number_of_aliases(summary: Summary) -> int:
    return len(summary.escaped) + len(summary.anew) + sum(map(len, summary.aliases.values()))


def own_nodes(body: list[ast.stmt], *, inside_functions: bool) -> Iterator[ast.AST]:
    """The nodes of a body. A module's own statements do not include its functions; a function's nested ones count."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        if not inside_functions and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += [*reversed(defaults_of(node.args).values()), *reversed(node.decorator_list)]
            continue
        yield node
        pending += reversed(children(node))


def callees(module: Module, index: Index, call: ast.Call) -> list[Function]:
    """The project's functions that a call may reach; by bare name where the receiver is unknown."""
    if call.func in index.dispatched:
        return index.dispatched[call.func]
    value = module.value(call.func) or UNKNOWN
    if value.kind == "class":
        owner: Class = value.ref
        start = start_of(owner)
        return [start] if start else []
    if isinstance(call.func, ast.Attribute):
        if is_guess(module, call):
            named = index.methods.get(call.func.attr, [])
            return named if len(named) > _MOST_ASKED else [one for one in named if accepts(one, call)]
        found = methods_called(module.value(call.func.value) or UNKNOWN, call.func.attr, value)
        if found:
            return found
    return [value.ref] if value.kind == "function" else []


def is_guess(module: Module, call: ast.Call) -> bool:
    """Whether a call's receiver is unknown, and no library: it may reach every method of the name."""
    if not isinstance(call.func, ast.Attribute) or (module.value(call.func) or UNKNOWN).kind in ("function", "class"):
        return False
    receiver = call.func.value
    if (module.value(receiver) or UNKNOWN).kind != "unknown" or module.names.is_of_library(receiver):
        return False
    return given_to_library_object(module, receiver) is None


def may_write(index: Index, module: Module, call: ast.Call, function: Function) -> bool:
    """Whether what a function writes to has to be reckoned with at a call that may reach it.

    Where few methods of a name write to an argument, a call on something unknown is not taken for one of them. Those
    stay on NumPy, and raise if a tensor is what they write to. Nothing has to be taken back of `x = layer.backward(x)`.
    """
    return function not in index.rare_writers or not is_guess(module, call) or _replaces_argument(module, call)


def _replaces_argument(module: Module, call: ast.Call) -> bool:
    """Whether the result of a call is bound to the variable that is all it is passed."""
    above, given = module.names.scopes.parent.get(call), call.args[:1]
    target = above.targets[0] if isinstance(above, ast.Assign) and len(above.targets) == 1 else None
    is_one = len(call.args) == 1 and not call.keywords
    return is_one and isinstance(target, ast.Name) and all(getattr(one, "id", "") == target.id for one in given)


def writes_surely(
    summaries: Mapping[Function | Module, Summary],
    module: Module,
    call: ast.Call,
    functions: list[Function],
    argument: ast.expr,
) -> bool:
    """Whether a call writes to an argument, and to no copy: unless few of the functions that it may reach do.

    Where it may not, what calls a function that stays on NumPy need not stay, too: it raises if a tensor changes.
    """
    bound: dict[tuple[object, ...], tuple[str | None, set[str], bool]] = {}
    writing = 0
    for one in functions:
        if one.shape not in bound:
            given = passed(module, one, call)
            name = next((name for name, value in given if value is argument), None)
            bound[one.shape] = name, {name for name, _ in given}, any(_says_in_place(*pair) for pair in given)
        name, names, says = bound[one.shape]
        summary = summaries.get(one)
        if summary is not None and name is not None:
            written = ("parameter", name) in summary.mutated
            in_place = written and (says or not names.issuperset(_in_place_by_default(one)))
            writing += in_place or ("parameter", name) in summary.surely
    return writing > 0 and writing * _FEW >= len(functions)


@cache
def _in_place_by_default(function: Function) -> frozenset[str]:
    """The parameters whose defaults say not to copy."""
    return frozenset(name for name, value in defaults_of(function.node.args).items() if _says_in_place(name, value))


def _says_in_place(name: str, value: ast.expr) -> bool:
    """Whether a call, or a default that it leaves, says not to copy: `copy=False`, `overwrite_input=True`."""
    return isinstance(value, ast.Constant) and (
        (value.value is False and "copy" in name)
        or (value.value is True and ("overwrite" in name or name in ("inplace", "in_place")))
    )


def _carry(
    summaries: dict[Function | Module, Summary],
    callers: Mapping[Function, list[Summary]],
    index: Index,
    specialised: Specialised,
    *,
    settled: bool,
) -> None:
    """Carry mutation from callees to callers until nothing is new: a caller is read again when a callee changed."""
    written: dict[Function, frozenset[str]] = {}
    seen: dict[Function, tuple[frozenset[str], frozenset[Root]]] = {}
    while True:
        now = _written_parameters(summaries)
        found = {one: (names, frozenset(summaries[one].surely)) for one, names in now.items()}
        changed = [one for one, state in found.items() if seen.get(one) != state]
        if not changed:
            return
        written, seen = now, found
        rare, index.rare_writers = index.rare_writers, _rare_writers(index, written)
        changed += rare - index.rare_writers
        writing: dict[int, list[Function]] = {}
        for summary in dict.fromkeys(one for function in changed for one in callers.get(function, ())):
            for _, functions in summary.calls:  # all calls on something unknown by one name have the same list
                if id(functions) not in writing:
                    writing[id(functions)] = _unlike(functions, written, index)
            _through_calls(summary, summaries, written, writing, index, specialised, settled=settled)


def _unlike(functions: list[Function], written: Mapping[Function, frozenset[str]], index: Index) -> list[Function]:
    """Those of some functions that write, the first of each kind: what a call may do is the same by all of a kind."""
    found: dict[tuple[object, ...], Function] = {}
    for one in functions:
        if one in written:
            found.setdefault((one.shape, written[one], one in index.rare_writers), one)
    return list(found.values())


def specialised_in(index: Index, summaries: Mapping[Function | Module, Summary], flows: Flows) -> Specialised:
    """What calls with constants write to, which find nothing out where something is bound to a function's defaults."""
    is_open = not index.attribute_stores.keys().isdisjoint(("__defaults__", "__kwdefaults__", "__code__"))
    return Specialised(summaries, flows, partial(may_write, index), is_open=is_open)


def callers_in(summaries: Mapping[Function | Module, Summary]) -> dict[Function, list[Summary]]:
    """Whose calls may reach a function, for every function that is called."""
    found: dict[Function, list[Summary]] = {}
    for summary in summaries.values():
        for function in dict.fromkeys(one for _, functions in summary.calls for one in functions):
            found.setdefault(function, []).append(summary)
    return found


def _rare_writers(index: Index, written: dict[Function, frozenset[str]]) -> set[Function]:
    """The methods that write to an argument where fewer than one in four of their name do."""
    found: set[Function] = set()
    for name in dict.fromkeys(one.node.name for one in written if one.owner is not None):
        methods = [one for one in index.methods[name] if not _is_abstract(one)]
        writing = [one for one in methods if written.get(one, frozenset()) - _receiver(one)]
        found.update(writing if len(writing) * _FEW < len(methods) else ())
    return found


def _receiver(method: Function) -> frozenset[str]:
    return frozenset(method.parameters[:1] if method.takes_self else ())


def _is_abstract(method: Function) -> bool:
    """Whether a method has no body: a docstring, `pass`, `...` or `raise`."""
    return all(
        isinstance(one, ast.Pass | ast.Raise) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in method.node.body
    )


def _written_parameters(summaries: dict[Function | Module, Summary]) -> dict[Function, frozenset[str]]:
    """The parameters that each function writes to; functions without any left out."""
    found: dict[Function, frozenset[str]] = {}
    for function, summary in summaries.items():
        if isinstance(function, Function):
            names = {name for kind, name in summary.mutated if kind == "parameter"}
            if names:
                found[function] = frozenset(names)
    return found


def _through_calls(
    summary: Summary,
    summaries: Mapping[Function | Module, Summary],
    written: dict[Function, frozenset[str]],
    writing: Mapping[int, list[Function]],
    index: Index,
    specialised: Specialised,
    *,
    settled: bool,
) -> None:
    """Carry the mutation of parameters from callees to the caller; `writing` are those of each list that matter."""
    known = {id(site.node) for site in summary.sites}
    for call, functions in summary.calls:
        sure: dict[ast.expr, bool] = {}  # of each argument, whichever function it is for
        for function in writing[id(functions)]:
            rarely = not may_write(index, summary.module, call, function)
            if rarely and not settled:
                continue
            names = specialised.written(summary.module, call, function, written)
            for parameter, argument in passed(summary.module, function, call):
                if parameter not in names or _is_own_dict(summary, argument):
                    continue
                reached = frozenset(roots(summary, argument))
                summary.mutated |= reached if not rarely else set()
                if not rarely and argument not in sure:
                    sure[argument] = writes_surely(summaries, summary.module, call, functions, argument)
                surely = not rarely and sure[argument]
                if surely and not is_guess(summary.module, call):
                    summary.surely |= reached if _is_inside(summary, call) else sure_roots(summary, argument)
                if settled and not surely and not _has_other_names(summary, argument, reached):
                    continue
                given = summary.module.value(argument) or UNKNOWN
                if (given.is_array or element_of(given).is_array) and id(call) not in known:
                    known.add(id(call))
                    summary.sites.append(
                        Site(call, f"a call of `{function.name}`, which writes to `{parameter}`", reached, whole=True)
                    )


def _is_own_dict(summary: Summary, argument: ast.expr) -> bool:
    """Whether an argument is a function's own `**options`: what is put into it, callers do not see."""
    words = summary.function.node.args.kwarg if summary.function is not None else None
    return words is not None and isinstance(argument, ast.Name) and argument.id == words.arg


def _has_other_names(summary: Summary, argument: ast.expr, reached: frozenset[Root]) -> bool:
    """Whether what a call may write to has another name, which may be a tensor of it: that does not see a write."""
    own = {one.id for one in walk(argument) if isinstance(one, ast.Name)}
    return any(summary.aliases.get(name, set()) & reached for name in summary.made - own)
