"""Where arrays are written in place, and what such a write can reach.

`b = a[1:]` and `b[0] = 1` in `def f(a)` give a site on the second line whose roots are the parameter `a`; the summary
of `f` says that it mutates `a`, and so every caller that passes an array to it has a site as well.
A write on a value of unknown kind makes a summary but no site: lists, dicts and ndarrays take it as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from tnp_migrate import facts
from tnp_migrate.index import Class, Definition, Function, Index, Module
from tnp_migrate.names import is_numpy, split_name
from tnp_migrate.scopes import Scope, all_arguments
from tnp_migrate.signatures import Unbindable, bind_call, signature_table
from tnp_migrate.values import UNKNOWN, Value

_LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.alias)
_BINDINGS = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension, ast.withitem)
_RELEVANT = (*_BINDINGS, ast.AugAssign, ast.Call, ast.Return, ast.Yield, ast.Dict, ast.List, ast.Set)
Root = tuple[str, str]  # ("parameter", "x"), ("local", "x"), ("global", "x"), ("attribute", "x")


@dataclass(frozen=True, eq=False)
class Site:
    """A write in place: the node, what it is in the user's terms, and the roots that it reaches."""

    node: ast.AST
    construct: str
    roots: frozenset[Root]
    whole: bool = False  # `construct` is all there is to say: it is a call that writes, not a write itself


@dataclass(eq=False)
class Summary:
    """The effects of a function, or of a module's own statements (`function` is None then)."""

    module: Module
    function: Function | None
    nodes: list[ast.AST]
    scope: Scope
    aliases: dict[str, set[Root]] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    mutated: set[Root] = field(default_factory=set)
    returned: set[Root] = field(default_factory=set)
    escaped: set[Root] = field(default_factory=set)
    calls: list[tuple[ast.Call, list[Function]]] = field(default_factory=list)
    casts: list[ast.AugAssign] = field(default_factory=list)
    handed_back: dict[Function, set[Root]] = field(default_factory=dict)  # of every function: shared by all summaries

    def mutated_parameters(self) -> list[str]:
        """The parameters that are written to, in the order of the signature."""
        names = self.function.parameters if self.function else []
        return [name for name in names if ("parameter", name) in self.mutated and name != "self"]


def find_effects(index: Index) -> dict[Function | Module, Summary]:
    """Summarise every outermost function and every module; a fixpoint carries mutation through calls."""
    handed_back: dict[Function, set[Root]] = {}
    nodes = {one: _relevant(one) for module in index.modules.values() for one in _bodies(module)}
    summaries: dict[Function | Module, Summary] = {}
    for _ in range(2):  # the second round knows which functions hand back what they were given
        blank = {one: _blank_summary(one, nodes[one], handed_back) for one in nodes}
        summaries = {one: _own(summary, index) for one, summary in blank.items()}
        handed_back.update((one, summary.returned) for one, summary in summaries.items() if isinstance(one, Function))
    _carry(summaries)
    return summaries


def _bodies(module: Module) -> Iterator[Function | Module]:
    yield module
    yield from (function for function in module.functions.values() if not function.nested)


def _relevant(one: Function | Module) -> list[ast.AST]:
    """The nodes of a body that bind, call, return or write."""
    is_function = isinstance(one, Function)
    body = one.node.body if isinstance(one, Function) else one.source.tree.body
    return [node for node in own_nodes(body, inside_functions=is_function) if isinstance(node, _RELEVANT)]


def _blank_summary(one: Function | Module, nodes: list[ast.AST], handed_back: dict[Function, set[Root]]) -> Summary:
    if isinstance(one, Function):
        return Summary(one.module, one, nodes, one.scope, handed_back=handed_back)
    return Summary(one, None, nodes, one.names.scopes.module, handed_back=handed_back)


def _own(summary: Summary, index: Index) -> Summary:
    """The effects of a body's own statements."""
    for _ in range(3):
        for node in summary.nodes:
            if isinstance(node, _BINDINGS):
                _note_aliases(summary, node)
    for node in summary.nodes:
        _note_escape(summary, node)
        if isinstance(node, ast.Call):
            summary.calls.append((node, callees(summary.module, index, node)))
        elif isinstance(node, ast.Return) and node.value is not None:
            summary.returned |= roots(summary, node.value)
    for node in summary.nodes:
        for target, construct, sure in _writes(summary, node):
            reached = frozenset(roots(summary, target))
            summary.mutated |= reached
            if sure:
                summary.sites.append(Site(node, construct, reached))
    return summary


def own_nodes(body: list[ast.stmt], *, inside_functions: bool) -> Iterator[ast.AST]:
    """The nodes of a body. A module's own statements do not include its functions; a function's nested ones count."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        if not inside_functions and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += [*reversed(node.args.defaults), *reversed(node.decorator_list)]
            continue
        yield node
        if isinstance(node, _LEAVES):
            continue
        inner: list[ast.AST] = []
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                inner += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                inner.append(value)
        inner.reverse()
        pending += inner


def callees(module: Module, index: Index, call: ast.Call) -> list[Function]:
    """The project's functions that a call may reach; by bare name where the receiver is unknown."""
    value = module.value(call.func)
    if value is not None and value.kind == "function":
        return [value.ref]
    if value is not None and value.kind == "class":
        owner: Class = value.ref
        start = owner.method("__init__")
        return [start] if start else []
    if isinstance(call.func, ast.Attribute):
        receiver = module.value(call.func.value) or UNKNOWN
        if receiver.kind == "unknown":
            return index.methods.get(call.func.attr, [])
    return []


def roots(summary: Summary, node: ast.expr) -> set[Root]:
    """The regions whose memory an expression may share."""
    if isinstance(node, ast.Name):
        return _name_roots(summary, node.id)
    if isinstance(node, ast.Attribute):
        if node.attr in facts.VIEW_ATTRIBUTES and _kind(summary, node.value) in ("array", "unknown"):
            return roots(summary, node.value)
        return {("attribute", node.attr)}
    if isinstance(node, ast.Subscript):
        return roots(summary, node.value) if _is_view_index(summary, node.slice) else set()
    if isinstance(node, ast.Starred | ast.NamedExpr | ast.Await):
        return roots(summary, node.value)
    if isinstance(node, ast.IfExp):
        return roots(summary, node.body) | roots(summary, node.orelse)
    if isinstance(node, ast.BoolOp):
        return set().union(*(roots(summary, one) for one in node.values))
    if isinstance(node, ast.Tuple | ast.List):
        return set().union(*(roots(summary, one) for one in node.elts)) if node.elts else set()
    return _call_roots(summary, node) if isinstance(node, ast.Call) else set()


def _name_roots(summary: Summary, name: str) -> set[Root]:
    known = summary.aliases.get(name, set())
    if summary.function is not None and name in summary.function.parameters:
        return known | {("parameter", name)}
    owner = summary.scope.owner(name)
    if owner is None:
        return set(known)
    return known | {("global" if owner.kind == "module" and summary.function else "local", name)}


def _is_view_index(summary: Summary, index: ast.expr) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return not any(_kind(summary, part) in ("array", "list") and not isinstance(part, ast.Slice) for part in parts)


def _call_roots(summary: Summary, node: ast.Call) -> set[Root]:
    qualified = _qualified(summary, node.func)
    if qualified is not None and is_numpy(qualified):
        name = split_name(qualified)[0]
        copies = name in facts.COPY_FUNCTIONS and any(
            word.arg == "copy" and not (isinstance(word.value, ast.Constant) and word.value.value is True)
            for word in node.keywords
        )
        if (name in facts.VIEW_FUNCTIONS or copies) and node.args:
            return roots(summary, node.args[0])
        return set()
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in facts.VIEW_METHODS:
            return roots(summary, node.func.value)
        if node.func.attr == "astype" and any(word.arg == "copy" for word in node.keywords):
            return roots(summary, node.func.value)
    if isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "zip", "enumerate", "reversed", "iter", "dict"):
        return set().union(*(roots(summary, one) for one in node.args)) if node.args else set()
    return set(_handed_back(summary, node))


def _handed_back(summary: Summary, node: ast.Call) -> Iterator[Root]:
    """The roots of the arguments that a function of the project gives back."""
    value = summary.module.value(node.func)
    if value is None or value.kind != "function":
        return
    function: Function = value.ref
    for parameter, argument in passed(function, node):
        if ("parameter", parameter) in summary.handed_back.get(function, ()):
            yield from roots(summary, argument)


def passed(function: Function, call: ast.Call) -> list[tuple[str, ast.expr]]:
    """The parameters of a project function with the expressions that a call gives for them."""
    arguments = function.node.args
    parameters = [one.arg for one in [*arguments.posonlyargs, *arguments.args]]
    through_class = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id[:1].isupper()
    if function.takes_self and (isinstance(call.func, ast.Attribute) or function.node.name == "__init__") and not through_class:
        parameters = parameters[1:]
    found = [pair for pair in zip(parameters, call.args, strict=False) if not isinstance(pair[1], ast.Starred)]
    return found + [(word.arg, word.value) for word in call.keywords if word.arg]


def _note_aliases(summary: Summary, node: ast.AST) -> None:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            _alias(summary, target, node.value)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        _alias(summary, node.target, node.value)
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        _alias(summary, node.target, node.iter)
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        _alias(summary, node.optional_vars, node.context_expr)


def _alias(summary: Summary, target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, ast.Name):
        found = roots(summary, value) - {("local", target.id)}
        if found:
            summary.aliases.setdefault(target.id, set()).update(found)
    elif isinstance(target, ast.Tuple | ast.List):
        pairs = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        for position, one in enumerate(target.elts):
            part = value.elts[position] if pairs and isinstance(value, ast.Tuple | ast.List) else value
            _alias(summary, one.value if isinstance(one, ast.Starred) else one, part)
    elif isinstance(target, ast.Attribute):
        summary.escaped |= roots(summary, value)
        for root in roots(summary, value):
            if root[0] == "parameter":
                summary.aliases.setdefault(f".{target.attr}", set()).add(root)


def _note_escape(summary: Summary, node: ast.AST) -> None:
    """What is put into a container, yielded or handed to an object lives on under another name."""
    held: list[ast.expr] = []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        held = node.args if node.func.attr in ("append", "insert", "add", "setdefault", "extend") else []
    elif isinstance(node, ast.Yield) and node.value is not None:
        held = [node.value]
    elif isinstance(node, ast.Assign) and any(isinstance(target, ast.Subscript) for target in node.targets):
        kinds = {_kind(summary, target.value) for target in node.targets if isinstance(target, ast.Subscript)}
        held = [] if kinds == {"array"} else [node.value]
    elif isinstance(node, ast.Dict | ast.List | ast.Set):
        held = list(node.values) if isinstance(node, ast.Dict) else list(node.elts)
    for one in held:
        summary.escaped |= roots(summary, one)


def _writes(summary: Summary, node: ast.AST) -> Iterator[tuple[ast.expr, str, bool]]:
    """What a node writes to in place: the expression, the construct, and whether it is an array by evidence."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _stores(summary, target)
    elif isinstance(node, ast.AugAssign):
        yield from _augmented(summary, node)
    elif isinstance(node, ast.For | ast.AsyncFor | ast.withitem):
        stored = node.optional_vars if isinstance(node, ast.withitem) else node.target
        if stored is not None:
            yield from _stores(summary, stored)
    elif isinstance(node, ast.Call):
        yield from _call_writes(summary, node)


def _stores(summary: Summary, target: ast.expr) -> Iterator[tuple[ast.expr, str, bool]]:
    if isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            yield from _stores(summary, one)
    elif isinstance(target, ast.Subscript):
        kind = _kind(summary, target.value)
        if kind == "array" or (kind == "unknown" and _only_for_arrays(summary, target.slice)):
            yield target.value, "an item assignment", True
        elif kind == "unknown":
            yield target.value, "an item assignment", _is_array_by_use(summary, target.value)
    elif isinstance(target, ast.Attribute) and target.attr in facts.STORED_ATTRIBUTES:
        if _kind(summary, target.value) == "array":
            yield target.value, f"an assignment to `.{target.attr}`", True


def _is_array_by_use(summary: Summary, node: ast.expr) -> bool:
    """Whether this is a parameter whose shape is read or that is sliced on several axes."""
    return isinstance(node, ast.Name) and summary.function is not None and node.id in _array_parameters(summary.function.node)


@cache
def _array_parameters(function: Definition) -> frozenset[str]:
    names = {argument.arg for argument in all_arguments(function.args)}
    used: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.discard(node.id)  # bound anew: the use may be of something else
        elif isinstance(node, ast.Attribute) and node.attr in ("shape", "ndim") and isinstance(node.value, ast.Name):
            used.add(node.value.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Tuple):
            if any(isinstance(part, ast.Slice) for part in node.slice.elts):
                used.add(node.value.id)
    return frozenset(names & used)


def _only_for_arrays(summary: Summary, index: ast.expr) -> bool:
    """Whether an index is one that lists and dicts do not take."""
    if isinstance(index, ast.Tuple):
        return any(
            isinstance(one, ast.Slice) or (isinstance(one, ast.Constant) and one.value is Ellipsis) for one in index.elts
        )
    return isinstance(index, ast.Compare) or _kind(summary, index) == "array"


def _augmented(summary: Summary, node: ast.AugAssign) -> Iterator[tuple[ast.expr, str, bool]]:
    target = node.target
    value = summary.module.value(target) or UNKNOWN
    if isinstance(target, ast.Subscript):
        if value.is_array and _kind(summary, target.value) in ("dict", "list", "tuple"):
            yield target, f"`{ast.unparse(target)} {_symbol(node)}=`", True
        elif _kind(summary, target.value) == "unknown" and _kind(summary, target.slice) != "str" and _adds_array(summary, node):
            yield target.value, f"`{ast.unparse(target)} {_symbol(node)}=`", True
        yield from _stores(summary, target)
        return
    if value.kind == "unknown":
        if isinstance(target, ast.Attribute) or any(root[0] == "parameter" for root in roots(summary, target)):
            yield target, f"`{ast.unparse(target)} {_symbol(node)}=`", _adds_array(summary, node)
        return
    if not value.is_array:
        return
    if isinstance(target, ast.Attribute):
        yield target, f"`{ast.unparse(target)} {_symbol(node)}=`", True
        return
    assert isinstance(target, ast.Name)
    if value.rank == 0 and not any(root[0] == "parameter" for root in roots(summary, target)):
        return
    operand = summary.module.value(node.value) or UNKNOWN
    grows = value.rank is not None and operand.rank is not None and operand.rank > value.rank
    if grows or _is_shared(summary, target.id):
        yield target, f"`{target.id} {_symbol(node)}=`", True
    elif value.sure and not _keeps_dtype(summary, node, value):
        summary.casts.append(node)


def _adds_array(summary: Summary, node: ast.AugAssign) -> bool:
    """Whether the operand is an array: an ndarray takes it in place, but gives way to a tensor and is left as it was."""
    operand = summary.module.value(node.value) or UNKNOWN
    return operand.is_array and operand.rank != 0


def _symbol(node: ast.AugAssign) -> str:
    symbols = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "MatMult": "@", "Pow": "**", "FloorDiv": "//", "Mod": "%"}
    return symbols.get(type(node.op).__name__, "|")


def _is_shared(summary: Summary, name: str) -> bool:
    """Whether another name, a container, an attribute or the caller may hold the array of a name."""
    own: set[Root] = {("local", name)}
    mine = roots(summary, ast.Name(name))
    if mine - own or own & summary.escaped:
        return True
    return any(own & held for other, held in summary.aliases.items() if other != name)


def _keeps_dtype(summary: Summary, node: ast.AugAssign, target: Value) -> bool:
    """Whether rebinding gives the dtype that NumPy's in-place operation keeps."""
    operand = summary.module.value(node.value) or UNKNOWN
    if target.dtype is None:
        return False
    if operand.kind == "scalar":
        return target.dtype.startswith(("float", "complex")) and not _is_complex(node.value)
    if target.dtype == "float64":
        return not (operand.dtype or "").startswith("complex")
    return operand.dtype == target.dtype


def _is_complex(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Constant) and isinstance(one.value, complex) for one in ast.walk(node))


def _call_writes(summary: Summary, node: ast.Call) -> Iterator[tuple[ast.expr, str, bool]]:
    qualified = _qualified(summary, node.func)
    if qualified is not None and (is_numpy(qualified) or qualified in facts.MUTATED_ARGUMENT):
        yield from _numpy_writes(node, split_name(qualified)[0] if is_numpy(qualified) else qualified, summary)
    elif isinstance(node.func, ast.Attribute):
        receiver = _kind(summary, node.func.value)
        if receiver == "array" and node.func.attr in facts.MUTATING_METHODS:
            yield node.func.value, f"`.{node.func.attr}()`", True
        if receiver == "rng" and node.func.attr in facts.RNG_MUTATING_METHODS and node.args:
            yield node.args[0], f"`.{node.func.attr}()`", _kind(summary, node.args[0]) == "array"
        if receiver == "array":
            yield from ((word.value, "`out=`", True) for word in node.keywords if word.arg == "out" and not _is_none(word.value))


def _numpy_writes(node: ast.Call, name: str, summary: Summary) -> Iterator[tuple[ast.expr, str, bool]]:
    last = name.rpartition(".")[2]
    mutated = facts.MUTATED_ARGUMENT.get(name) or ((0, "a") if last == "at" and name.count(".") > 1 else None)
    if mutated is not None:
        position, parameter = mutated
        given = [word.value for word in node.keywords if word.arg == parameter]
        target = node.args[position] if len(node.args) > position else given[0] if given else None
        if target is not None and _kind(summary, target) not in ("list", "dict"):
            yield target, f"`{name.replace('numpy', 'np', 1)}`", True
        return
    out = next((word.value for word in node.keywords if word.arg == "out"), None)
    signature = signature_table().numpy.get(name)
    if out is None and signature is not None and len(node.args) > 1:
        try:
            out = bind_call(node, signature).given.get("out")
        except Unbindable:
            out = None
    if out is not None and not _is_none(out):
        for one in out.elts if isinstance(out, ast.Tuple) else [out]:
            yield one, "`out=`", True


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _carry(summaries: dict[Function | Module, Summary]) -> None:
    """Carry mutation from callees to callers until nothing is new; a caller is looked at again when a callee changed."""
    callers: dict[Function, list[Summary]] = {}
    for summary in summaries.values():
        for function in {one for _, functions in summary.calls for one in functions}:
            callers.setdefault(function, []).append(summary)
    written: dict[Function, frozenset[str]] = {}
    while True:
        now = _written_parameters(summaries)
        changed = [function for function, names in now.items() if written.get(function) != names]
        if not changed:
            return
        written = now
        for summary in dict.fromkeys(one for function in changed for one in callers.get(function, ())):
            _through_calls(summary, written)


def _written_parameters(summaries: dict[Function | Module, Summary]) -> dict[Function, frozenset[str]]:
    """The parameters that each function writes to, or keeps in an object that does; functions without any left out."""
    found: dict[Function, frozenset[str]] = {}
    for function, summary in summaries.items():
        if isinstance(function, Function):
            names = {name for kind, name in summary.mutated if kind == "parameter"}
            names |= {name for name in _kept_parameters(summary) if _kept_by_object(summary, name, summaries)}
            if names:
                found[function] = frozenset(names)
    return found


def _kept_parameters(summary: Summary) -> set[str]:
    return {name for key, held in summary.aliases.items() if key.startswith(".") for kind, name in held if kind == "parameter"}


def _through_calls(summary: Summary, written: dict[Function, frozenset[str]]) -> None:
    """Carry the mutation of parameters from callees to the caller."""
    known = {id(site.node) for site in summary.sites}
    for call, functions in summary.calls:
        for function in functions:
            names = written.get(function)
            if names is None:
                continue
            for parameter, argument in passed(function, call):
                if parameter not in names:
                    continue
                reached = frozenset(roots(summary, argument))
                summary.mutated |= reached
                if _kind(summary, argument) == "array" and id(call) not in known:
                    known.add(id(call))
                    summary.sites.append(Site(call, f"a call of `{function.name}`, which writes to `{parameter}`", reached, whole=True))


def _kept_by_object(callee: Summary, parameter: str, summaries: dict[Function | Module, Summary]) -> bool:
    """Whether a parameter becomes an attribute that some method writes to in place."""
    owner = callee.function.owner if callee.function else None
    if owner is None:
        return False
    for name, held in callee.aliases.items():
        if name.startswith(".") and ("parameter", parameter) in held:
            wanted: Root = ("attribute", name[1:])
            for one in owner.lineage():
                if any(wanted in summaries[method].mutated for method in one.methods.values() if method in summaries):
                    return True
    return False


def _kind(summary: Summary, node: ast.expr) -> str:
    return (summary.module.value(node) or UNKNOWN).kind


def _qualified(summary: Summary, node: ast.expr) -> str | None:
    return summary.module.names.of(node, summary.scope)
