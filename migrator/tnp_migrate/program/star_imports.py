"""The names that `from x import *` brings in from the modules of the project, and those that a package gives lazily."""

from __future__ import annotations

from collections.abc import Mapping

from tnp_migrate.program.lazy_imports import lazy_names
from tnp_migrate.program.names import Names

_ROUNDS = 16  # how many modules one behind the other star imports are followed through


def enter_star_names(modules: Mapping[str, Names]) -> None:
    """Note the names that star imports bring in from the project's modules; the last import of a module wins.

    Modules that take all names of each other do not settle at once, and may not at all: a few rounds are enough.
    """
    for name, module in modules.items():
        module.star_names = lazy_names(modules, name)
    takers = {name: one for name, one in modules.items() if any(starred in modules for starred in one.starred)}
    own = {name: module.star_names for name, module in takers.items()}
    for _ in range(_ROUNDS):
        before = [module.star_names for module in takers.values()]
        for name, module in takers.items():
            module.star_names = {**own[name], **_star_names(modules, module)}
        if before == [module.star_names for module in takers.values()]:
            return


def _star_names(modules: Mapping[str, Names], module: Names) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in module.starred:
        given = modules.get(name)
        if given is not None and given is not module:
            found |= given.star_names
            found |= {one: f"{name}.{one}" for one in given.scopes.module.bound if not one.startswith("_")}
    return found
