"""Which functions stay on NumPy behind a boundary, and why: a closure over writes, classes and shared arrays.

A function that writes to an array in place is an island. The methods go with it that share arrays with it, a
function goes with it that hands back what an island gave it, and module-level code that feeds it stays NumPy.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tnp_migrate.analysis.effects import own_nodes
from tnp_migrate.analysis.instances import Instances
from tnp_migrate.analysis.memory import roots
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.islands.earlier_runs import left_statements, settled_functions
from tnp_migrate.islands.memory_layouts import Layouts
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Class, Function, Index, Module
from tnp_migrate.program.nodes import walk

Summaries = dict[Function | Module, Summary]
DONE = "done"  # the code of an island that an earlier run has made and reported
_LAYOUT = "it may give an array that is not in one piece to the island `{}`, which has a view of it or a copy by that"
_LEFT = "an earlier run left them so"
_JIT_ROOTS = frozenset({"numba", "pycuda", "cupy", "cython"})


@dataclass(frozen=True)
class Reason:
    """Why something stays on NumPy: the diagnostic's code, the node at fault and what it does.

    `text` is the construct that writes to an array, or, where `whole`, all there is to say. `because` is the function,
    by its module and its place, that stays on NumPy first and takes this one with it.
    """

    code: str
    node: ast.AST
    text: str
    whole: bool = False
    because: tuple[str, str] | None = None


@dataclass(eq=False)
class Islands:
    """Functions, classes and module-level statements that stay on NumPy."""

    functions: dict[Function, Reason] = field(default_factory=dict)
    classes: dict[Class, Reason] = field(default_factory=dict)
    modules: dict[Module, Reason] = field(default_factory=dict)
    statements: set[ast.stmt] = field(default_factory=set)
    settled: set[Function] = field(default_factory=set)  # by an earlier run
    wrote: dict[tuple[str, str], list[str]] = field(
        default_factory=dict
    )  # by module and function, as the user wrote it

    def holds(self, module: Module, node: ast.AST) -> Reason | None:
        """Why a node stays on NumPy; None where it is translated."""
        inside_function = False
        for around in (node, *module.names.scopes.ancestors(node)):
            if around in module.functions:
                reason = self.functions.get(module.functions[around])
                if reason is not None:
                    return reason
                inside_function = True
            elif around in module.classes and not inside_function:
                reason = self.classes.get(module.classes[around])
                if reason is not None:
                    return reason
            elif around in self.statements:
                return self.modules.get(module) or Reason("TNP308", around, "an island reads what it makes")
        return self.modules.get(module) if not inside_function else None


def find_islands(
    index: Index, summaries: Summaries, needing: dict[Function | Module, Reason], refused: Islands | None = None
) -> Islands:
    """Close over everything that has to stay on NumPy.

    `needing` are functions that use what only ndarrays have, `refused` what the functional stage has left as it was.
    """
    islands = refused or Islands()
    for one, reason in needing.items():
        if isinstance(one, Function):
            islands.functions.setdefault(one, reason)
        else:
            islands.modules.setdefault(one, reason)
    islands.settled = settled_functions(index, summaries)
    islands.functions = {one: reason for one, reason in islands.functions.items() if one not in islands.settled}
    for summary in summaries.values():
        if summary.sites:
            site = summary.sites[0]
            if summary.function in islands.settled:
                continue
            if summary.function is not None:
                islands.functions.setdefault(summary.function, Reason("TNP301", site.node, site.construct, site.whole))
            else:
                islands.modules.setdefault(summary.module, Reason("TNP308", site.node, site.construct, site.whole))
    left = left_statements(index)
    islands.modules = {one: Reason("TNP308", node, _LEFT, whole=True) for one, node in left} | islands.modules
    for module in index.modules.values():
        _decorated(module, islands)
    _spread(islands, summaries)
    for function in islands.functions:
        _keep_globals(function, islands, index)
    return islands


def _spread(islands: Islands, summaries: Summaries) -> None:
    """Keep on NumPy what has to stay there because of others that do."""
    instances = Instances()
    pending = list(islands.functions)
    copies: set[Function] = set()
    layouts = Layouts(summaries)
    turned: set[Function] = set()
    while pending:
        known = set(islands.functions)
        for function in pending:
            _spread_to_class(function, islands, instances)
            _spread_to_callees(function, summaries, islands, copies)
        for function, by in list(layouts.givers(islands.functions, turned)):
            islands.functions.setdefault(function, _because(function, _LAYOUT.format(by.name), by))
            turned.add(function)
        pending = [one for one in islands.functions if one not in known]


def _decorated(module: Module, islands: Islands) -> None:
    """Functions that another compiler translates stay as they are, and so do islands of an earlier run."""
    for function in module.functions.values():
        for decorator in function.node.decorator_list:
            head = decorator.func if isinstance(decorator, ast.Call) else decorator
            qualified = module.names.of(head, function.outer)
            if qualified is not None and qualified.endswith("_tnp_helpers.island"):
                islands.functions[function] = Reason(DONE, decorator, "an earlier run made it one", whole=True)
            elif qualified is not None and qualified.partition(".")[0] in _JIT_ROOTS:
                reason = Reason("TNP419", decorator, f"`@{ast.unparse(decorator)}` compiles it", whole=True)
                islands.functions.setdefault(function.outermost, reason)


def _spread_to_class(function: Function, islands: Islands, instances: Instances) -> None:
    """Keep the methods on NumPy that put arrays into an instance for one that is: it would find tensors there."""
    owner, read = function.owner, instances.uses_of(function).read
    if owner is None or not read:
        return
    does = "writes to them" if islands.functions[function].code == "TNP301" else "stays on NumPy"
    text = f"it shares arrays with `{function.name}`, which {does}"
    reason = Reason("TNP306", function.node, text, whole=True, because=(function.module.name, function.place))
    for one in owner.kin:
        if not read.isdisjoint(instances.class_arrays(one)):
            islands.classes.setdefault(one, reason)
        for method in one.methods.values():
            if method in islands.functions or method in islands.settled:
                continue
            if read & instances.uses_of(method).stored and not _is_plain(method):
                islands.functions[method] = reason


def _is_plain(method: Function) -> bool:
    """Whether a method refers to nothing of NumPy and computes with no array: it needs no boundary."""
    nodes = set(walk(method.node))
    if any(reference.node in nodes for reference in method.module.names.references):
        return False
    return not any(isinstance(node, ast.BinOp | ast.AugAssign | ast.Subscript | ast.Call) for node in nodes)


def _spread_to_callees(function: Function, summaries: Summaries, islands: Islands, copies: set[Function]) -> None:
    """What an island calls must give it the memory that it passed, not a copy. `copies` are known to do no harm."""
    summary = summaries.get(function)
    for callee in dict.fromkeys(one for _, callees in summary.calls for one in callees) if summary else ():
        if callee in copies or callee in islands.functions or callee in islands.settled:
            continue
        if _hands_back(callee, summaries.get(callee)):
            text = f"it hands back memory that the island `{function.name}` passes"
            islands.functions[callee] = _because(callee, text, function)
        else:
            copies.add(callee)


def _because(function: Function, text: str, by: Function) -> Reason:
    return Reason("TNP301", function.node, text, whole=True, because=(by.module.name, by.place))


def _hands_back(function: Function, effects: Summary | None) -> bool:
    """Whether a function gives its caller memory that it was passed, and may not be a tensor's."""
    if effects is None or not any(root[0] == "parameter" and root[1] != "self" for root in effects.returned):
        return False
    if effects.module.names.helpers and _returns_names(function, effects):
        return False  # what it is given it gives back itself, written to or not
    return not _is_plain(function)


def _returns_names(function: Function, effects: Summary) -> bool:
    """Whether a function that the functional stage has changed returns what was passed only as variables."""
    returned = [one.value for one in function.nodes if isinstance(one, ast.Return) and one.value is not None]
    parts = [part for one in returned for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
    bound = [one for one in function.nodes if isinstance(one, ast.Assign) and _is_update(one.value)]
    inside = [part for part in parts if any(root[0] == "parameter" for root in roots(effects, part))]
    return bool(bound) and all(isinstance(part, ast.Name) for part in inside)


def _is_update(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in traits.UPDATES


def _keep_globals(function: Function, islands: Islands, index: Index) -> None:
    """Module-level arrays that an island reads are made by NumPy."""
    module = function.module
    for node in own_nodes(function.node.body, inside_functions=True):
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        qualified = module.names.of(node, function.scope)
        found = index.find(qualified) if qualified else None
        if isinstance(found, tuple):
            holder, name = found
        elif isinstance(node, ast.Name) and (owner := function.scope.owner(node.id)) and owner.kind == "module":
            holder, name = module, node.id
        else:
            continue
        for bound in holder.names.scopes.module.bound.get(name, []):
            statement = next((one for one in holder.names.scopes.ancestors(bound) if isinstance(one, ast.stmt)), None)
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                islands.statements.add(statement)
