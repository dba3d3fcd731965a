"""Arguments of a call as text: keywords added where positions differ, keywords dropped that say what is so anyway."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from tnp_migrate.analysis.starred_arguments import words_given
from tnp_migrate.backend.sites import Site, short
from tnp_migrate.diagnostics.decisions import Decision, Outcome
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.numpy_facts.signatures import Bound, Unbindable
from tnp_migrate.program.names import Reference, is_array_library, split_name
from tnp_migrate.text.source import Span

_HARMLESS: dict[str, tuple[object, ...]] = {
    "order": ("C", "K", "A", None),
    "out": (None,),
    "where": (True,),
    "subok": (True, False),
    "casting": ("same_kind", "unsafe", "safe"),
    "like": (None,),
    "device": ("cpu", None),
    "optimize": (True, False, "greedy", "optimal"),
    "overwrite_input": (True, False),
    "copy": (True,),
    "sparse": (False,),
    "kind": (None, "quicksort", "mergesort", "stable", "heapsort"),
}


_SHAPES = frozenset("shape newshape size dims dimensions".split())


def takes_shape(site: Site, call: ast.Call, argument: ast.expr) -> bool:
    """Whether a call of an array library takes an argument for a shape, which a TensorShape is as good as a tuple for.

    Anywhere else it would have to become an array, which no function of TensorFlow makes of it.
    """
    qualified = site.qualified(call.func)
    if not is_array_library(qualified):
        return False
    assert qualified is not None
    if any(word.value is argument for word in call.keywords):
        return any(word.value is argument and word.arg in _SHAPES for word in call.keywords)
    for library in ("tensorflow.experimental.numpy.", f"{qualified.partition('_tnp_helpers.')[0]}_tnp_helpers."):
        qualified = qualified.replace(library, "numpy.", 1) if qualified.startswith(library) else qualified
    if qualified.startswith(("tensorflow.", "numpy.random.")):
        return True
    slots = site.table.numpy.get(split_name(qualified)[0], ())
    position = call.args.index(argument) if argument in call.args else len(slots)
    return position < len(slots) and slots[position].name in _SHAPES and slots[position].kind != "variadic"


def is_harmless(parameter: str, value: ast.expr) -> bool:
    """Whether leaving a parameter out gives the same: `order="C"`, `out=None`."""
    return isinstance(value, ast.Constant) and value.value in _HARMLESS.get(parameter, ())


def unsupported(bound: Bound, supported: Collection[str]) -> str | None:
    """The first parameter given that the target lacks and that matters."""
    return next(
        (name for name, node in bound.given.items() if name not in supported and not is_harmless(name, node)), None
    )


def stays_for(site: Site, reference: Reference, call: ast.Call, parameter: str) -> Outcome:
    """The end of a call that is given a parameter which its target lacks."""
    message = f"the parameter `{parameter}` of {short(reference.name)} has no equivalent: the call stays on NumPy"
    return Outcome(reference.span, "flagged", (), (site.finding("TNP202", site.span(call), message, reference.name),))


def starred_finding(site: Site, reference: Reference, call: ast.Call, error: Unbindable) -> Finding:
    """Say that what a call is given is not known."""
    return site.finding("TNP203", site.span(call), f"{short(reference.name)}: {error.reason}", reference.name)


class StarredWords(NamedTuple):
    """What is known of the names in the `**options` of a call: whether all are, and the first that its target lacks."""

    is_whole: bool
    lacking: str | None


def words_by_star(site: Site, call: ast.Call, supported: Collection[str] | None) -> StarredWords:
    """What the dicts that a call unpacks give by name, against what its target takes (None: anything)."""
    found = [words_given(site.index, site.module, word.value) for word in call.keywords if word.arg is None]
    names = sorted(name for one in found for name in one.names)
    lacking = None if supported is None else next((name for name in names if name not in supported), None)
    return StarredWords(all(one.is_whole for one in found), lacking)


def fit_arguments(
    site: Site, call: ast.Call, bound: Bound, target: Sequence[str], own: Mapping[str, str] | None = None
) -> Iterator[Decision]:
    """Keep the arguments' text and fit it to the target's parameters, under NumPy's names and in the target's order.

    `own` are the names that the target has for them, where those are others.
    """
    own = own or {}
    named = {id(node): name for name, node in bound.given.items()}
    shifted = False
    for position, argument in enumerate(call.args):
        name = named.get(id(argument))
        if name is None:
            continue
        if name not in target:
            yield _drop(site, call, position)
            shifted = True
        elif shifted or position >= len(target) or target[position] != name:
            span = site.span(argument)
            yield Decision(span, (f"{own.get(name, name)}=", span), rule="keyword")
            shifted = True
    for position, word in enumerate(call.keywords):
        name = named.get(id(word.value), word.arg)
        if name is None:
            continue
        if name not in target:
            yield _drop(site, call, len(call.args) + position)
        elif own.get(name, name) != word.arg:
            start = site.span(word).start
            span = Span(start, start + len((word.arg or "").encode()))
            yield Decision(span, (own.get(name, name),), rule="keyword")


def _drop(site: Site, call: ast.Call, position: int) -> Decision:
    """Leave an argument out, with the comma before it (or after it, when it is the first)."""
    arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    span = site.span(arguments[position])
    if position:
        return Decision(Span(site.span(arguments[position - 1]).end, span.end), ("",), rule="drop")
    following = site.span(arguments[1]).start if len(arguments) > 1 else span.end
    return Decision(Span(span.start, following), ("",), rule="drop")
