"""The classes of records that calls make: `namedtuple("P", "x y")`."""

from __future__ import annotations

import ast
import keyword

from tnp_migrate.program.nodes import text_in

RECORDING = ("namedtuple", "NamedTuple")
_PLACES = 2  # its name and its fields


def record_fields(node: ast.AST) -> list[str] | None:
    """The fields of the class that a call makes; None where they are not written out, or have defaults."""
    if (
        not isinstance(node, ast.Call)
        or len(node.args) != _PLACES
        or any(word.arg != "module" for word in node.keywords)
    ):
        return None
    maker = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if maker not in RECORDING:
        return None
    given = node.args[1]
    text = text_in(given)
    if text is not None:
        names: list[str | None] = [*text.replace(",", " ").split()]
    elif isinstance(given, (ast.List, ast.Tuple)):
        parts = [one.elts[0] if isinstance(one, ast.Tuple) and one.elts else one for one in given.elts]
        names = [text_in(one) for one in parts]
    else:
        return None
    found = [name for name in names if name is not None and name.isidentifier() and not keyword.iskeyword(name)]
    return found if len(found) == len(names) == len({*found}) else None
