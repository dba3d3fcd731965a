"""Loops that fill an array element by element: the stores are kept, and done at once behind the loop.

`for i in range(n): out[i] = f(i)` becomes `out_values = tnh.Stores(out)`, `for i in range(n): out_values[i] = f(i)` and
`out = tnh.index_updates(out, out_values)`. A store into a tensor copies it: this is one copy instead of `n`.
Where `whole_loops` proves it, the loop becomes an assignment to a slice instead.
The loop must not look at the array, nor at whatever shares its memory. In a graph, `Stores` raises where a condition
or a number of steps is a tensor; loops that are likely to have one are left as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tnp_migrate.diagnostics.decisions import Decision
from tnp_migrate.functional.access_paths import TEMPORARY, is_outside
from tnp_migrate.functional.alias_graph import Link
from tnp_migrate.functional.expression_calls import Rewrite, leaves
from tnp_migrate.functional.item_assignments import Targets
from tnp_migrate.functional.points_to import origins
from tnp_migrate.functional.store_forms import Write
from tnp_migrate.functional.unit import Unit
from tnp_migrate.functional.whole_loops import as_whole
from tnp_migrate.program.index import Module
from tnp_migrate.program.nodes import walk

_UNROLLED = frozenset({"range", "enumerate", "zip", "reversed"})
_ENDLESS = frozenset({"itertools.count", "itertools.cycle", "itertools.repeat"})
_SIZES = frozenset({"shape", "ndim", "size", "dtype"})
_SEES_NAMES = frozenset({"locals", "vars", "globals", "eval", "exec"})
_LEAVES_EARLY = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)
# Contexts that do not end an exception: an array that is filled in part is seen by nobody.
_CONTEXTS = frozenset({"numpy.errstate", "warnings.catch_warnings", "contextlib.nullcontext"})

Placed = tuple[ast.Subscript, ast.Name, tuple[ast.For, ...]]  # a store, its array, the loops around it from outside


@dataclass(eq=False)
class ElementLoops(Targets):
    """The loops whose stores are kept. `kept_stores` has the arrays of the loops around a statement."""

    kept_stores: dict[str, str] = field(default_factory=dict)  # array -> the variable that its stores are kept in
    store_names: dict[tuple[ast.For, str], str] = field(default_factory=dict)
    behind_loops: dict[ast.For, list[str]] = field(default_factory=dict)
    whole_loops: dict[ast.For, Decision] = field(default_factory=dict)  # those that can do without being loops

    def keep_stores(self, node: ast.stmt, rewrite: Rewrite) -> list[ast.Name]:
        """Before the walk over a loop: keep the stores of the arrays that it only fills. Gives their names."""
        if not isinstance(node, ast.For) or not self.is_left_at_end(node):
            return []
        bases = _filled(
            self.unit,
            node,
            lambda target: _base(target) not in self.kept_stores and self.is_write(target),
            lambda name: self.is_out_of_reach(name, node),
        )
        for base in bases:
            key = (node, base.id)
            if key not in self.store_names:
                self.store_names[key] = self.unit.fresh(f"{base.id}_values")
            self.kept_stores[base.id] = self.store_names[key]
            rewrite.before.append((f"{self.kept_stores[base.id]} = {self.unit.helpers}.Stores({base.id})",))
        self.note_whole(node, bases)
        return bases

    def note_whole(self, node: ast.For, bases: list[ast.Name]) -> None:
        """Note what a loop that only fills arrays is as assignments to slices: the last pass over it decides."""
        self.whole_loops.pop(node, None)
        inside = any(isinstance(one, ast.With) for one in self.unit.module.names.scopes.ancestors(node))
        module = self.unit.module.names.scopes.module
        if not bases or inside or not self.unfolds:
            return
        found = as_whole(
            self.unit,
            node,
            {base.id for base in bases},
            is_bound=lambda name: name in self.now.bound or self.unit.scope.owner(name) is module,
            is_number=self.is_only_number,
            is_live=lambda name: self.liveness.is_live(name, node) or _is_captured(self.unit, name),
        )
        if found is not None:
            self.whole_loops[node] = found

    def slow_loops(self) -> Iterator[tuple[ast.expr, bool]]:
        """One store of each loop that stays and stores element by element, and whether the loop keeps its stores."""
        told: dict[ast.AST, tuple[ast.expr, bool]] = {}
        for store, is_kept in sorted(self.element_stores.items(), key=lambda pair: pair[1]):
            around = self.unit.module.names.scopes.ancestors(store)
            loops = [one for one in around if isinstance(one, ast.For | ast.AsyncFor | ast.While)]
            if loops and not any(one in self.whole_loops for one in loops):
                told.setdefault(loops[0], (store, is_kept))
        yield from told.values()

    def is_only_number(self, name: str) -> bool:
        """Whether a variable that has numbers, as far as its values are known, has no others: of all callers none."""
        function = self.unit.function
        is_passed = function is not None and self.unit.scope.owner(name) is function.scope
        if function is None or not is_passed or name not in function.parameters:
            return True
        return name not in function.unknown and self.known.running.is_only_called(function)

    def is_left_at_end(self, node: ast.For) -> bool:
        """Whether what stands behind a loop runs whenever something sees what the loop has done."""
        for one in self.unit.module.names.scopes.ancestors(node):
            if isinstance(one, ast.Try) or type(one).__name__ == "TryStar":
                return False
            if isinstance(one, ast.With | ast.AsyncWith) and not all(
                isinstance(item.context_expr, ast.Call) and self.unit.qualified(item.context_expr.func) in _CONTEXTS
                for item in one.items
            ):
                return False
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                break
        inside = walk(node)
        calls = {one.func.id for one in inside if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)}
        return not (calls & _SEES_NAMES or any(isinstance(one, _LEAVES_EARLY) for one in inside))

    def is_out_of_reach(self, name: str, node: ast.For) -> bool:
        """Whether nothing in a loop can see the array of a variable, other than by the variable."""
        if self.unit.scope.owner(name) is not self.unit.scope or name in self.liveness.always:
            return False
        if name in self.unit.scope.globals | self.unit.scope.nonlocals or _is_captured(self.unit, name):
            return False
        if self.unit.function is None and name in self.known.imported:
            return False
        inside = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        exact = self.now.exact((name,))
        for other in {*exact, *self.now.possible({(name,), *exact})}:
            if other[0].startswith(TEMPORARY):
                continue
            if is_outside(other):
                if other[0].startswith("!") or other not in exact or self.is_called_in_try():
                    return False
            elif (
                len(other) > 1
                or other[0] in inside | self.liveness.always
                or (other not in exact and self.is_live(other))
            ):
                return False
        return True

    def is_called_in_try(self) -> bool:
        """Whether a call of this function stands where an exception ends: the caller sees what was stored till then."""
        function = self.unit.function
        calls = self.known.running.calls_to(function) if function is not None else []
        return any(is_in_try(module, call) for module, call in calls)

    def put_kept(self, node: ast.Assign, stored: list[ast.expr], rewrite: Rewrite) -> bool:
        """Give stores that are kept to the variable that keeps them; say whether these were such stores."""
        names = [self.kept_stores.get(_base(one), "") for one in stored]
        if not all(names):
            return False
        for one, name in zip(stored, names, strict=True):
            assert isinstance(one, ast.Subscript)
            rewrite.inside[one.value] = (name,)
            self.element_stores[one] = True
        for leaf in (one for target in node.targets for one in leaves(target) if one not in stored):
            given = [(path, Link("may", node)) for path, _ in origins(self.unit, self.known, node.value)]
            self.bind_origins(leaf, given if self.unit.may_be_array(leaf) else [])
        return True

    def store_kept(self, node: ast.stmt, bases: list[ast.Name]) -> None:
        """After the walk over a loop: do the stores, and bring the array to all that hold it."""
        if not isinstance(node, ast.For):
            return
        self.behind_loops.pop(node, None)
        self.statement = node if bases else self.statement
        for base in bases:
            name = self.kept_stores.pop(base.id)
            value = (f"{self.unit.helpers}.index_updates({base.id}, {name})",)
            for line in self.apply(Write(base, base, value, "an item assignment")):
                self.behind_loops.setdefault(node, []).append("".join(map(str, line)))


def _filled(
    unit: Unit, loop: ast.For, is_write: Callable[[ast.expr], bool], is_out_of_reach: Callable[[str], bool]
) -> list[ast.Name]:
    """The arrays that a loop fills, and does nothing else with: where each is stored into first."""
    if loop.orelse or not _is_unrolled(unit, loop) or _skips_by_tensor(unit, loop):
        return []
    placed = [(store, base, loops) for store, base, loops in _placed(unit, loop.body, (loop,)) if is_write(store)]
    first: dict[str, ast.Name] = {}
    for _, base, _ in placed:
        first.setdefault(base.id, base)
    spoiled = {base.id for store, base, loops in placed if not _steps_on(unit, store, loops)}
    bases = {base for _, base, _ in placed}
    parent = unit.module.names.scopes.parent
    for one in walk(loop):
        if isinstance(one, ast.Name) and one.id in first and one not in bases and not _asks_size(parent.get(one)):
            spoiled.add(one.id)
    spoiled |= {name for name in first if name not in spoiled and not is_out_of_reach(name)}
    assigned = [one for one in walk(loop) if isinstance(one, ast.Assign)]
    together = [{_base(one) for target in node.targets for one in leaves(target) if is_write(one)} for node in assigned]
    while torn := {name for names in together if names - (first.keys() - spoiled) for name in names} - spoiled:
        spoiled |= torn  # one assignment to several arrays: all are kept, or none
    return [base for name, base in first.items() if name not in spoiled]


def _base(store: ast.expr) -> str:
    """The variable whose array `a[i] = v` stores into."""
    return store.value.id if isinstance(store, ast.Subscript) and isinstance(store.value, ast.Name) else ""


def _placed(unit: Unit, body: list[ast.stmt], loops: tuple[ast.For, ...]) -> Iterator[Placed]:
    """The stores that run in each step of a loop, or by a condition that is no tensor's."""
    for node in body:
        if isinstance(node, ast.Assign):
            for one in (leaf for target in node.targets for leaf in leaves(target)):
                if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name):
                    yield one, one.value, loops
        elif isinstance(node, ast.If) and _is_plain(unit, node.test):
            yield from _placed(unit, [*node.body, *node.orelse], loops)
        elif isinstance(node, ast.For) and _is_unrolled(unit, node):
            yield from _placed(unit, node.body, (*loops, node))


def _is_unrolled(unit: Unit, node: ast.For) -> bool:
    """Whether a loop in a graph is run by Python, as `for i in range(n)` is; one over a tensor is traced once."""
    if not isinstance(node.iter, ast.Call):
        return isinstance(node.iter, ast.List | ast.Tuple) or unit.value(node.iter).kind in ("list", "tuple", "dict")
    calls = [one for one in ast.walk(node.iter) if isinstance(one, ast.Call)]
    if any(unit.qualified(one.func) in _ENDLESS for one in calls):
        return False
    function = node.iter.func
    return isinstance(function, ast.Name) and function.id in _UNROLLED and unit.scope.owner(function.id) is None


def _is_plain(unit: Unit, test: ast.expr) -> bool:
    """Whether a condition is one of Python's own numbers. How many elements a mask leaves is none, in a graph."""
    return not any(
        isinstance(one, ast.Call | ast.Subscript | ast.Attribute)
        or (isinstance(one, ast.Name) and unit.value(one).kind != "scalar")
        for one in ast.walk(test)
    )


def _skips_by_tensor(unit: Unit, loop: ast.For) -> bool:
    """Whether a loop has a `continue` under a condition that may be a tensor's."""
    tests = [one for one in walk(loop) if isinstance(one, ast.If) and not _is_plain(unit, one.test)]
    return any(isinstance(inner, ast.Continue) for one in tests for inner in walk(one))


def _steps_on(unit: Unit, store: ast.Subscript, loops: tuple[ast.For, ...]) -> bool:
    """Whether a store picks an element or a row, another one in each step of each of the loops."""
    parts = store.slice.elts if isinstance(store.slice, ast.Tuple) else [store.slice]
    numbers = [part for part in parts if not _is_whole(part)]
    if not all(unit.is_integer(part) and unit.value(part).dtype != "bool" for part in numbers):
        return False
    names = {one.id for part in numbers for one in walk(part) if isinstance(one, ast.Name)}
    for loop in reversed(loops):
        if not names & _bound_by(loop):
            return False
        names -= _bound_by_head(loop)
    return True


def _is_whole(part: ast.expr) -> bool:
    if isinstance(part, ast.Slice):
        return part.lower is part.upper is part.step is None
    return isinstance(part, ast.Constant) and part.value is Ellipsis


def _bound_by(loop: ast.For) -> set[str]:
    """The variables that a loop binds, in its head or in its body."""
    return {one.id for one in walk(loop) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _bound_by_head(loop: ast.For) -> set[str]:
    return {one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)}


def _asks_size(node: ast.AST | None) -> bool:
    """Whether an expression is `len(a)` or `a.shape`, which no store changes."""
    if isinstance(node, ast.Attribute):
        return node.attr in _SIZES and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def _is_captured(unit: Unit, name: str) -> bool:
    """Whether a function inside binds a variable of this one, or a generator expression reads it."""
    root: ast.AST = unit.function.node if unit.function else unit.module.source.tree
    for node in walk(root):
        if isinstance(node, ast.Nonlocal | ast.Global) and name in node.names:
            return True
        inside = ast.walk(node) if isinstance(node, ast.GeneratorExp) else ()
        if any(isinstance(one, ast.Name) and one.id == name for one in inside):
            return True
    return False


def is_in_try(module: Module, call: ast.Call) -> bool:
    """Whether a call stands in a try statement, or in a `with` that may end an exception."""
    around = module.names.scopes.ancestors(call)
    return any(isinstance(one, ast.Try | ast.With) or type(one).__name__ == "TryStar" for one in around)
