"""What a helper module imports from the package of the rules, where it holds no copy of them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from tnp_migrate import __version__
from tnp_migrate.rewriting.needed_rules import free_names

if TYPE_CHECKING:
    from tnp_migrate.numpy_facts.rulebook import Definition

PACKAGE = "tnp_rules"
_WIDTH = 100
# Modules of rules for older versions of the libraries: their names are those of rules that others call.
_OLDER = "older/"
_REQUIRE = f"""\
from {PACKAGE} import require  # pip install "tnp-migrate=={".".join(__version__.split(".")[:2])}.*"

require("{__version__}")
"""


def copied(definitions: Iterable[Definition]) -> list[Definition]:
    """The definitions that the package does not have as they are needed, in their order.

    The user's own, those for older versions, and what uses one of them.
    """
    definitions = list(definitions)
    found = {one.name for one in definitions if not _is_in_package(one)}
    grown = True
    while grown:
        users = {one.name for one in definitions if one.name not in found and not found.isdisjoint(_uses(one))}
        grown = bool(users)
        found |= users
    return [one for one in definitions if one.name in found]


def imports(
    definitions: Collection[Definition], names: Iterable[str], exported: Iterable[str], *, more: bool = False
) -> str:
    """The lines that import functions `names`, and what is used by definitions that are copied; "" for none.

    The version is looked at first: names that a version lacks are no help to who has another one installed. `exported`
    are the functions that the migrated code calls; `more` are added to a module that has such lines.
    """
    kept = {one.name for one in copied(definitions)}
    wanted = set(names).union(*(_uses(one) for one in definitions if one.name in kept)) - kept
    homes: dict[str, list[str]] = {}
    for one in sorted(definitions, key=lambda one: one.name):
        if one.name in wanted:
            homes.setdefault(one.home.replace("/", "."), []).append(one.name)
    lines = [_line(f"from {PACKAGE}.{home} import ", found, "  # noqa: E402") for home, found in sorted(homes.items())]
    listed = sorted({name for found in homes.values() for name in found} & set(exported))
    head, first = ("__all__ += ", []) if more else ("__all__ = ", [_REQUIRE])
    last = _line(head, [f'"{name}"' for name in listed], "", ("[", "]"))
    return "\n".join([*first, *lines, "", last]) if lines else ""


def imported_names(statement: ast.ImportFrom) -> set[str]:
    """The functions that a statement of a helper module imports from the package."""
    if (statement.module or "").partition(".")[0] != PACKAGE:
        return set()
    return {alias.name for alias in statement.names} - {"require"}


def _is_in_package(one: Definition) -> bool:
    return not one.home.endswith(".py") and not one.home.startswith(_OLDER)


def _uses(one: Definition) -> frozenset[str]:
    return free_names(one.node)


def _line(head: str, names: list[str], end: str, around: tuple[str, str] = ("", "")) -> str:
    """A list of names behind some words: one line, or one line for each name where that is too long."""
    joined = ", ".join(names)
    if len(head) + len(joined) <= _WIDTH:
        return f"{head}{around[0]}{joined}{around[1]}{end}"
    first, last = around if around[0] else ("(", ")")
    return "\n".join([f"{head}{first}{end}", *(f"    {name}," for name in names), last])
