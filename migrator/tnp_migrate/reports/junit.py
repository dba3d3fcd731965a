"""JUnit XML of a verification, which CI systems show as tests: one test for each function, one suite for each file."""

from __future__ import annotations

import re
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from tnp_migrate.diagnostics.ledger import Report
from tnp_migrate.proof.verdicts import FunctionProof
from tnp_migrate.reports.proof_text import badges, sentence
from tnp_migrate.reports.summary import Evidence

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, evidence: Evidence | None = None) -> str:
    """Write the suites; functions that were not exercised or cannot be replayed are skipped tests, with the reason."""
    made = None if evidence is None else evidence.verification
    functions = sorted(() if made is None else made.functions, key=lambda one: one.path)
    suites = [_suite(path, list(group)) for path, group in groupby(functions, key=lambda one: one.path)]
    name = _attribute(f"tnp-migrate {report.version}")
    return "\n".join(
        ['<?xml version="1.0" encoding="utf-8"?>', f"<testsuites name={name}>", *suites, "</testsuites>\n"]
    )


def _suite(path: str, functions: list[FunctionProof]) -> str:
    failures = sum(one.verdict in ("differs", "raises") for one in functions)
    skipped = sum(one.verdict in ("not exercised", "not replayable") for one in functions)
    head = f'<testsuite name={_attribute(path)} tests="{len(functions)}" failures="{failures}" skipped="{skipped}">'
    return "\n".join([head, *(_case(one) for one in functions), "</testsuite>"])


def _case(one: FunctionProof) -> str:
    place = f"classname={_attribute(one.path)} name={_attribute(one.name)} file={_attribute(one.path)}"
    said = _attribute(sentence(one))
    inside = {
        "differs": f'<failure type="differs" message={said}/>',
        "raises": f'<error type="raises" message={said}/>',
        "verified": f"<system-out>{escape(_NO_XML.sub('?', badges(one)))}</system-out>",
    }.get(one.verdict, f"<skipped message={said}/>")
    return f'<testcase {place} line="{one.line}">{inside}</testcase>'


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub("?", text))
