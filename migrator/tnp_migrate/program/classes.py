"""What classes of the project are besides plain ones, by what they are derived from."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tnp_migrate.program.index import Class, Function


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


def _bases(owner: Class) -> Iterator[str]:
    return (ast.unparse(base) for one in owner.lineage for base in one.node.bases)
