"""Attributes of one object that change places: `self.now, self.next = self.next, self.now`.

No array gets a second holder by that, but each may be found under any of the names later.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from tnp_migrate.program.attributes import attribute_name, family_of
from tnp_migrate.program.index import Index, Module


def is_rotation(node: ast.AST | None) -> bool:
    """Whether an assignment gives some attributes of a variable's object what the same attributes have."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    value = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return False
    names = [_attribute(one) for one in target.elts]
    same = len({holder for holder, _ in names}) == 1 and len(set(names)) == len(names)
    return same and all(names[0]) and sorted(names) == sorted(map(_attribute, value.elts))


def _attribute(node: ast.expr) -> tuple[str, str]:
    """The variable and the attribute that is read from it; nothing for other expressions."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id, node.attr
    return "", ""


def is_rotated(module: Module, target: ast.AST | None) -> bool:
    """Whether an attribute is bound by such an assignment."""
    parent = module.names.scopes.parent
    return target is not None and is_rotation(parent.get(parent.get(target, target)))


def rotating_with(index: Index, key: str) -> frozenset[str]:
    """The keys of the attributes whose arrays one of a key may have come by, itself among them."""
    names = _groups(index).get(attribute_name(key), frozenset())
    family = family_of(key)
    return frozenset({key, *(f"{family}:{name}" if family else name for name in names)})


@lru_cache(maxsize=1)
def _groups(index: Index) -> dict[str, frozenset[str]]:
    """By bare names of attributes those that they rotate with."""
    found: dict[str, frozenset[str]] = {}
    for name, stores in index.attribute_stores.items():
        for module, target in stores:
            if not is_rotated(module, target):
                continue
            beside = ast.iter_child_nodes(module.names.scopes.parent[target])
            names = {name, *(one.attr for one in beside if isinstance(one, ast.Attribute))}
            group = names.union(*(found.get(one, ()) for one in names))
            found |= dict.fromkeys(group, frozenset(group))
    return found
