"""Sets in order that are never changed in place, so that all who have the same elements can have one set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

Elements: TypeAlias = Mapping[Any, None]
NONE: Elements = {}


def together(some: Elements, more: Iterable[Any]) -> Elements:
    """What is in either: one of the two, where that has all of it."""
    others = more if isinstance(more, Mapping) else dict.fromkeys(more)
    if some is others or some.keys() >= others.keys():
        return some
    return others if some.keys() <= others.keys() else {**some, **others}
