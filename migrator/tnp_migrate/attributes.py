"""Attributes of instances, told apart by the family of classes that has them.

`self.x` in `class Filter` of `pkg.kalman` is `pkg.kalman.Filter:x`; the `x` of something unknown is `x`, and meets all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tnp_migrate.index import Module
from tnp_migrate.scopes import Scope
from tnp_migrate.values import UNKNOWN


def attribute_key(module: Module, scope: Scope, node: ast.Attribute) -> str | None:
    """The key of an attribute; None for a name of a library, which is no instance's."""
    receiver = module.value(node.value) or UNKNOWN
    if receiver.kind in ("instance", "class"):
        return f"{receiver.ref.family}:{node.attr}"
    if receiver.kind != "module" and module.names.of(node, scope) is not None:
        return None
    return node.attr


def attribute_name(key: str) -> str:
    """The bare name of an attribute."""
    return key.rpartition(":")[2]


def family_of(key: str) -> str:
    """The family of classes that has an attribute; empty where it is unknown."""
    return key.rpartition(":")[0]


def meets(one: str, other: str) -> bool:
    """Whether two keys may be of one attribute."""
    if one == other:
        return True
    return attribute_name(one) == attribute_name(other) and not (family_of(one) and family_of(other))


def meeting(key: str, keys: Iterable[str]) -> str | None:
    """The first of some keys that may be of the same attribute."""
    return next((one for one in keys if meets(one, key)), None)
