"""What keeps a function from being compiled: all that a graph would do once, or not at all.

`def f(x): print(x); return x + 1` gives the obstacle `calls print` at the call. A function that calls it has it too.
"""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass, field
from functools import lru_cache

from tnp_migrate.analysis.effects import callees
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.compiled.worth import is_helper
from tnp_migrate.islands.kept_functions import Islands
from tnp_migrate.numpy_facts.kept_names import KEPT
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.names import builtin
from tnp_migrate.program.nodes import walk

_PURE_BUILTINS = frozenset(
    "abs all any bool bytes complex dict divmod enumerate filter float format frozenset getattr hasattr hash int "
    "isinstance issubclass iter len list map max min next object ord chr pow range repr reversed round set slice "
    "sorted str sum super tuple type zip".split()
)
_PURE_MODULES = re.compile(
    r"(math|cmath|operator|functools|itertools|copy|collections|numbers|string|dataclasses|typing|numpy|tensorflow)\b"
)
_HOST_NUMPY = re.compile(
    r"numpy\.(random|testing|ctypeslib|memmap|lib\.npyio|lib\.format|load|save|loadtxt|savetxt|genfromtxt|fromfile|"
    r"set|get_print|errstate|printoptions|vectorize|frompyfunc|apply_along|apply_over|nditer|fromfunction|fromiter)"
)
_HOST_TENSORFLOW = re.compile(
    r"tensorflow\.(print|io|random|Variable|data|py_function|numpy_function|summary|function)"
)
_OWN_METHODS = frozenset(
    "append extend insert pop remove index count keys values items get copy update add union join split strip lower "
    "upper startswith endswith format replace sort reverse setdefault clear discard".split()
)
CHANGING = frozenset(  # methods that change what they are called on
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard fill put resize "
    "appendleft popleft shuffle".split()
)
_DRAWING = re.compile(r"random|shuffle|draw|seed|rng")
DRAWS = "draws random numbers"
_DRAWN = "draw them before the loop, all at once"
_APART = "give the loop a function of its own, and do this before or after it"
_CALLED_ON = frozenset("array scalar shape str list tuple dict set dtype".split())


@dataclass(frozen=True)
class Obstacle:
    """Why a function is not compiled: where, what it does there, and what would help."""

    node: ast.AST
    does: str
    helps: str


@lru_cache(maxsize=1)
def known_obstacles(index: Index) -> dict[Function, Obstacle | None]:
    """The obstacles found so far in a project, by function."""
    del index
    return {}


@dataclass(frozen=True)
class Effects:
    """The functions of a project with what is known of them."""

    index: Index
    islands: Islands = field(compare=False)
    summaries: dict[Function | Module, Summary] = field(compare=False)

    def obstacle(self, function: Function) -> Obstacle | None:
        """What keeps a function from being compiled, the first in its text; None where nothing does."""
        known = known_obstacles(self.index)
        if function not in known:
            known[function] = None  # while it is looked at: it may call itself
            known[function] = self._in_signature(function) or self._in_body(function) or self._in_memory(function)
        return known[function]

    def _in_signature(self, function: Function) -> Obstacle | None:
        node = function.node
        if function in self.islands.functions:
            return Obstacle(node, "stays on NumPy, as an island", "see what is said of the island")
        if isinstance(node, ast.AsyncFunctionDef) or function.yields:
            return Obstacle(node, "is a generator or a coroutine", "return an array of all that it yields")
        for decorator in node.decorator_list:
            name = decorator.func if isinstance(decorator, ast.Call) else decorator
            last = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
            if last not in ("staticmethod", "classmethod", "compiled"):
                return Obstacle(
                    decorator, f"is decorated with `{last}`", "move its loop to a function without decorator"
                )
        if function.nested:
            return Obstacle(node, "stands in another function", "move it out, and pass it what it uses")
        return None

    def _in_body(self, function: Function) -> Obstacle | None:
        for statement in function.node.body:
            for node in walk(statement):
                found = self.found_at(function, node)
                if found is not None:
                    return found
        return None

    def found_at(self, function: Function, node: ast.AST) -> Obstacle | None:
        """What a node does that a graph cannot."""
        if isinstance(node, ast.Global | ast.Nonlocal):
            return Obstacle(node, f"binds {', '.join(node.names)} of the code around it", _APART)
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            return Obstacle(node, "catches errors, which a graph does not raise", f"test beforehand, or {_APART}")
        if isinstance(node, ast.With | ast.AsyncWith) and not self._is_tape(function, node):
            return Obstacle(node, "enters a context", _APART)
        if isinstance(node, ast.Import | ast.ImportFrom):
            return Obstacle(node, "imports a module", "import it at the top of the file")
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return Obstacle(
                node, f"stores the attribute `{ast.unparse(node)}`", "compute in a function, and store after it"
            )
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return self._of_store(function, node)
        return self._of_call(function, node) if isinstance(node, ast.Call) else None

    def _is_tape(self, function: Function, node: ast.With | ast.AsyncWith) -> bool:
        calls = [one.context_expr for one in node.items if isinstance(one.context_expr, ast.Call)]
        names = [function.module.names.of(call.func, function.scope) for call in calls]
        return len(names) == len(node.items) and all(name == "tensorflow.GradientTape" for name in names)

    def _of_store(self, function: Function, node: ast.Subscript) -> Obstacle | None:
        base: ast.expr = node.value
        while isinstance(base, ast.Subscript):
            base = base.value
        if isinstance(base, ast.Name) and base.id in function.scope.bound and base.id not in function.parameters:
            return None
        return Obstacle(node, f"stores into `{ast.unparse(node.value)}`, which others hold", "return what it makes")

    def _of_call(self, function: Function, node: ast.Call) -> Obstacle | None:
        module, scope = function.module, function.module.names.scopes.around(node)
        reached = callees(module, self.index, node)
        called = ast.unparse(node.func)
        for one in reached:
            if one.name.endswith("__init__"):
                return Obstacle(node, f"makes an object (`{called}`)", "pass it the arrays of the object")
            inner = self.obstacle(one)
            if inner is not None:
                return Obstacle(node, f"calls `{called}`, which {inner.does}", inner.helps)
        if reached:
            return None
        plain = builtin(node.func, scope) if isinstance(node.func, ast.Name) else None
        if plain is not None:
            return None if plain in _PURE_BUILTINS or _is_exception(plain) else Obstacle(node, f"calls {plain}", _APART)
        if is_helper(node.func, scope):
            return Obstacle(node, DRAWS, _DRAWN) if _DRAWING.search(called) else None
        name = module.names.called(node.func, scope)
        if name is not None and not name.startswith("_tnp_helpers"):
            return self._of_library(module, node, name)
        return self._of_method(function, node, called)

    def _of_library(self, module: Module, node: ast.Call, name: str) -> Obstacle | None:
        declared = module.names.taught.effects.get(name)
        if declared is not None and not (declared.host or declared.writes or declared.keeps or declared.library):
            return None
        if name.startswith("numpy.random"):
            return Obstacle(node, DRAWS, _DRAWN)
        host = _HOST_NUMPY.match(name) or _HOST_TENSORFLOW.match(name) or "read and written" in KEPT.get(name, "")
        if _PURE_MODULES.match(name) and not host:
            return None
        return Obstacle(node, f"calls {name}", _APART)

    def _of_method(self, function: Function, node: ast.Call, called: str) -> Obstacle | None:
        if isinstance(node.func, ast.Attribute):
            receiver = function.module.value(node.func.value)
            kind = receiver.kind if receiver is not None else "unknown"
            if kind == "rng":
                return Obstacle(node, DRAWS, _DRAWN)
            if kind in _CALLED_ON or (kind == "unknown" and node.func.attr in _ARRAY_METHODS):
                return None
            if node.func.attr in _OWN_METHODS and kind != "instance":
                return None
        if isinstance(node.func, ast.Name) and node.func.id in function.scope.bound:
            value = function.module.value(node.func)
            if value is not None and value.kind == "function":
                return None
        return Obstacle(
            node, f"calls `{called}`, of which it is not known what it does", "pass it the result of that call"
        )

    def _in_memory(self, function: Function) -> Obstacle | None:
        """What is left of writes after the functional stage: those to what others hold."""
        summary = self.summaries.get(function)
        held = sorted(name for kind, name in summary.surely if kind != "local") if summary is not None else []
        if not held or _only_augments(function):
            return None
        return Obstacle(function.node, f"writes to `{held[0]}`, which others hold", "return what it makes")


def _only_augments(function: Function) -> bool:
    """Whether a function writes by nothing but `x += y`, which binds a tensor anew and writes to no array of a graph.

    NumPy's form may not write to what it is passed: it raises where `x` is one, and the migrated text runs.
    """
    changes = False
    for node in function.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changes |= node.func.attr in CHANGING or any(one.arg == "out" for one in node.keywords)
    return not changes and any(isinstance(one, ast.AugAssign) for one in function.nodes)


def _is_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


_ARRAY_METHODS = frozenset(
    "all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot flatten item max mean "
    "min nonzero prod ravel repeat reshape round searchsorted squeeze std sum swapaxes take tolist trace transpose var "
    "view".split()
)
