"""One self-contained HTML file: ledger, verdict, effort, and each file side by side with its findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import escape

from tnp_migrate.diagnostics.findings import CODES, Finding
from tnp_migrate.diagnostics.ledger import BINS, FileReport, Report
from tnp_migrate.proof.verdicts import FunctionProof
from tnp_migrate.reports import html_functions, html_search
from tnp_migrate.reports.side_by_side import side_by_side
from tnp_migrate.reports.summary import (
    EFFORT_MEANS,
    WEIGHTS,
    Evidence,
    balance,
    effort_totals,
    notes,
    open_findings,
    rates,
    verdict,
)
from tnp_migrate.text.notebooks import SUFFIX

UNFOLDED = 20  # files; in a larger project each is opened by a click
STYLE = """
:root { color-scheme: light dark; --line: #8884; --add: #2da44e33; --del: #cf222e33; --note: #bf870033; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 100rem; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .6rem; border: 1px solid var(--line); text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.verdict { font-size: 1.4rem; font-weight: 600; }
.tag { border: 1px solid var(--line); border-radius: .6rem; padding: 0 .5rem; font-size: .85em; }
.error { border-color: #cf222e; } .warning { border-color: #bf8700; }
pre, .scroll { overflow-x: auto; } code, li { overflow-wrap: anywhere; }
details { margin: .8rem 0; } details > div { scroll-margin-top: 4rem; }
summary { cursor: pointer; } .suppressed { opacity: .6; }
table.diff { width: 100%; table-layout: fixed; font: 12.5px/1.45 ui-monospace, monospace; }
table.diff td { border: 0; padding: 0 .4rem; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top; }
table.diff col.num { width: 4rem; } table.diff td.num { text-align: right; opacity: .6; user-select: none; }
td.del { background: var(--del); } td.add { background: var(--add); }
table.diff tr.note td { background: var(--note); font-family: system-ui, sans-serif; }
table.diff tr.gap td { opacity: .6; text-align: center; }
"""


def render(report: Report, evidence: Evidence | None = None) -> str:
    """Write the page. It loads nothing and runs no script but that of the search; every text of the user's is escaped.

    A link leads into what is folded, which browsers open then; one to the `details` itself would leave it shut.
    """
    word, reason = verdict(report)
    unfold = len(report.files) <= UNFOLDED
    made = None if evidence is None else evidence.verification
    functions = () if made is None else made.functions
    links = {file.repository_path: f"#file-{place}" for place, file in enumerate(report.files) if _shown(file)}
    body = [
        "<h1>NumPy to TensorFlow</h1>",
        f'<p class="verdict">Verdict: {escape(word)}</p><p>{escape(reason)}</p>',
        f"<p><code>{escape(balance(report.ledger))}</code></p>",
        "<ul>" + "".join(f"<li>{escape(str(rate))}</li>" for rate in rates(report, evidence)) + "</ul>",
        *(f"<p>{escape(note)}</p>" for note in notes(report)),
        html_search.FIELD,
        *([] if made is None else [html_functions.table(made, links)]),
        _effort(report),
        _codes(report),
        _ledger(report),
        '<h2>Files</h2><div class="files">',
        *(_file(place, file, functions, unfold=unfold) for place, file in enumerate(report.files) if _shown(file)),
        f"</div><footer>tnp-migrate {escape(report.version)}</footer>",
        html_search.ELEMENT,
    ]
    style = STYLE + html_search.STYLE + ("" if made is None else html_functions.STYLE)
    policy = f"default-src 'none'; style-src 'unsafe-inline'; {html_search.POLICY}"
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>NumPy to TensorFlow: {escape(word)}</title><style>{style}</style>"
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(body) + "\n</body></html>\n"


def _effort(report: Report) -> str:
    totals = effort_totals(report)
    rows = "".join(
        f'<tr><td>{effort}: {EFFORT_MEANS[effort]}</td><td class="n">{WEIGHTS[effort]}</td>'
        f'<td class="n">{totals[effort]}</td></tr>'
        for effort in totals
    )
    head = '<tr><th>effort each</th><th class="n">weight</th><th class="n">open findings</th></tr>'
    return f"<h2>What is left for you</h2><table>{head}{rows}</table>"


def _codes(report: Report) -> str:
    """List the open findings by code, with the page of each code to unfold."""
    counts = Counter(finding.code for finding in open_findings(report))
    used = sorted({finding.code for finding in report.findings})
    return "<h2>Findings by code</h2>" + "".join(_page(number, counts[number]) for number in used)


def _page(number: str, count: int) -> str:
    code = CODES[number]
    return (
        f'<details><summary><span class="tag {code.severity}">{number}</span> {escape(code.title)}: '
        f"{count} open, effort {code.effort}</summary>"
        f'<div id="{number}">'
        f"<p>{_prose(code.meaning)} {_prose(code.why)}</p><pre>{escape(code.before)}</pre><p>becomes</p>"
        f"<pre>{escape(code.after)}</pre><p>{_prose(code.advice)}</p></div></details>"
    )


def _ledger(report: Report) -> str:
    head = "".join(f'<th class="n">{name}</th>' for name in ("references", *BINS))
    rows = "".join(
        f"<tr><td>{_link(place, file)}</td><td>{file.status}</td>{_counts(file.ledger.counts())}</tr>"
        for place, file in enumerate(report.files)
    )
    total = f'<tr class="head"><th>all</th><th></th>{_counts(report.ledger.counts())}</tr>'
    table = f'<table class="ledger"><tr class="head"><th>file</th><th>status</th>{head}</tr>{rows}{total}</table>'
    return f'<h2>Ledger</h2><div class="scroll">{table}</div>'


def _link(place: int, file: FileReport) -> str:
    name = f"<code>{escape(file.path)}</code>"
    return f'<a href="#file-{place}">{name}</a>' if _shown(file) else name


def _shown(file: FileReport) -> bool:
    return bool(file.findings) or file.before != file.after


def _counts(counts: tuple[int, ...]) -> str:
    return "".join(f'<td class="n">{count}</td>' for count in counts)


def _file(place: int, file: FileReport, functions: Sequence[FunctionProof], *, unfold: bool) -> str:
    """One file: its findings in a list, then both texts side by side with the findings under their lines."""
    items = "".join(f"<li>{_note(finding)}</li>" for finding in file.findings)
    islands = f"<p>Islands: <code>{escape(', '.join(file.islands))}</code></p>" if file.islands else ""
    notes: dict[int, list[str]] = {}
    for finding in file.findings:
        notes.setdefault(finding.line, []).append(_note(finding))
    for one in functions:
        if one.path == file.repository_path:
            notes.setdefault(one.line, []).append(html_functions.badge(one))
    diff = (
        side_by_side(file.before, file.after, notes, in_cells=file.path.endswith(SUFFIX))
        if file.before or file.after
        else ""
    )
    head = f"<code>{escape(file.path)}</code> {file.status}, findings: {len(file.findings)}"
    return (
        f"<details{' open' if unfold else ''}><summary>{head}</summary>"
        f'<div id="file-{place}">{islands}<ul>{items}</ul>{diff}</div></details>'
    )


def _note(finding: Finding) -> str:
    """One finding as HTML; a suppressed one is shown pale, with its reason."""
    text = f"{_tag(finding.code)} {finding.where} {_prose(finding.message)}"
    if finding.suppressed is None:
        return text
    return f'<span class="suppressed">{text} (suppressed: {escape(finding.suppressed or "no reason given")})</span>'


def _tag(number: str) -> str:
    """Write the code in its colour, as a link to its explanation on this page."""
    return f'<a class="tag {CODES[number].severity}" href="#{number}">{escape(number)}</a>'


def _prose(text: str) -> str:
    """Escape a text and set what it has between backticks as code."""
    pieces = re.split(r"`([^`]+)`", text)
    return "".join(f"<code>{escape(p)}</code>" if place % 2 else escape(p) for place, p in enumerate(pieces))
