"""What the functions of a project give back, of their arguments and of attributes."""

from __future__ import annotations

from collections.abc import Mapping

from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.index import Function

Root = tuple[str, str]  # ("parameter", "x"), ("local", "x"), ("global", "x"), ("attribute", its key), ("inner", "x")


class HandedBack(dict[Function, set[Root]]):
    """What functions give back of their arguments and of attributes; what calls on something unknown may, by names."""

    def __init__(self) -> None:
        super().__init__()
        self.of_methods: dict[str, set[Root]] = {}  # the attributes that methods of a name give back

    def note(self, given: Mapping[Function, set[Root]], methods: Mapping[str, list[Function]]) -> None:
        """Note what some functions give back, in the place of what was noted of them."""
        self.update(given)
        for name in {one.node.name for one, found in given.items() if found and one.owner is not None}:
            known = [self.get(one, set()) for one in methods.get(name, ()) if not is_property(one)]
            self.of_methods[name] = {root for found in known for root in found if root[0] == "attribute"}
