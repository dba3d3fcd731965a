"""Lines at the beginning of functions that check what is assumed of parameters by what a recorded run has seen.

`def step(x, dt):` gets `tnh.seen("number", dt=dt)` before its first statement, where it is translated as it is because
all recorded calls gave a number for `dt`.
"""

from __future__ import annotations

from tnp_migrate.analysis.assumptions import Assumption, assumed, first_statement, line_of
from tnp_migrate.backend.sites import Site
from tnp_migrate.diagnostics.decisions import Extra
from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.program.index import Function
from tnp_migrate.text.source import Edit, Span


def check_assumptions(site: Site) -> tuple[list[Extra], list[Edit]]:
    """Decide the checks of a file: findings with the calls that the assumptions were seen in, and the lines."""
    extras: list[Extra] = []
    edits: list[Edit] = []
    for function in site.module.functions.values():
        named = ((name, assumed(site.index, function, name)) for name in function.parameters if site.index.seen)
        made = {name: one for name, one in named if one is not None}
        if made:
            edits.append(_check(site, function, made))
            extras.append(Extra((), (_finding(site, function, made),), frozenset({"seen"})))
    return extras, edits


def _check(site: Site, function: Function, made: dict[str, Assumption]) -> Edit:
    first = first_statement(function)
    assert first is not None
    line = line_of(first)
    start, text = site.source.line_starts[line - 1], site.source.lines[line - 1]
    indent = text[: len(text) - len(text.lstrip())]
    by_word: dict[str, list[str]] = {}
    for name, one in made.items():
        by_word.setdefault(one.text if one.is_class else f'"{one.text}"', []).append(f"{name}={name}")
    calls = [f"{site.helper('seen')}({word}, {', '.join(given)})" for word, given in by_word.items()]
    return Edit(Span(start, start), "".join(f"{indent}{call}{site.source.newline}" for call in calls))


def _finding(site: Site, function: Function, made: dict[str, Assumption]) -> Finding:
    start = site.source.offset(function.node.lineno, function.node.col_offset)
    span = Span(start, start + len("def ") + len(function.node.name))
    said = ", ".join(f"`{name}` {_in(one)}" for name, one in made.items())
    message = f"`{function.name}` rests on what was seen, and raises for anything else: {said}"
    return site.finding("TNP113", span, message, function.name)


def _in(one: Assumption) -> str:
    calls = f"{one.seen.calls} call{'' if one.seen.calls == 1 else 's'}"
    first = f", first in {one.seen.test}" if one.seen.test else ""
    what = f"an instance of `{one.text}`" if one.is_class else one.text
    return f"is {what} ({calls}{first})"
