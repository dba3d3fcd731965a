"""The functions of a verification as HTML: a badge for each, a table of all, with what each form has come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from tnp_migrate.proof.verdicts import VERDICTS, FunctionProof, Verdict, Verification
from tnp_migrate.reports.proof_text import form_words, summary_lines, verdict_word

STYLE = """
.verified { border-color: #2da44e; } .differs, .raises { border-color: #cf222e; }
.not-exercised, .not-replayable { opacity: .6; } .filter label { margin-right: 1rem; }
@media (max-width: 40rem) {
.functions tr { display: block; padding: .5rem 0; } .functions tr.head { display: none; }
.functions td { display: block; border: 0; padding: .1rem 0; text-align: left; overflow-wrap: anywhere; }
.functions td[data-name]::before { content: attr(data-name) " "; opacity: .6; }
}
""" + "".join(
    f".functions:has(#show-{name}:not(:checked)) tr.{name} {{ display: none; }}\n"
    for name in (*(verdict.replace(" ", "-") for verdict in VERDICTS), "island")
)
_MARKS: Mapping[Verdict, str] = {
    "verified": "✓",
    "differs": "≠",
    "raises": "!",
    "not replayable": "?",
    "not exercised": "·",
}


def badge(one: FunctionProof) -> str:
    """The verdict of a function, which stands beside its code; what each form has come to shows on hovering."""
    title = escape("; ".join(map(form_words, one.forms)) or one.why, quote=True)
    cls = one.verdict.replace(" ", "-")
    return (
        f'<span class="tag {cls}" title="{title}">{_MARKS[one.verdict]} {escape(one.name)} {verdict_word(one)}</span>'
    )


def table(made: Verification, links: Mapping[str, str]) -> str:
    """All functions. `links` lead from the path of a file to its place on the page."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in summary_lines(made))
    rows = "".join(_rows(made, links))
    names = ("function", "verdict", "calls", "replayed", "forms", "why")
    head = '<tr class="head">' + "".join(f"<th>{name}</th>" for name in names) + "</tr>"
    table = f'<div class="scroll"><table>{head}{rows}</table></div>'
    return f'<h2>Functions</h2><ul>{lines}</ul><div class="functions">{_filter(made)}{table}</div>'


def _filter(made: Verification) -> str:
    """A box for each verdict that is there, which shows its rows or not; by style alone, wherever the page is shown."""
    counts = [(verdict, count) for verdict, count in made.counts().items() if count]
    islands = sum(one.island for one in made.functions)
    boxes = "".join(
        f'<label><input type="checkbox" id="show-{name.replace(" ", "-")}" checked> {name} ({count})</label>'
        for name, count in (*counts, *([("island", islands)] if islands else []))
    )
    return f'<p class="filter">Show: {boxes}</p>'


def _rows(made: Verification, links: Mapping[str, str]) -> Iterator[str]:
    order = {verdict: place for place, verdict in enumerate(("differs", "raises", "verified"))}
    for one in sorted(made.functions, key=lambda one: (order.get(one.verdict, 9), one.path, one.line)):
        name = f"<code>{escape(one.path)}:{one.line}</code>"
        place = f'<a href="{links[one.path]}">{name}</a>' if one.path in links else name
        forms = "<br>".join(escape(form_words(form)) for form in one.forms)
        line = f" (first line that differs: {one.diverges})" if one.diverges else ""
        counts = (("calls", one.calls), ("replayed", one.replayed))
        numbers = "".join(f'<td class="n" data-name="{what}">{count}</td>' for what, count in counts)
        cells = f"<td>{place}</td><td>{badge(one)}</td>{numbers}"
        classes = one.verdict.replace(" ", "-") + (" island" if one.island else "")
        yield f'<tr class="{classes}">{cells}<td>{forms}</td><td>{escape(one.why + line)}</td></tr>'
