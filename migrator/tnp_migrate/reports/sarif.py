"""SARIF 2.1.0, for code scanning: relative URIs, rules with their full page, fingerprints, suppressions."""

from __future__ import annotations

import json
from urllib.parse import quote

from tnp_migrate.diagnostics.explain import explain
from tnp_migrate.diagnostics.findings import CODES, Code, Finding, Severity
from tnp_migrate.diagnostics.ledger import FileReport, Gone, Report
from tnp_migrate.reports.json import ledger_object
from tnp_migrate.reports.summary import Evidence, notes, rates, verdict

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS: dict[Severity, str] = {"info": "note", "warning": "warning", "error": "error"}
FINGERPRINT = "tnpMigrate/v1"
ROOT = "%SRCROOT%"


def render(report: Report, evidence: Evidence | None = None) -> str:
    """Write one run with all findings, suppressed ones marked as such.

    Where only new findings are asked for, each result says whether it is new, unchanged or absent. Known ones are kept
    and marked, not dropped: a result that comes and goes is closed and opened again by GitHub.
    """
    used = sorted({one.code for one in (*report.findings, *report.known)} | {one.code for one in report.gone})
    index = {number: place for place, number in enumerate(used)}
    word, reason = verdict(report)
    driver = {"name": "tnp-migrate", "version": report.version, "rules": [_rule(CODES[number]) for number in used]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": _roots(report.roots),
        "invocations": [{"executionSuccessful": all(file.status != "error" for file in report.files)}],
        "results": _results(report, index),
        "properties": {
            "ledger": ledger_object(report.ledger),
            "verdict": word,
            "verdictReason": reason,
            "rates": [str(rate) for rate in rates(report, evidence)],
            **({"notes": found} if (found := notes(report)) else {}),
        },
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def _base(root: int) -> str:
    """Name the root of a repository; most runs see one."""
    return f"%SRCROOT{root + 1}%" if root else ROOT


def _roots(names: tuple[str, ...]) -> dict[str, object]:
    """Describe the roots. Where they lie is for the reader to say: a report is the same on each machine."""
    text = "The root of the repository, from which paths are counted."
    if len(names) < 2:
        return {ROOT: {"description": {"text": text}}}
    return {_base(place): {"description": {"text": f"{name}: {text}"}} for place, name in enumerate(names)}


def _results(report: Report, index: dict[str, int]) -> list[dict[str, object]]:
    results = []
    for file in report.files:
        found = [(one, "new") for one in file.findings] + [(one, "unchanged") for one in file.known]
        for finding, state in sorted(found, key=lambda pair: (pair[0].line, pair[0].column)) if file.known else found:
            result = _result(finding, index[finding.code], file)
            results.append({**result, "baselineState": state} if report.only_new else result)
    return results + [_absent(one, index[one.code]) for one in report.gone]


def _absent(gone: Gone, rule_index: int) -> dict[str, object]:
    """Write what the baseline has and this run did not find: no failure, so that no reader takes it for one."""
    return {
        "ruleId": gone.code,
        "ruleIndex": rule_index,
        "kind": "pass",
        "level": "none",
        "message": {"text": f"{CODES[gone.code].title}: no longer found"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(gone.path), "uriBaseId": ROOT}}}],
        "partialFingerprints": {FINGERPRINT: gone.fingerprint},
        "baselineState": "absent",
    }


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


def _result(finding: Finding, rule_index: int, file: FileReport) -> dict[str, object]:
    line, column, end_line, end_column = finding.in_file
    region: dict[str, object] = {
        "startLine": max(line, 1),
        "startColumn": max(column, 1),
        "endLine": max(end_line, line, 1),
        "endColumn": max(end_column, 1),
    }
    artifact = {"uri": _uri(file.repository_path), "uriBaseId": _base(file.root)}
    physical = {"artifactLocation": artifact, "region": region}
    location: dict[str, object] = {"physicalLocation": physical}
    if finding.in_cell is not None:
        location["logicalLocations"] = [{"name": f"cell {finding.in_cell.cell}", "fullyQualifiedName": finding.where}]
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": LEVELS[CODES[finding.code].severity],
        "message": {"text": finding.told},
        "locations": [location],
        "suppressions": _suppressions(finding),
    }
    if finding.symbol:
        result["properties"] = {"symbol": finding.symbol}
    if finding.fingerprint:
        result["partialFingerprints"] = {FINGERPRINT: finding.fingerprint}
    return result


def _suppressions(finding: Finding) -> list[dict[str, str]]:
    """No entry for an open finding; the user's reason, if there is one, for a suppressed one."""
    if finding.suppressed is None:
        return []
    return [{"kind": "inSource", **({"justification": finding.suppressed} if finding.suppressed else {})}]


def _uri(path: str) -> str:
    """Write a relative reference: percent-encoded, never to be mistaken for one with a scheme (`a:b.py`)."""
    return quote(path, safe="/", errors="surrogateescape")
