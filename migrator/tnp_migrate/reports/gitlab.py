"""GitLab's code quality report, a subset of the Code Climate format."""

from __future__ import annotations

import hashlib
import json

from tnp_migrate.diagnostics.findings import CODES, Finding, Severity
from tnp_migrate.diagnostics.ledger import Report
from tnp_migrate.reports.summary import Evidence

SEVERITIES: dict[Severity, str] = {"info": "info", "warning": "minor", "error": "major"}


def render(report: Report, evidence: Evidence | None = None) -> str:  # noqa: ARG001 - every format takes it
    """Write a list with one issue for each open finding."""
    issues = [
        _issue(finding, file.repository_path)
        for file in report.files
        for finding in file.findings
        if finding.suppressed is None
    ]
    return json.dumps(issues, indent=2) + "\n"


def _issue(finding: Finding, path: str) -> dict[str, object]:
    line, _, end_line, _ = finding.in_file
    return {
        "description": f"{finding.code}: {finding.told}",
        "check_name": finding.code,
        "fingerprint": finding.fingerprint or _fingerprint(finding),
        "severity": SEVERITIES[CODES[finding.code].severity],
        "location": {"path": path, "lines": {"begin": line, "end": end_line}},
    }


def _fingerprint(finding: Finding) -> str:
    """GitLab drops issues without a fingerprint: take the place where none was computed."""
    place = (finding.code, finding.path, finding.line, finding.column, finding.end_column, finding.message)
    return hashlib.sha256(repr(place).encode()).hexdigest()[:16]
