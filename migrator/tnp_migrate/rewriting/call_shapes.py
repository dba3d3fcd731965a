"""How migrated code uses the functions of the helper module: `norm(1)`, `pad(2, mode='edge')`, or `norm` for any way.

A shape is text: the name, how many arguments stand by position, and the names of the others, with what they are where
that is None, a truth or a string.
"""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tnp_migrate.rewriting.known_conditions import source_of

MODULE = "_tnp_helpers"
KEYWORDS_TOLD = "()"  # among members of arrays: those that calls give by name are among them too, as `axis=`
_FIRST = "# How the migrated code calls them, for the next run of tnp-migrate:"


@dataclass(frozen=True)
class Shape:
    """One way to call a function. Of a keyword the value is None where it is not known."""

    name: str
    positional: int
    keywords: Mapping[str, ast.expr | None]


def name_of(shape: str) -> str:
    """The function that a shape is one of."""
    return shape.partition("(")[0]


def read_shape(shape: str) -> Shape | None:
    """Read a shape again; None for the name alone, whose function is called in any way."""
    call = ast.parse(shape, mode="eval").body
    if not isinstance(call, ast.Call):
        return None
    count, *rest = call.args
    known: dict[str, ast.expr | None] = {one.id: None for one in rest if isinstance(one, ast.Name)}
    known |= {one.arg: one.value for one in call.keywords if one.arg is not None}
    return Shape(name_of(shape), ast.literal_eval(count), known)


def shapes_in(names: Collection[str], texts: Iterable[bytes]) -> set[str]:
    """How texts use functions of the helper module, which are all that they use."""
    found = {shape for text in texts for shape in _shapes(text, names)}
    return found | {*names} - {name_of(one) for one in found}


def shape_of_member(node: ast.stmt, members: Collection[str]) -> str:
    """How a function is called that does what a member of arrays does: `members` say which keywords calls have."""
    if not isinstance(node, ast.FunctionDef) or KEYWORDS_TOLD not in members or "=" in members:
        return getattr(node, "name", "")
    count = len(node.args.posonlyargs) + len(node.args.args)
    named = sorted(one.arg for one in node.args.kwonlyargs if f"{one.arg}=" in members)
    return f"{node.name}({', '.join([str(count), *named])})"


def written_shapes(shapes: Iterable[str]) -> str:
    """Shapes as lines of comment, which the next run reads."""
    words = textwrap.wrap("; ".join(sorted(shapes)), 110, break_long_words=False, break_on_hyphens=False)
    return "".join(f"{line}\n" for line in [_FIRST, *(f"#   {one}" for one in words)])


def read_shapes(text: str) -> set[str] | None:
    """The shapes that the lines of a helper module say; None where it has no such lines."""
    if _FIRST not in text.splitlines():
        return None
    found: set[str] = set()
    for block in text.split(f"{_FIRST}\n")[1:]:
        lines = itertools.takewhile(lambda line: line.startswith("#   "), block.splitlines())
        found |= set(" ".join(line.removeprefix("#   ") for line in lines).split("; "))
    return found


def _shapes(text: bytes, names: Collection[str]) -> set[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set(names)
    aliases = set(_aliases(tree))
    calls = {id(one.func): one for one in ast.walk(tree) if isinstance(one, ast.Call)}
    marks = [mark for one in ast.walk(tree) for mark in getattr(one, "decorator_list", ())]
    calls |= {id(mark): ast.Call(mark, [mark], []) for mark in marks}
    found: set[str] = set()
    counts: Counter[str] = Counter()
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases):
            continue
        counts[node.attr] += 1
        found.add(_shape(node.attr, calls.get(id(node))))
    written = re.findall(rf"\b(?:{'|'.join(map(re.escape, aliases)) or '(?!)'})\.(\w+)".encode(), text)
    elsewhere = {one for one, times in Counter(map(bytes.decode, written)).items() if times > counts[one]}
    return {one for one in found | elsewhere if name_of(one) in names}


def _aliases(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (one.asname or one.name for one in node.names if one.name.rpartition(".")[2] == MODULE)


def _shape(name: str, call: ast.Call | None) -> str:
    """What a call looks like; the name alone for what is passed on, and for a call whose arguments are not written."""
    if call is None or any(isinstance(one, ast.Starred) for one in call.args):
        return name
    if any(one.arg is None for one in call.keywords):
        return name
    written = sorted(call.keywords, key=lambda one: one.arg or "")
    open_ones = [str(one.arg) for one in written if not _is_said(one.value)]
    said = [f"{one.arg}={source_of(one.value)}" for one in written if _is_said(one.value)]
    return f"{name}({', '.join([str(len(call.args)), *open_ones, *said])})"


def _is_said(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool | str))
