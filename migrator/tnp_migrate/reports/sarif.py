"""SARIF 2.1.0, for code scanning: relative URIs, rules with their full page, fingerprints, suppressions."""

from __future__ import annotations

import json
from urllib.parse import quote

from tnp_migrate.diagnostics.explain import explain
from tnp_migrate.diagnostics.findings import CODES, Code, Finding, Severity
from tnp_migrate.diagnostics.ledger import Report
from tnp_migrate.reports.json import ledger_object
from tnp_migrate.reports.summary import Evidence, rates, verdict

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS: dict[Severity, str] = {"info": "note", "warning": "warning", "error": "error"}
FINGERPRINT = "tnpMigrate/v1"
ROOT = "%SRCROOT%"


def render(report: Report, evidence: Evidence | None = None, baseline: frozenset[str] | None = None) -> str:
    """Write one run with all findings, suppressed ones marked as such.

    With a baseline (fingerprints of an earlier run) each result says whether it is new or unchanged. Findings of the
    baseline are kept and marked, not dropped: a result that comes and goes is closed and opened again by GitHub.
    """
    used = sorted({finding.code for finding in report.findings})
    index = {number: place for place, number in enumerate(used)}
    word, reason = verdict(report)
    driver = {"name": "tnp-migrate", "version": report.version, "rules": [_rule(CODES[number]) for number in used]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder that the paths are relative to."}}},
        "invocations": [{"executionSuccessful": all(file.status != "error" for file in report.files)}],
        "results": [_result(finding, index[finding.code], baseline) for finding in report.findings],
        "properties": {
            "ledger": ledger_object(report.ledger),
            "verdict": word,
            "verdictReason": reason,
            "rates": [str(rate) for rate in rates(report, evidence)],
        },
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def _rule(code: Code) -> dict[str, object]:
    return {
        "id": code.number,
        "name": "".join(word.capitalize() for word in code.title.replace("-", " ").split() if word.isalnum()),
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": f"{code.meaning} {code.why}"},
        "help": {"text": f"{code.meaning}\n\n{code.why}\n\n{code.advice}", "markdown": explain(code.number)},
        "defaultConfiguration": {"level": LEVELS[code.severity]},
        "properties": {
            "applicability": code.applicability,
            "effort": code.effort,
            "tags": ["numpy", "tensorflow", f"effort-{code.effort}"],
        },
    }


def _result(finding: Finding, rule_index: int, baseline: frozenset[str] | None) -> dict[str, object]:
    region: dict[str, object] = {
        "startLine": max(finding.line, 1),
        "startColumn": max(finding.column, 1),
        "endLine": max(finding.end_line, finding.line, 1),
        "endColumn": max(finding.end_column, 1),
    }
    physical = {"artifactLocation": {"uri": _uri(finding.path), "uriBaseId": ROOT}, "region": region}
    location: dict[str, object] = {"physicalLocation": physical}
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": LEVELS[CODES[finding.code].severity],
        "message": {"text": finding.message},
        "locations": [location],
        "suppressions": _suppressions(finding),
    }
    if finding.symbol:
        result["properties"] = {"symbol": finding.symbol}
    if finding.fingerprint:
        result["partialFingerprints"] = {FINGERPRINT: finding.fingerprint}
    if baseline is not None:
        result["baselineState"] = "unchanged" if finding.fingerprint in baseline else "new"
    return result


def _suppressions(finding: Finding) -> list[dict[str, str]]:
    """No entry for an open finding; the user's reason, if there is one, for a suppressed one."""
    if finding.suppressed is None:
        return []
    return [{"kind": "inSource", **({"justification": finding.suppressed} if finding.suppressed else {})}]


def _uri(path: str) -> str:
    """Write a relative reference: percent-encoded, never to be mistaken for one with a scheme (`a:b.py`)."""
    return quote(path, safe="/", errors="surrogateescape")
