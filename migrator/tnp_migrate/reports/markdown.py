"""Markdown for a pull-request comment: verdict, ledger, findings by code. Short enough for GitHub's limit."""

from __future__ import annotations

import re
from itertools import groupby

from tnp_migrate.diagnostics.findings import CODES, Finding
from tnp_migrate.diagnostics.ledger import BINS, Ledger, Report
from tnp_migrate.reports.proof_text import badges, summary_lines, verdict_word
from tnp_migrate.reports.summary import (
    EFFORT_MEANS,
    Evidence,
    balance,
    effort_totals,
    notes,
    open_findings,
    rates,
    verdict,
)

ROOM = 60_000  # GitHub refuses comments of more than 65,536 characters
PLACES = 20  # places listed under one code


def render(report: Report, evidence: Evidence | None = None) -> str:
    """Write the comment; what does not fit is counted, never dropped in silence."""
    word, reason = verdict(report)
    parts = [
        f"## NumPy to TensorFlow: {word}",
        f"{reason[0].upper()}{reason[1:]}.",
        _ledger(report),
        "\n".join(f"- {rate}" for rate in rates(report, evidence)),
        *_functions(evidence),
        _effort(report),
        *notes(report),
    ]
    islands = [f"- {_code(file.path)}: {', '.join(map(_code, file.islands))}" for file in report.files if file.islands]
    if islands:
        parts.append("\n".join(["Functions that stay on NumPy (islands):", "", *islands[:PLACES]]))
        parts += [f"and {len(islands) - PLACES} more files with islands"] if len(islands) > PLACES else []
    parts += _findings(report, ROOM - sum(len(part) + 2 for part in parts))
    return "\n\n".join(parts) + "\n"


def _functions(evidence: Evidence | None) -> list[str]:
    """The sum of a verification, and a table of the functions that do not do as NumPy does, and of those that do."""
    made = None if evidence is None else evidence.verification
    if made is None:
        return []
    shown = [one for verdict in ("differs", "raises", "verified") for one in made.functions if one.verdict == verdict]
    rows = [_row("function", "verdict", "forms"), _row("---", "---", "---")]
    rows += [
        _row(_code(f"{one.path}:{one.line} {one.name}"), verdict_word(one), _text(badges(one)))
        for one in shown[:PLACES]
    ]
    more = [f"\nand {len(shown) - PLACES} more functions"] if len(shown) > PLACES else []
    return ["\n".join(f"- {_text(line)}" for line in summary_lines(made)), "\n".join([*rows, *more])]


def _ledger(report: Report) -> str:
    names = ("references", *BINS)
    rows = [_row("file", *names), _row("---", *(["---:"] * len(names)))]
    changed = [file for file in report.files if file.ledger.references]
    rows += [_row(_code(file.path), *map(str, file.ledger.counts())) for file in changed[:PLACES]]
    if len(changed) > PLACES:
        rest = sum((file.ledger for file in changed[PLACES:]), Ledger())
        rows.append(_row(f"{len(changed) - PLACES} more files", *map(str, rest.counts())))
    rows.append(_row("**all**", *(f"**{count}**" for count in report.ledger.counts())))
    return "\n".join([*rows, "", f"`{balance(report.ledger)}`"])


def _effort(report: Report) -> str:
    totals = effort_totals(report)
    return "Left for you: " + ", ".join(f"{totals[effort]} {effort} ({EFFORT_MEANS[effort]})" for effort in totals)


def _findings(report: Report, room: int) -> list[str]:
    """One table for each code, in code order; tables that no longer fit are counted in the last line."""
    found = sorted(open_findings(report), key=lambda finding: finding.code)
    groups = [(number, list(group)) for number, group in groupby(found, key=lambda finding: finding.code)]
    written: list[str] = []
    for place, (number, group) in enumerate(groups):
        table = _table(number, group)
        room -= len(table) + 2
        if room < 0:
            left = sum(len(group) for _, group in groups[place:])
            return [*written, f"{left} findings of {len(groups) - place} more codes are not shown."]
        written.append(table)
    return written


def _table(number: str, group: list[Finding]) -> str:
    code = CODES[number]
    head = f"### {number}: {code.title}\n\n{len(group)} ({code.severity}, effort {code.effort} each). {code.advice}"
    rows = [_row("place", "message"), _row("---", "---")]
    rows += [_row(_code(f"{f.path}:{f.where.rpartition(':')[0]}"), _text(f.message)) for f in group[:PLACES]]
    more = [f"\nand {len(group) - PLACES} more"] if len(group) > PLACES else []
    return "\n".join([head, "", *rows, *more])


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    """Write a code span for a table cell: fenced by more backticks than the text has, bars escaped."""
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{' '.join(text.split())}{pad}{fence}".replace("|", "\\|")


def _text(message: str) -> str:
    """Write a message for a table cell: its code spans stay, everything else is shown as it is written."""
    pieces = re.split(r"(`[^`]+`)", " ".join(message.split()))
    return "".join(_code(piece[1:-1]) if place % 2 else _escape(piece) for place, piece in enumerate(pieces))


def _escape(text: str) -> str:
    """Escape Markdown and HTML; an empty comment after `@` keeps decorators from calling on people."""
    return re.sub(r"([\\`*_\[\]|~#<>&])", r"\\\1", text).replace("@", "@<!-- -->")
