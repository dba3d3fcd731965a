"""Functions of libraries as values: what a call of `np.asarray` does that goes by another name, a table or `map`.

Each is one of a few bodies that are written out here, and followed as the project's own: a call of what a variable
turns out to hold runs the body. A call by the function's own name is `call_library`'s.
"""

from __future__ import annotations

import ast
from functools import cache

from tnp_migrate.analysis.frames import as_numpy
from tnp_migrate.analysis.writes import writes_to_first
from tnp_migrate.ir.lowering import lower_module
from tnp_migrate.ir.state import ModuleBodies
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.index import Module
from tnp_migrate.program.names import Names, is_module
from tnp_migrate.program.scopes import collect_scopes
from tnp_migrate.text.source import Source

LIBRARY = "<library>"  # the module that the bodies stand in
_TEXT = b"""\
def gives(x, *others, **more):
    return x


def gives_part(x, *others, **more):
    return x[others]


def makes(x, *others, **more):
    return x * 1


def writes(x, *others, **more):
    x[...] = 1
    return x
"""
MAKING = frozenset("abs round pow divmod sum deepcopy".split())  # of builtins and `copy`
_PARTS = frozenset("operator.getitem operator.itemgetter operator.attrgetter operator.methodcaller".split())


@cache
def library_bodies() -> tuple[Module, ModuleBodies]:
    """The module of the bodies, and the bodies."""
    source = Source(LIBRARY, _TEXT)
    scopes = collect_scopes(source.tree)
    return Module(LIBRARY, source, Names(scopes, LIBRARY, exports={})), lower_module(source.tree, scopes)


def body_like(qualified: str) -> str | None:
    """The name of the body that does what a function does with memory; None where it does nothing with arrays."""
    name = as_numpy(qualified)
    if name is None:
        if qualified in traits.MUTATED_ARGUMENT:
            return "writes"
        owner, _, last = qualified.rpartition(".")
        made = owner == "operator" or (owner in ("builtins", "copy") and last in MAKING)
        return "gives_part" if qualified in _PARTS else "makes" if made else None
    if is_module(name):
        return None
    mutated = traits.MUTATED_ARGUMENT.get(name)
    method = name.removeprefix("numpy.ndarray.")
    if (mutated is not None and mutated[0] == 0) or writes_to_first(name):
        return "writes"
    if name in traits.VIEW_FUNCTIONS or name in traits.COPY_FUNCTIONS or method in traits.VIEW_METHODS:
        return "gives"
    return "makes" if traits.RESULTS.get(name, "array") in ("array", "list", "tuple") else None


def is_called(module: Module, node: ast.AST | None) -> bool:
    """Whether an expression is what a call calls: by its own name, where it is a library's."""
    above = module.names.scopes.parent.get(node) if node is not None else None
    return isinstance(above, ast.Call) and above.func is node
