"""JSON, the machine contract. Schema 1; fields may be added, none changes its meaning or goes."""

from __future__ import annotations

import dataclasses
import json

from tnp_migrate.diagnostics.findings import CODES, Finding
from tnp_migrate.diagnostics.ledger import BINS, FileReport, Ledger, Report
from tnp_migrate.reports.summary import Evidence, effort_totals, rates, verdict


def render(report: Report, evidence: Evidence | None = None) -> str:
    """Write what the report knows, suppressed findings included, known ones counted; keys in a fixed order."""
    word, reason = verdict(report)
    document = {
        "schema": 1,
        "tool": {"name": "tnp-migrate", "version": report.version},
        "ledger": ledger_object(report.ledger),
        "rates": {
            rate.name: {"part": rate.part, "whole": rate.whole, "of": rate.of} for rate in rates(report, evidence)
        },
        "effort": effort_totals(report),
        "verdict": {"word": word, "reason": reason},
        "evidence": None if evidence is None else dataclasses.asdict(evidence),
        "files": [_file(file) for file in report.files],
        "findings": [_finding(finding) for finding in report.findings],
        "known_findings_not_shown": len(report.known),
        "gone_findings_of_the_baseline": len(report.gone),
    }
    return json.dumps(document, indent=2) + "\n"


def ledger_object(ledger: Ledger) -> dict[str, int]:
    """Return the number of references and of each bin."""
    return dict(zip(("references", *BINS), ledger.counts(), strict=True))


def _file(file: FileReport) -> dict[str, object]:
    return {
        "path": file.path,
        "status": file.status,
        "ledger": ledger_object(file.ledger),
        "islands": list(file.islands),
        "changed": file.before != file.after,
    }


def _finding(finding: Finding) -> dict[str, object]:
    code = CODES[finding.code]
    at = finding.in_cell
    line, column, end_line, end_column = finding.in_file if at is None else at.range
    return {
        "code": finding.code,
        "severity": code.severity,
        "applicability": code.applicability,
        "effort": code.effort,
        "path": finding.path,
        **({} if at is None else {"cell": at.cell, "file_line": at.file[0]}),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "message": finding.message,
        "symbol": finding.symbol,
        "fingerprint": finding.fingerprint,
        "suppressed": finding.suppressed,
    }
