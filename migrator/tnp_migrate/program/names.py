"""From imports and bindings to qualified names: what a name in a module stands for, scopes respected.

Below `from numpy import linalg as la` the expression `la.norm` is `numpy.linalg.norm`; `references` finds each.
CuPy's names are NumPy's: `cp.sum` is a reference `numpy.sum`; what only CuPy has stays `cupy.…`.
"""

from __future__ import annotations

import ast
import builtins
import cmath
import math
from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Literal

from tnp_migrate.numpy_facts.effects import Effects
from tnp_migrate.numpy_facts.libraries import KNOWN_ROOTS
from tnp_migrate.numpy_facts.names_table import NUMPY_MODULES, STAR_NAMES, canonical
from tnp_migrate.numpy_facts.own_rules import NO_RULES, OwnRules
from tnp_migrate.numpy_facts.signatures import Signature
from tnp_migrate.program.nodes import head_of, is_overload
from tnp_migrate.program.scopes import Scope, Scopes
from tnp_migrate.text.source import Span

Context = Literal["call", "value", "annotation", "module", "getattr", "store"]
STAR_RIVALS = {"math": math, "cmath": cmath}  # `from math import *` below `from numpy import *` hides NumPy's `sin`
_PYTHONS = frozenset(dir(builtins))
# What gives a module for its name.
IMPORTING = frozenset({"importlib.import_module", "__import__", "pytest.importorskip", "sys.modules"})
UFUNC_METHODS = frozenset({"reduce", "accumulate", "outer", "at", "reduceat"})
CUPY_ONLY = frozenset(
    "cuda asnumpy get_array_module RawKernel RawModule ElementwiseKernel ReductionKernel fuse memoize cupyx "
    "show_config get_default_memory_pool get_default_pinned_memory_pool scatter_add".split()
)


@dataclass(frozen=True, eq=False)
class Reference:
    """A place that names NumPy: `name` qualified, `span` the bytes of the name (of the call, for `getattr`)."""

    name: str
    span: Span
    node: ast.expr
    scope: Scope
    context: Context
    rest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exports:
    """What others get from a module: the names that stand for something in NumPy, and what a star import brings."""

    numpy: Mapping[str, str] = field(default_factory=dict)
    starred: Collection[str] = ()


@dataclass(eq=False)
class Names:
    """The qualified names of a module."""

    scopes: Scopes
    module: str
    bindings: dict[tuple[Scope, str], str | None] = field(default_factory=dict)
    followed: dict[str, str] = field(default_factory=dict)  # names as written here -> through the project's modules
    references: list[Reference] = field(default_factory=list)
    starred: tuple[str, ...] = ()
    exports: Mapping[str, Exports] = field(default_factory=dict)
    is_package: bool = False
    helpers: str = ""  # what stands for the helper module before its import is there
    star_names: Mapping[str, str] = field(default_factory=dict)  # what the project's modules give to star imports
    apart: Mapping[str, str] = field(default_factory=dict)  # names as imported here -> of namesakes in other folders
    taught: OwnRules = NO_RULES  # rules and declarations of the user's for other libraries

    def of(self, node: ast.AST, scope: Scope) -> str | None:
        """The qualified name of a name or attribute chain that an import binds; None for everything else."""
        inner, attributes = node, []
        while isinstance(inner, ast.Attribute):
            attributes.append(inner.attr)
            inner = inner.value
        root = self.root(inner.id, scope) if isinstance(inner, ast.Name) else None
        if not root or self.is_python_still(inner, scope):
            return None
        qualified = ".".join([root, *reversed(attributes)])
        if qualified not in self.followed:
            self.followed[qualified] = self.onward(qualified)
        return self.followed[qualified]

    def within(self, node: ast.AST, body: Scope) -> str | None:
        """The qualified name of what may stand in a function inside a body, with imports and variables of its own.

        What is no part of the text is looked up as the body's.
        """
        inner = head_of(node)
        if not isinstance(inner, ast.Name):
            return None
        return self.of(node, self.scopes.around(inner) if inner in self.scopes.parent else body)

    def is_of_library(self, node: ast.AST) -> bool:
        """Whether a name or attribute chain is a known library, or of something in one: no object of the project."""
        root = (self.within(node, self.scopes.module) or "").partition(".")[0]
        return root in KNOWN_ROOTS and root not in self._own_roots

    @cached_property
    def of_library_classes(self) -> frozenset[str]:
        """The names that are bound to what a class of a known library makes, anywhere in the module."""
        found: set[str] = set()
        for name, calls in self.scopes.calls.items():
            for call in calls if name[:1].isupper() else ():
                above = self.scopes.parent.get(call)
                if isinstance(above, ast.Assign) and self.is_of_library(call.func):
                    found.update(one.id for one in above.targets if isinstance(one, ast.Name))
        return frozenset(found)

    @cached_property
    def _own_roots(self) -> frozenset[str]:
        """The packages and modules of the project that stand in no other: one may have the name of a library."""
        return frozenset(module.partition(".")[0] for module in self.exports)

    def declared(self, node: ast.expr, scope: Scope) -> Effects | None:
        """What the user declares of the function of another library that a name or attribute chain stands for."""
        return self.taught.effects.get(self.of(node, scope) or "") if self.taught.effects else None

    def onward(self, qualified: str) -> str:
        """Follow a name through the project's modules: `compat.np.sum` is `numpy.sum` where `compat` imports NumPy."""
        parts = qualified.split(".")
        for end in range(1, len(parts)):
            passed_on = self.passed_on(".".join(parts[:end]), parts[end])
            if passed_on is not None:
                return ".".join([passed_on, *parts[end + 1 :]])
        return qualified

    def passed_on(self, module: str, name: str) -> str | None:
        """What of NumPy a name of another module of the project stands for."""
        return self.exports[module].numpy.get(name) if module in self.exports else None

    def is_python_still(self, node: ast.AST, scope: Scope) -> bool:
        """Whether a name is Python's own where it stands: `sum([1, 2], -1)` above `from numpy import *`."""
        if (
            not isinstance(node, ast.Name)
            or node.id not in _PYTHONS
            or scope.owner(node.id) not in (None, scope.module)
        ):
            return False
        place = (node.lineno, node.col_offset)
        return not any(
            (one.lineno, one.col_offset) < place and self._gives(one, node.id) for one, _ in self.scopes.imports
        )

    def _gives(self, node: ast.Import | ast.ImportFrom, name: str) -> bool:
        """Whether an import binds a name, or may."""
        return any(alias.name == "*" or (alias.asname or alias.name) == name for alias in node.names)

    def root(self, name: str, scope: Scope) -> str | None:
        """The qualified name that `name` stands for when read in `scope`."""
        owner = scope.owner(name)
        if owner is None:
            return "_tnp_helpers" if name == self.helpers else self._star_name(name)
        key = (owner, name)
        if key not in self.bindings:
            self.bindings[key] = None  # a name defined by itself stands for nothing
            self.bindings[key] = self._bound(name, owner)
        return self.bindings[key]

    def _star_name(self, name: str) -> str | None:
        for module in reversed(self.starred):  # the last one that has the name wins
            if module in STAR_RIVALS and hasattr(STAR_RIVALS[module], name):
                return None
            if name in STAR_NAMES.get(module, ()):
                return f"{module}.{name}"
            if module in self.exports and name in self.exports[module].starred:
                return self.passed_on(module, name) or self.star_names.get(name)
        return None

    def _bound(self, name: str, owner: Scope) -> str | None:
        found: set[str] = set()
        for node in owner.bound[name]:
            qualified = self._binding(node, owner)
            if qualified:
                found.add(qualified)
            elif not self.is_fallback(node):
                return None
        if len(found) > 1 and {one.rpartition(".")[2] for one in found} == {"_tnp_helpers"}:
            return min(found)  # from the package, or from the folder of a script
        if len(found) > 1:  # `try: import cupy as np`, `except ImportError: import numpy as np`
            found = {one for one in found if one.partition(".")[0] == "numpy"}
        return found.pop() if len(found) == 1 else None

    def is_fallback(self, node: ast.AST) -> bool:
        """`np = None` where the import failed."""
        above = self.scopes.parent.get(node)
        return isinstance(above, ast.Assign) and isinstance(above.value, ast.Constant) and above.value.value is None

    def is_ambiguous(self, scope: Scope, name: str) -> bool:
        """Whether a name is bound to several things, of which one is a function or a class: on a condition, or anew."""
        bound = [one for one in scope.bound.get(name, ()) if not self.is_fallback(one)]
        if len(bound) == 1 or scope.kind == "class":
            return False
        meanings = {self.binding(one) or one for one in bound}
        defined = [one for one in meanings if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
        overloads = [one for one in defined if is_overload(one)]  # of a stub file, which has nothing else
        return len(meanings) - len(overloads) > 1 and (bool(defined) or any(isinstance(one, str) for one in meanings))

    def binding(self, node: ast.AST) -> str | None:
        """The qualified name that an import, or whatever else binds a name, gives it by itself."""
        return self._binding(node, self.scopes.around(node))

    def _binding(self, node: ast.AST, owner: Scope) -> str | None:
        above = self.scopes.parent.get(node)
        if isinstance(node, ast.alias) and isinstance(above, ast.Import):
            return self.own(node.name) if node.asname else self.own(node.name.split(".")[0])
        if isinstance(node, ast.alias) and isinstance(above, ast.ImportFrom):
            module = self.absolute(above)
            return self.passed_on(module, node.name) or f"{module}.{node.name}"
        if isinstance(node, ast.Name) and isinstance(above, ast.Assign) and node in above.targets:
            named = self.imported(above.value, owner) or self.of(above.value, owner)
            return named if named and is_module(named.replace("cupy", "numpy", 1)) else None
        return None

    def follows(self, node: ast.AST | None) -> bool:
        """Whether a statement binds names that stand for a module where they are read: not so `self.xp = np`."""
        if not isinstance(node, ast.Assign):
            return False
        scope = self.scopes.around(node)
        return scope.kind != "class" and all(
            isinstance(one, ast.Name) and is_module(self.root(one.id, scope) or "") for one in node.targets
        )

    def absolute(self, node: ast.ImportFrom) -> str:
        """The module an import takes from, as an absolute name."""
        if not node.level:
            return self.own(node.module or "")
        parts = self.module.split(".")
        drop = node.level - (1 if self.is_package else 0)
        base = parts[: len(parts) - drop] if drop else parts
        return ".".join([*base, *([node.module] if node.module else [])])

    def own(self, module: str) -> str:
        """The name of a module that is imported from the folder of this one: the project may have namesakes of it."""
        top, dot, rest = module.partition(".")
        return self.apart.get(top, top) + dot + rest

    def called(self, node: ast.expr, scope: Scope) -> str | None:
        """The qualified name of what is imported, or the name of Python's own function."""
        return builtin(node, scope) or self.of(node, scope)

    def reaches(self, libraries: Collection[str]) -> bool:
        """Whether the module reads a name of some modules, or some of Python's own functions."""
        uses = self.scopes.uses.items()
        return any((self.root(name, found[0].scope) or name).partition(".")[0] in libraries for name, found in uses)

    def imported(self, node: ast.expr, scope: Scope) -> str | None:
        """The module that a call of `importlib.import_module`, `__import__` and the like gives, or `sys.modules`."""
        if isinstance(node, ast.Subscript):
            place, asked = self.called(node.value, scope), [node.slice]
        elif isinstance(node, ast.Call):
            place = self.called(node.func, scope)
            asked = [*node.args, *(word.value for word in node.keywords)]
        else:
            return None
        name = asked[0].value if asked and isinstance(asked[0], ast.Constant) else None
        if place not in IMPORTING or not isinstance(name, str):
            return None
        return self.own(name.partition(".")[0] if place == "__import__" and len(asked) == 1 else name)

    def exported(self) -> Exports:
        """What others may import from here."""
        module = self.scopes.module
        given = dict.fromkeys(module.bound)
        for starred in self.starred:
            given |= dict.fromkeys(STAR_NAMES.get(starred, ()))
            given |= dict.fromkeys(self.exports[starred].starred if starred in self.exports else ())
        found = {name: self.root(name, module) for name in given}
        numpy = {name: one for name, one in found.items() if one and (is_numpy(one) or one in self.taught.targets)}
        assert isinstance(module.node, ast.Module)
        listed = listed_names(module.node)
        return Exports(numpy, listed or {name for name in given if not name.startswith("_")})


def builtin(node: ast.expr, scope: Scope) -> str | None:
    """The name of Python's own function, where no scope binds the name."""
    return node.id if isinstance(node, ast.Name) and scope.owner(node.id) is None else None


def listed_names(tree: ast.Module) -> set[str]:
    """The names in a module's `__all__`, where it is written out."""
    for statement in tree.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.List | ast.Tuple):
            continue
        if any(isinstance(one, ast.Name) and one.id == "__all__" for one in statement.targets):
            elements = [one.value for one in statement.value.elts if isinstance(one, ast.Constant)]
            return {one for one in elements if isinstance(one, str)}
    return set()


def is_within(modules: Container[str], qualified: str | None) -> bool:
    """Whether a qualified name is of something in one of these modules, the helper module left out."""
    parts = (qualified or "").split(".")
    heads = (".".join(parts[:count]) for count in range(1, len(parts)))
    return "_tnp_helpers" not in parts and any(head in modules for head in heads)


def is_member(modules: Container[str], qualified: str | None) -> bool:
    """Whether a qualified name is of what something in one of these modules has: `store.TABLE.copy`."""
    return is_within(modules, qualified) and (qualified or "").rpartition(".")[0] not in modules


def helper_named(qualified: str) -> str | None:
    """The helper that a qualified name is of, as an earlier run has written it; None for other names."""
    owner, _, last = qualified.rpartition(".")
    return last if owner.endswith("_tnp_helpers") else None


def is_numpy(qualified: str) -> bool:
    """Whether a qualified name is NumPy's or CuPy's."""
    return qualified.partition(".")[0] in ("numpy", "cupy")


def is_array_library(qualified: str | None) -> bool:
    """Whether a qualified name is one of NumPy's, or one that a translation puts in its place."""
    return qualified is not None and (
        is_numpy(qualified) or qualified.startswith("tensorflow.") or "_tnp_helpers." in qualified
    )


@cache
def split_name(qualified: str) -> tuple[str, tuple[str, ...]]:
    """Split a chain into the NumPy name and the attributes taken of it: `numpy.add.reduce`, then `__doc__`."""
    parts = qualified.split(".")
    if parts[0] == "cupy":
        if len(parts) > 1 and parts[1] in CUPY_ONLY:
            return qualified, ()
        parts[0] = "numpy"
    end = 1
    while end < len(parts) and ".".join(parts[: end + 1]) in NUMPY_MODULES:
        end += 1
    end = min(end + 1, len(parts))
    if end < len(parts) and parts[end] in UFUNC_METHODS:
        end += 1
    name = ".".join(parts[:end])
    return (name if is_module(name) else canonical(name)), tuple(parts[end:])


def is_module(qualified: str) -> bool:
    """Whether a canonical name is NumPy itself or one of its submodules."""
    return qualified in ("numpy", "cupy") or qualified in NUMPY_MODULES


def is_ufunc_method(name: str, functions: Mapping[str, Signature]) -> bool:
    """Whether a name is a method of a ufunc, such as `numpy.hypot.reduce`; `functions` has NumPy's signatures."""
    function, _, method = name.rpartition(".")
    return method in UFUNC_METHODS and is_ufunc(function, functions)


def is_ufunc(name: str, functions: Mapping[str, Signature]) -> bool:
    """Whether a function is a ufunc, which has its parameters; `functions` has NumPy's signatures."""
    return {"casting", "subok"} <= {parameter.name for parameter in functions.get(name) or ()}


def bind_names(scopes: Scopes, module: str, exports: Mapping[str, Exports], **known: Any) -> Names:
    """What the names of a module stand for, without the references to NumPy; `known` are other fields of `Names`."""
    names = Names(scopes, module, exports=exports, **known)
    names.starred = tuple(
        names.absolute(node)
        for node, _ in scopes.imports
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
    )
    return names
