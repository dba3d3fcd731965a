"""GitHub workflow commands, which GitHub shows as annotations on the lines of a pull request."""

from __future__ import annotations

from tnp_migrate.diagnostics.findings import CODES, Finding, Severity
from tnp_migrate.diagnostics.ledger import Report
from tnp_migrate.reports.proof_text import summary_lines
from tnp_migrate.reports.summary import Evidence, balance, notes, rates

COMMANDS: dict[Severity, str] = {"info": "notice", "warning": "warning", "error": "error"}


def render(report: Report, evidence: Evidence | None = None) -> str:
    """Write one command for each open finding, and the ledger's sum as a notice."""
    commands = [
        _command(finding, file.repository_path)
        for file in report.files
        for finding in file.findings
        if finding.suppressed is None
    ]
    made = None if evidence is None else evidence.verification
    proven = [] if made is None else [*map(str, rates(report, evidence)), *summary_lines(made)]
    summary = "; ".join([balance(report.ledger), *proven, *notes(report)])
    return "\n".join([*commands, f"::notice title=tnp-migrate::{_data(summary)}"]) + "\n"


def _command(finding: Finding, path: str) -> str:
    """One command; `path` counts from the root of the repository.

    GitHub takes columns only when the place is on one line; its end column is inclusive.
    """
    code = CODES[finding.code]
    line, column, end_line, end_column = finding.in_file
    place = {"file": path, "line": line, "endLine": end_line}
    if line == end_line:
        place |= {"col": column, "endColumn": max(end_column - 1, column)}
    place |= {"title": f"{finding.code} {code.title}"}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in place.items())
    return f"::{COMMANDS[code.severity]} {properties}::{_data(finding.told)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
