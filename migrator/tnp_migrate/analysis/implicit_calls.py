"""Methods that run without being named: builtins, libraries, tests, texts and hashes run those of the objects they get.

Which of them that is nothing in the text says. So all special methods of an object are run that write to arrays, and
where it is called by a method that it has from a visitor, a thread or their like, all of its methods.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from tnp_migrate.analysis.class_bindings import assigned_methods, functions_assigned
from tnp_migrate.program.index import Class, Function, Index

ANY = "*"  # the name of whichever special method of an object is run
CALLED_BACK = "**"  # and of whichever method that a library's class may call, as `visit` does those of a visitor
UNNAMED = (ANY, CALLED_BACK)
OF_NUMBER = ("__float__", "__int__", "__complex__", "__index__", "__array__")  # which a store into an array asks for
_NAMED = frozenset(
    "__init__ __new__ __post_init__ __attrs_pre_init__ __attrs_post_init__ __init_subclass__ __class_getitem__ "
    "__set_name__ __call__ "
    "__getattribute__ __get__ __set__ __array_finalize__".split()
)  # which other rules run

# What files, locks and mappings are asked for without a name: `print(file=x)`, `closing(x)`, `dict(x)`.
_OF_PROTOCOLS = frozenset("keys read readinto readline write writelines flush close acquire release".split())
_CALLING_BACK = frozenset(
    """ast threading multiprocessing logging cmd html http socketserver asyncio string json pdb bdb tkinter sched
    collections io contextlib argparse unittest configparser""".split()
)


def methods_run(owner: Class, called: str | None) -> Iterator[Function]:
    """The methods of a class that may be run without being named."""
    open_to_library = called == CALLED_BACK and any(map(calls_back, owner.lineage))
    for name in dict.fromkeys(name for one in owner.lineage for name in one.methods):
        method = owner.method(name)
        if method is not None and name not in _NAMED and (open_to_library or is_unnamed(name)):
            yield method


def calls_back(owner: Class) -> bool:
    """Whether a class is derived from one of Python's that calls methods by their names: a visitor, a thread."""
    names = owner.module.names
    roots = {(names.of(one, names.scopes.module) or "").partition(".")[0] for one in owner.node.bases}
    return not roots.isdisjoint(_CALLING_BACK)


@lru_cache(maxsize=2)
def are_run(index: Index, called: str) -> bool:
    """Whether any class of the project has such methods."""
    classes = [one for module in index.modules.values() for one in module.classes.values()]
    if called == CALLED_BACK and any(calls_back(each) for one in classes for each in one.lineage):
        return True
    names = [name for one in classes for name in one.methods]
    return any(map(is_unnamed, [*names, *assigned_methods(index)]))


def is_unnamed(name: str) -> bool:
    """Whether a special method of a name may be run without being named."""
    return (name[:2] == "__" == name[-2:] and name not in _NAMED) or name in _OF_PROTOCOLS


@lru_cache(maxsize=1)
def assigned_unnamed(index: Index) -> tuple[str, ...]:
    """The names of such methods that classes have for functions which they do not define."""
    return tuple(filter(is_unnamed, assigned_methods(index)))


@lru_cache(maxsize=1)
def may_write(index: Index) -> bool:
    """Whether such a method of the project has a text that may write to an array."""
    unknown = (not all(assigned_methods(index)[name].values()) for name in assigned_unnamed(index))
    return bool(special_methods(index)) or any(unknown)


@lru_cache(maxsize=1)
def special_methods(index: Index) -> tuple[Function, ...]:
    """All such methods of the project whose text may write to an array."""
    classes = [one for module in index.modules.values() for one in module.classes.values()]
    methods = dict.fromkeys(method for one in classes for method in methods_run(one, CALLED_BACK))
    assigned = [one for name in assigned_unnamed(index) for one in functions_assigned(index, name)]
    return tuple(filter(_stores, dict.fromkeys([*methods, *assigned])))


def _stores(method: Function) -> bool:
    return any(
        isinstance(one, ast.AugAssign | ast.Call) or (isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store))
        for one in method.nodes
    )
