"""What classes of the project are besides plain ones, by what they are derived from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, lru_cache

from tnp_migrate.program.index import Class, Function, Index

_OVERRIDING = ("__array_ufunc__", "__array_function__", "__array_wrap__", "__array_finalize__")


@lru_cache(maxsize=1)
def may_be_arrays(index: Index) -> bool:
    """Whether NumPy's functions may give instances of a class of the project: one of arrays, or that overrides them."""
    classes = [one for module in index.modules.values() for one in module.classes.values()]
    return not index.methods.keys().isdisjoint(_OVERRIDING) or any(map(is_array, classes))


def is_array(owner: Class) -> bool:
    """Whether the instances of a class may be arrays, by what it says of its bases."""
    names = [ast.unparse(base).rpartition(".")[2] for base in owner.node.bases]
    return any("array" in name.lower() or name in ("matrix", "memmap") for name in names)


def makes_classes(owner: Class) -> bool:
    """Whether the instances of a class are classes."""
    return "type" in _bases(owner)


def is_enumeration(owner: Class) -> bool:
    """Whether what the statements of a class bind are its members, which have their values."""
    return any(base.endswith(("Enum", "Flag")) for base in _bases(owner))


def is_of_library(owner: Class) -> bool:
    """Whether a class is derived from one that is not of the project."""
    return any(len(one.bases) < sum(ast.unparse(base) != "object" for base in one.node.bases) for one in owner.lineage)


def method_of_class(owner: Class, name: str) -> Function | None:
    """The method that a class itself has under a name: one of its own, or of its metaclass."""
    makers = (one.metaclass.method(name) for one in owner.lineage if one.metaclass is not None)
    return owner.method(name) or next((one for one in makers if one is not None), None)


def binds(owner: Class, name: str) -> bool:
    """Whether all instances of a class have an attribute of their own, which is found without `__getattr__`."""
    return any(name in _bound_by(one) for one in owner.lineage)


def makes_up(owner: Class, name: str) -> bool:
    """Whether a class says by a method what an attribute of its instances gives that they may not have."""
    always, otherwise = _is_asked(owner)
    return always or (otherwise and not (binds(owner, name) or owner.method(name) is not None or hasattr(object, name)))


@cache
def _is_asked(owner: Class) -> tuple[bool, bool]:
    """Whether a class has a method for all attributes, and one for those that are not found."""
    return owner.method("__getattribute__") is not None, owner.method("__getattr__") is not None


@cache
def _bound_by(owner: Class) -> frozenset[str]:
    """What `__init__` binds whatever happens, and no method deletes: what others bind may not be there yet."""
    methods = [one for one in owner.methods.values() if one.takes_self and one.positional]
    deleted = {name for one in methods for node in one.nodes for name in _of_self(one, node, ast.Del)}
    makers = [one for one in methods if one.node.name == "__init__"]
    at_once = [(one, node) for one in makers for statement in one.node.body for node in _targets(statement)]
    return frozenset(name for one, node in at_once for name in _of_self(one, node, ast.Store)) - deleted


def _targets(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of what a statement binds, unless it is one of those that may not run what is in them."""
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            yield from ast.walk(target)


def _of_self(method: Function, node: ast.AST, context: type[ast.expr_context]) -> Iterator[str]:
    """The attribute of the object of a method that a node binds or deletes."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, context):
        yield from [node.attr] if getattr(node.value, "id", "") == method.positional[0] else []


def has_computed_base(owner: Class) -> bool:
    """Whether a class is derived from what a call gives, which may be any class: `import_module("ops").Mixin`."""
    bases = (base for one in owner.lineage for base in one.node.bases)
    return any(isinstance(node, ast.Call) for base in bases for node in ast.walk(base))


def _bases(owner: Class) -> Iterator[str]:
    return (ast.unparse(base) for one in owner.lineage for base in one.node.bases)
