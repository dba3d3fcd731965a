"""Text for the terminal: one line a finding, then the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tnp_migrate.diagnostics.ledger import Report
from tnp_migrate.reports.proof_text import badges, sentence, summary_lines
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

if TYPE_CHECKING:
    from tnp_migrate.proof.verdicts import Verification


def render(report: Report, evidence: Evidence | None = None) -> str:
    """Write `path:line:column: CODE message` for each open finding, a blank line, and the summary."""
    made = None if evidence is None else evidence.verification
    found = [one for one in open_findings(report) if made is None or one.code.startswith("TNP9")]
    lines = [f"{one_line(f.path)}:{f.where}: {f.code} {one_line(f.message)}" for f in found]
    proven = [] if made is None else [*_functions(made), ""]
    end = [] if made is None else [one_line(line) for line in summary_lines(made)]
    return "\n".join([*lines, *([""] if lines else []), *proven, *_summary(report, evidence), *end]) + "\n"


def _functions(made: Verification) -> Iterator[str]:
    """A line for each function that was called: verdict, forms; those that differ say where and why."""
    for one in made.functions:
        if one.verdict == "not exercised":
            continue
        yield one_line(f"{one.path}:{one.line}: {sentence(one).replace('`', '')}")
        if one.forms:
            yield f"    {badges(one)}"


def one_line(text: str) -> str:
    """Show line breaks and other control characters as escapes, so that a finding is one line and harmless."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def _summary(report: Report, evidence: Evidence | None) -> list[str]:
    status = Counter(file.status for file in report.files)
    files = ", ".join(f"{status[name]} {name}" for name in ("translated", "unchanged", "island", "error"))
    effort = ", ".join(f"{count} {name} ({EFFORT_MEANS[name]})" for name, count in effort_totals(report).items())
    suppressed = len(report.findings) - len(open_findings(report))
    dispatched = sum(finding.code == "TNP101" for finding in (*report.findings, *report.known))
    word, reason = verdict(report)
    islands = [
        f"islands in {one_line(file.path)}: {one_line(', '.join(file.islands))}"
        for file in report.files
        if file.islands
    ]
    return [
        balance(report.ledger),
        *([f"of these by dispatch on the value (TNP101): {dispatched}"] if dispatched else []),
        "; ".join(str(rate) for rate in rates(report, evidence)),
        f"files: {files}",
        *islands,
        f"effort of what is left: {effort}",
        *([f"suppressed findings: {suppressed}"] if suppressed else []),
        *notes(report),
        f"verdict: {word} ({reason})",
    ]
