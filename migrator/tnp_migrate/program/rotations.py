"""Attributes of one object that change places: `self.now, self.next = self.next, self.now`.

No array gets a second holder by that, but each may be found under any of the names later.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from tnp_migrate.program.attributes import attribute_name, family_of
from tnp_migrate.program.index import Index, Module


def rotated_by(node: ast.AST | None) -> frozenset[str]:
    """The attributes of a variable's object that an assignment gives what the same attributes have; none otherwise."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    value = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return frozenset()
    places = [_attribute(one) for one in target.elts]
    same = len({holder for holder, _ in places}) == 1 and len(set(places)) == len(places)
    rotated = same and all(places[0]) and sorted(places) == sorted(map(_attribute, value.elts))
    return frozenset(name for _, name in places) if rotated else frozenset()


def _attribute(node: ast.expr) -> tuple[str, str]:
    """The variable and the attribute that is read from it; nothing for other expressions."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id, node.attr
    return "", ""


def rotated_beside(module: Module, target: ast.AST) -> frozenset[str]:
    """The attributes that such an assignment binds, one of which is a target of it."""
    parent = module.names.scopes.parent
    return rotated_by(parent.get(parent.get(target, target)))


def rotating_with(index: Index, key: str) -> frozenset[str]:
    """The keys of the attributes whose arrays one of a key may have come by, itself among them."""
    names = _groups(index).get(attribute_name(key), frozenset())
    family = family_of(key)
    return frozenset({key, *(f"{family}:{name}" if family else name for name in names)})


@lru_cache(maxsize=1)
def _groups(index: Index) -> dict[str, frozenset[str]]:
    """By bare names of attributes those that they rotate with."""
    found: dict[str, frozenset[str]] = {}
    for stores in index.attribute_stores.values():
        for module, target in stores:
            names = rotated_beside(module, target)
            group = names.union(*(found.get(one, ()) for one in names))
            found |= dict.fromkeys(group, group)
    return found
