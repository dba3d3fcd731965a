"""Modules of the project are compiled with a decorator on each of their functions; no byte code is read or written.

`def f(x): ...` becomes `@__tnp_migrate_watch__(__file__, __name__, "f", 1, "", (0, 3)) def f(x): ...`, the decorator
innermost; the last argument says where the function's branches are noted.
"""

from __future__ import annotations

import ast
import importlib.machinery
import types
from collections.abc import Sequence

from tnp_migrate.proof.inside.branches import put_probes
from tnp_migrate.proof.inside.settings import Settings

DECORATOR = "__tnp_migrate_watch__"
COMPILED = frozenset("jit njit vectorize guvectorize generated_jit stencil cfunc jitclass".split())
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _Watch(ast.NodeTransformer):
    """Puts the decorator on functions of modules and classes. Those inside of functions run as a part of these."""

    def __init__(self, *, is_numbas: bool) -> None:
        self._classes: list[str] = []
        self._is_numbas = is_numbas  # which cannot compile what notes branches

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:  # ast's name
        if not _decorators(node) & COMPILED:
            self._classes.append(node.name)
            self.generic_visit(node)
            self._classes.pop()
        return node

    def visit_FunctionDef(self, node: _Function) -> _Function:
        names = _decorators(node)
        if "overload" in names:
            return node
        role = "compiled" if names & COMPILED else next((one for one in ("setter", "deleter") if one in names), "")
        facts: list[ast.expr] = [ast.Name("__file__", ast.Load()), ast.Name("__name__", ast.Load())]
        facts += [ast.Constant(".".join([*self._classes, node.name])), ast.Constant(node.lineno), ast.Constant(role)]
        where = (0, 0) if role == "compiled" or self._is_numbas else put_probes(node)
        facts.append(ast.Tuple([ast.Constant(one) for one in where], ast.Load()))
        call = ast.Call(ast.Name(DECORATOR, ast.Load()), facts, [])
        for one in ast.walk(call):
            ast.copy_location(one, node)
        if role == "compiled":
            node.decorator_list.insert(0, call)  # only told of; what compiles it must see the function itself
        else:
            node.decorator_list.append(call)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815


def _decorators(node: _Function | ast.ClassDef) -> set[str]:
    """The last names of the decorators: `setter` of `@x.setter`, `njit` of `@numba.njit(cache=True)`."""
    called = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    return {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in called}


def _imports_numba(tree: ast.Module) -> bool:
    """Whether a module may hand its functions to Numba: `fast = njit(f)`."""
    froms = (one.module or "" for one in ast.walk(tree) if isinstance(one, ast.ImportFrom))
    imports = (alias.name for one in ast.walk(tree) if isinstance(one, ast.Import) for alias in one.names)
    return any(name.partition(".")[0] == "numba" for name in (*froms, *imports))


def watched_code(data: bytes, path: str) -> types.CodeType:
    """The code of a file with its functions watched. Raises `SyntaxError` as Python does."""
    tree = ast.parse(data, path)
    tree = _Watch(is_numbas=_imports_numba(tree)).visit(tree)
    code: types.CodeType = compile(tree, path, "exec", dont_inherit=True)
    return code


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of the project with its functions watched."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        return watched_code(self.get_data(path), path)


class Finder:
    """Finds the modules of the project as Python does, and has them loaded by the loader above."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Python's protocol."""
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if not self._settings.covers(spec.origin):
            return None
        spec.loader = _Loader(name, spec.origin)
        return spec
