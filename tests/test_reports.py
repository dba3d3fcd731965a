"""Reports: one golden for each format on disk, and what each format demands of its text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

from tnp_migrate.diagnostics.findings import Finding, with_fingerprints
from tnp_migrate.diagnostics.ledger import FileReport, Gone, Ledger, Report
from tnp_migrate.proof.verdicts import CommandRun, FormResult, FunctionProof, Verification
from tnp_migrate.reports import FORMATS, render
from tnp_migrate.reports.side_by_side import side_by_side
from tnp_migrate.reports.summary import Evidence, balance, effort_totals, evidence_of, rates, verdict

GOLDEN = Path(__file__).parent / "golden/reports"
MIGRATOR = Path(__file__).parent.parent / "migrator"

BEFORE = """\
# <b>solver</b> & friends
import numpy as np


def smooth(x, **options):
    low = np.clip(x, 0, None)
    return np.std(low, **options)


def keep(x):
    return np.longdouble(x)  # tnp: ignore[TNP418] checked by hand
"""
AFTER = BEFORE.replace("import numpy as np", "import numpy as np\nimport tensorflow.experimental.numpy as tnp").replace(
    "np.clip(x, 0, None)", "tnp.maximum(x, 0)"
)
HOSTILE = "a 100% <script>alert(1)</script>\nb: c, d | `e | f` @jit *g* \x1b[31m"


def findings() -> list[Finding]:
    path = "src/a b,c:d.py"
    return [
        Finding("TNP102", path, 6, 11, 6, 31, "np.clip became `tnp.maximum`", "numpy.clip"),
        Finding("TNP203", path, 7, 12, 7, 34, "np.std: `**options` cannot be checked", "numpy.std"),
        Finding("TNP418", path, 11, 12, 11, 27, "np.longdouble", "numpy.longdouble", suppressed="checked by hand"),
    ]


def project() -> Report:
    first = with_fingerprints(findings(), "src/a b,c:d.py", BEFORE.splitlines())
    return Report(
        "0.1.0",
        (
            FileReport(
                "src/a b,c:d.py",
                "translated",
                Ledger(4, renamed=1, rewritten=1, flagged=1, suppressed=1),
                tuple(first),
                before=BEFORE.encode(),
                after=AFTER.encode(),
            ),
            FileReport("src/clean.py", "unchanged", Ledger(), ()),
            FileReport(
                "src/flow.py",
                "island",
                Ledger(3, helper=1, kept=1, island=1),
                (Finding("TNP301", "src/flow.py", 3, 1, 9, 14, HOSTILE, "relax", fingerprint="f301"),),
                islands=("relax", "Grid.step"),
            ),
            FileReport(
                "src/old.py",
                "error",
                Ledger(),
                (Finding("TNP909", "src/old.py", 1, 1, 1, 1, "print statement", fingerprint="f909"),),
            ),
        ),
    )


def verification() -> Verification:
    """A function of each verdict, one of them named as somebody hostile would."""
    eager = FormResult("eager", "differs", 3, 1, "`return`: 1.5 with NumPy, 2.5 here", 1.0, 3e15, 12.0)
    graph = FormResult("graph", "raises", 1, 0, "OperatorNotAllowedInGraphError: no", slower=None)
    fine = FormResult("eager", "verified", 8, 8, "", 2e-16, 0.5, 3.25)
    path = "src/a b,c:d.py"
    functions = (
        FunctionProof(path, 5, "smooth", "differs", 12, 3, "eager: `return`: 1.5 with NumPy, 2.5 here", 6, (eager,)),
        FunctionProof(path, 10, "keep", "verified", 8, 8, "", None, (fine, graph), island=True),
        FunctionProof("src/flow.py", 3, HOSTILE, "raises", 1, 1, f"eager: {HOSTILE}"),
        FunctionProof("src/flow.py", 9, "pieces", "not replayable", 4, 0, "a generator, which is counted only"),
        FunctionProof("src/flow.py", 20, "idle", "not exercised"),
    )
    command = CommandRun("8 of 9 tests that passed before pass", ("t::one: in `keep` (src/a.py, line 3): E: no",), True)
    return Verification(functions, ("cpu",), ("gpu",), 3.5, command, stale=1)


def test_links_of_the_page_lead_into_what_browsers_unfold() -> None:
    """A browser opens the `details` around the target of a link, and not one that is the target."""
    text = render(project(), "html", evidence_of(verification()))
    targets = set(re.findall(r'href="#([^"]+)"', text))
    assert targets
    assert targets <= set(re.findall(r'<div id="([^"]+)"', text))
    assert "<details id" not in text


def test_wide_tables_of_the_page_scroll_by_themselves() -> None:
    """A phone is 390 pixels wide: a table that is wider must not widen the page."""
    text = render(project(), "html", evidence_of(verification()))
    ledger, functions = (text[text.index(f"<h2>{name}</h2>") :] for name in ("Ledger", "Functions"))
    assert all(part[: part.index("<table")].endswith('<div class="scroll">') for part in (ledger, functions))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", ["report", "verified"])
def test_render_equals_the_golden(name: str, kind: str, request: pytest.FixtureRequest) -> None:
    plain = Evidence(functions=5, executed=3, verified_cpu=3)
    text = render(project(), name, plain if kind == "report" else evidence_of(verification()))
    golden = GOLDEN / f"{kind}.{name}"
    if request.config.getoption("--accept"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_render_of_nothing_and_of_an_undecodable_name(name: str) -> None:
    assert render(Report("0.1.0", ()), name)
    path = "src/\udce9.py"
    finding = Finding("TNP902", path, 0, 0, 0, 0, "byte 0xe9")
    text = render(Report("0.1.0", (FileReport(path, "error", Ledger(), (finding,)),)), name)
    assert text.encode()
    assert "\udce9" not in text


def test_render_refuses_an_unknown_format() -> None:
    with pytest.raises(ValueError, match="unknown report format 'xml'; known are text, json"):
        render(project(), "xml")


def test_render_loads_only_the_format_asked_for() -> None:
    program = (
        "import sys; from tnp_migrate.diagnostics.ledger import Report; from tnp_migrate.reports import render\n"
        "render(Report('0', ()), 'text')\n"
        "print(*{'json', 'difflib', 'html', 'urllib'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(MIGRATOR)!r})\n{program}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "\n"


def test_balance_shows_a_sum_that_does_not_add_up() -> None:
    good = balance(Ledger(3, renamed=2, kept=1))
    assert good == ("references 3 = renamed 2 + rewritten 0 + helper 0 + kept 1 + island 0 + flagged 0 + suppressed 0")
    assert balance(Ledger(4, renamed=2, kept=1)).startswith("references 4 != renamed 2")


def test_rates_tell_not_checked_from_none() -> None:
    assert [str(rate) for rate in rates(project())] == ["converted: 3 of 7 references (42.9 %)"]
    assert str(rates(project(), Evidence(4, 4, 3))[-1]) == "verified on GPU: not checked"
    assert [str(rate) for rate in rates(project(), Evidence(4, 4, 3, 0))][1:] == [
        "executed: 4 of 4 functions (100.0 %)",
        "verified on CPU: 3 of 4 functions (75.0 %)",
        "verified on GPU: 0 of 4 functions (0.0 %)",
    ]


def judged(ledger: Ledger, *codes: str, status: str = "translated") -> str:
    found = tuple(Finding(code, "a.py", 1, 1, 1, 2, "message") for code in codes)
    return verdict(Report("0", (FileReport("a.py", status, ledger, found),)))[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ((), "ready"),
        (("TNP101", "TNP105", "TNP501"), "ready"),
        (("TNP203",), "light"),
        (("TNP203",) * 10, "light"),
        (("TNP203",) * 11, "significant"),
        (("TNP301",) * 3, "significant"),
        (("TNP401",) * 3, "significant"),
        (("TNP401",) * 4, "not recommended"),
    ],
)
def test_verdict_by_weight_for_100_references(codes: tuple[str, ...], expected: str) -> None:
    assert judged(Ledger(100, renamed=100), *codes) == expected


def test_verdict_of_other_circumstances() -> None:
    assert judged(Ledger(100, renamed=50, island=50)) == "ready"
    assert judged(Ledger(100, renamed=49, island=50, flagged=1)) == "not recommended"
    assert judged(Ledger(100, renamed=100), "TNP901", status="error") == "significant"
    assert judged(Ledger()) == "ready"
    assert judged(Ledger(), "TNP901", status="error") == "significant"


def test_effort_totals_leave_suppressed_and_informative_findings_out() -> None:
    assert effort_totals(project()) == {"low": 1, "medium": 1, "high": 0}


def test_text_is_one_line_a_finding() -> None:
    lines = render(project(), "text").split("\n\n")[0].splitlines()
    assert [line.split(": ")[1].split()[0] for line in lines] == ["TNP102", "TNP203", "TNP301", "TNP909"]
    assert lines[2].startswith("src/flow.py:3:1: TNP301 a 100% <script>alert(1)</script>\\nb: c")
    assert "\x1b" not in lines[2]


JSON_FINDING = {
    "code": "string",
    "severity": "string",
    "applicability": "string",
    "effort": "string",
    "path": "string",
    "line": "integer",
    "column": "integer",
    "end_line": "integer",
    "end_column": "integer",
    "message": "string",
    "symbol": "string",
    "fingerprint": "string",
}
JSON_LEDGER = ("references", "renamed", "rewritten", "helper", "kept", "island", "flagged", "suppressed")


def json_schema() -> dict[str, object]:
    ledger = {"type": "object", "required": list(JSON_LEDGER), "additionalProperties": False}
    ledger["properties"] = {name: {"type": "integer", "minimum": 0} for name in JSON_LEDGER}
    finding = {"type": "object", "required": list(JSON_FINDING)}
    finding["properties"] = {name: {"type": kind} for name, kind in JSON_FINDING.items()}
    statuses = ["translated", "unchanged", "island", "error"]
    file = {"type": "object", "required": ["path", "status", "ledger"]}
    file["properties"] = {"path": {"type": "string"}, "status": {"enum": statuses}, "ledger": ledger}
    return {
        "type": "object",
        "required": ["schema", "tool", "ledger", "files", "findings"],
        "properties": {
            "schema": {"const": 1},
            "tool": {"required": ["name", "version"]},
            "ledger": ledger,
            "files": {"type": "array", "items": file},
            "findings": {"type": "array", "items": finding},
        },
    }


def test_json_keeps_the_contract() -> None:
    document = json.loads(render(project(), "json"))
    jsonschema.validate(document, json_schema())
    assert document["ledger"]["references"] == sum(count for name, count in document["ledger"].items()) / 2
    assert [one["suppressed"] for one in document["findings"]][:3] == [None, None, "checked by hand"]


def test_sarif_has_what_the_standard_demands() -> None:
    document = json.loads(render(project(), "sarif"))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["TNP102", "TNP203", "TNP301", "TNP418", "TNP909"]
    for rule in rules:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}")
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in {"note", "warning", "error"}
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] == rules[result["ruleIndex"]]["defaultConfiguration"]["level"]
        assert result["partialFingerprints"]["tnpMigrate/v1"]
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"]) >= (1, 1)
        assert location["physicalLocation"]["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/a%20b%2Cc%3Ad.py"
    assert [result["suppressions"] for result in run["results"]] == [
        [],
        [],
        [{"kind": "inSource", "justification": "checked by hand"}],
        [],
        [],
    ]
    assert run["invocations"] == [{"executionSuccessful": False}]


def known_and_gone() -> Report:
    """Give the project with the finding of src/flow.py in the baseline, and another one that is gone."""
    report = project()
    flow = replace(report.files[2], findings=(), known=report.files[2].findings)
    files = (*report.files[:2], flow, report.files[3])
    return replace(report, files=files, only_new=True, gone=(Gone("src/x y.py", "TNP408", "f408"),))


def test_sarif_marks_results_of_the_baseline() -> None:
    plain, compared = (json.loads(render(one, "sarif"))["runs"][0]["results"] for one in (project(), known_and_gone()))
    assert [result.get("baselineState") for result in plain] == [None] * 5
    assert [result.get("baselineState") for result in compared] == ["new", "new", "new", "unchanged", "new", "absent"]
    location = compared[-1]["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": "src/x%20y.py", "uriBaseId": "%SRCROOT%"}}
    assert (compared[-1]["kind"], compared[-1]["level"]) == ("pass", "none")


@pytest.mark.parametrize("name", FORMATS)
def test_known_findings_are_counted_and_not_shown(name: str) -> None:
    text = render(known_and_gone(), name)
    if name == "gitlab":  # a list of issues: the command says the number
        assert len(json.loads(text)) == len(json.loads(render(project(), name))) - 1
        return
    if name == "junit":  # of functions, not of findings
        return
    said = {"json": '"known_findings_not_shown": 1'}.get(name, "1 known finding not shown")
    assert said in text
    assert said not in render(project(), name)
    if name != "sarif":  # which marks it
        assert "script>alert(1)" not in text


def test_known_findings_count_in_verdict_and_effort_and_not_in_the_exit_code() -> None:
    assert verdict(known_and_gone()) == verdict(project())
    assert effort_totals(known_and_gone()) == effort_totals(project())
    known = replace(project().files[2], findings=(), known=project().files[2].findings)
    assert not Report("0", (known,)).needs_attention
    assert Report("0", (known,)).ledger == known.ledger


def test_paths_of_code_hosts_count_from_the_repository() -> None:
    here = FileReport("../lib/a.py", "unchanged", Ledger(), tuple(findings()[:1]), place="lib/a é%.py")
    other = FileReport("/srv/b.py", "unchanged", Ledger(), tuple(findings()[1:2]), place="b.py", root=1)
    report = Report("0", (here, other), roots=("work", "srv"))
    run = json.loads(render(report, "sarif"))["runs"][0]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
    assert places == [
        {"uri": "lib/a%20%C3%A9%25.py", "uriBaseId": "%SRCROOT%"},
        {"uri": "b.py", "uriBaseId": "%SRCROOT2%"},
    ]
    assert set(run["originalUriBaseIds"]) == {"%SRCROOT%", "%SRCROOT2%"}
    assert "::notice file=lib/a é%25.py,line=6" in render(report, "github")
    assert [issue["location"]["path"] for issue in json.loads(render(report, "gitlab"))] == ["lib/a é%.py", "b.py"]


def test_github_escapes_properties_and_data() -> None:
    lines = render(project(), "github").splitlines()
    assert lines[0] == (
        "::notice file=src/a b%2Cc%3Ad.py,line=6,endLine=6,col=11,endColumn=30,"
        "title=TNP102 call became a helper function::np.clip became `tnp.maximum`"
    )
    assert lines[1].startswith("::warning ")
    assert lines[2].startswith("::warning file=src/flow.py,line=3,endLine=9,title=TNP301 function stays")
    assert "%2C because it mutates arrays::a 100%25 <script>alert(1)</script>%0Ab: c, d" in lines[2]
    assert lines[3].startswith("::error file=src/old.py")
    assert len(lines) == 5


def test_gitlab_has_what_the_format_demands() -> None:
    issues = json.loads(render(project(), "gitlab"))
    assert [issue["severity"] for issue in issues] == ["info", "minor", "minor", "major"]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["location"]["lines"]["begin"] <= issue["location"]["lines"]["end"]


def test_gitlab_makes_fingerprints_where_there_are_none() -> None:
    report = Report("0", (FileReport("a.py", "unchanged", Ledger(), tuple(findings())),))
    assert all(issue["fingerprint"] for issue in json.loads(render(report, "gitlab")))


@pytest.mark.parametrize("name", FORMATS)
def test_control_characters_are_shown_and_never_obeyed(name: str) -> None:
    odd = "a\u202eb\x1b[31m\u2028c\x07\r"
    finding = Finding("TNP301", f"{odd}.py", 1, 1, 1, 2, odd, "f")
    file = FileReport(f"{odd}.py", "island", Ledger(), (finding,), ("f",), f"x = '{odd}'\n".encode(), b"x = 1\n")
    text = render(Report("0", (file,)), name)
    assert [char for char in text if not char.isprintable() and char not in "\n\t"] == []
    if name in ("json", "sarif", "gitlab"):
        json.loads(text)


def test_markdown_keeps_table_cells_whole() -> None:
    text = render(project(), "markdown")
    (row,) = [line for line in text.splitlines() if "script" in line]
    assert row == (
        r"| `src/flow.py:3` | a 100% \<script\>alert(1)\</script\> b: c, d \| `e \| f` "
        "@<!-- -->jit \\*g\\* \\x1b\\[31m |"
    )


def test_markdown_counts_what_does_not_fit() -> None:
    long = [
        Finding(code, f"{'d' * 200}/{n}.py", n, 1, n, 2, "m" * 3000)
        for code in ("TNP201", "TNP202", "TNP203")
        for n in range(1, 30)
    ]
    text = render(Report("0", (FileReport("a.py", "translated", Ledger(1, flagged=1), tuple(long)),)), "markdown")
    assert len(text) < 65_536
    assert text.endswith("87 findings of 3 more codes are not shown.\n")
    short = [Finding("TNP201", "a.py", n, 1, n, 2, "np.f") for n in range(1, 30)]
    text = render(Report("0", (FileReport("a.py", "translated", Ledger(1, flagged=1), tuple(short)),)), "markdown")
    assert text.endswith("\nand 9 more\n")


class Tags(HTMLParser):
    """Collects open tags and complains about wrong nesting."""

    VOID = frozenset({"meta", "col", "input", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_well_formed_page_that_loads_nothing() -> None:
    text = render(project(), "html")
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert tags.seen.isdisjoint({"link", "img", "iframe", "b"})
    assert tags.attributes.isdisjoint({"src", "onload", "onclick", "style"})
    assert "&lt;script&gt;alert(1)" in text
    assert "# &lt;b&gt;solver&lt;/b&gt; &amp; friends" in text
    assert "suppressed: checked by hand" in text


def test_the_page_runs_the_script_of_its_search_alone() -> None:
    """The policy names the script by its hash: a browser runs no other."""
    text = render(project(), "html", evidence_of(verification()))
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'\"" in text
    assert '<p class="search" hidden>' in text


def test_side_by_side_folds_far_lines_and_shows_noted_ones() -> None:
    before = "".join(f"line {n}\n" for n in range(1, 41)).encode()
    after = before.replace(b"line 20\n", b"line 20a\nline 20b\n")
    text = side_by_side(before, after, {35: ["<i>note</i>"]})
    gaps = [part.split(" unchanged")[0].rsplit(">", 1)[1] for part in text.split("</tr>") if "unchanged" in part]
    assert gaps == ["16", "8", "3"]
    assert '<td class="del">line 20</td>' in text
    assert '<td class="add">line 20b</td>' in text
    assert text.index("line 35") < text.index("<i>note</i>") < text.index("line 36")


def test_side_by_side_of_other_encodings() -> None:
    latin = "# -*- coding: latin-1 -*-\nunit = 'é'\n".encode("latin-1")
    assert "unit = &#x27;é&#x27;" in side_by_side(latin, latin + b"x = 1\n", {})
    assert "\ufffd" in side_by_side(b"x = '\xff'\n", b"", {})
