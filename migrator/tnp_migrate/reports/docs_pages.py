"""Write generated pages of `docs`, codes, settings and coverage: `python -m tnp_migrate.reports.docs_pages docs`."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from tnp_migrate.diagnostics.explain import page
from tnp_migrate.diagnostics.findings import CODES, NOT_REPORTED, Code
from tnp_migrate.reports.coverage import markdown, rows
from tnp_migrate.reports.settings_page import settings_page
from tnp_migrate.reports.summary import verdict

HUNDREDS = {
    "1": ("done", "Done, look at it", "The site was translated; these say where a look is worth it."),
    "2": ("left", "Left as it was", "The site was not changed: only you know what it should become."),
    "3": ("risks", "Risks", "Analysis found a risk; the program runs, and the page says what that rests on."),
    "4": ("incompatible", "Incompatible features", "NumPy features that tensors do not have."),
    "5": ("performance", "Performance", "The numbers are right and the speed may disappoint."),
    "6": ("proof", "Proof", "What replaying the recorded calls of your own program has shown (`tnp-migrate verify`)."),
    "9": ("input", "Input errors", "Some input could not be processed; the file is as it was."),
}
GENERATED = (
    "<!-- Generated from migrator/tnp_migrate/diagnostics/codes: edit there, then run "
    "`python -m tnp_migrate.reports.docs_pages docs`. -->"
)
GENERATED_TABLE = (
    "<!-- Generated from the rules and the tables: run `python -m tnp_migrate.reports.docs_pages docs`. -->"
)
LEAD = """\
Every message of `tnp-migrate` has a code. Its number is never reused. `tnp-migrate rule TNP203` prints the page of a
code.

Severity *info* needs nothing of you, *warning* wants a decision, *error* is something that cannot work on tensors, or
input that could not be processed. Effort *low* is minutes, *medium* hours, *high* a redesign.

Suppress a finding with `# tnp: ignore[TNP203] reason` at the end of its line, or a code in a whole file with
`# tnp: ignore-file[TNP401] reason` on a line of its own. A suppression that is not used is itself reported. Input
errors cannot be suppressed. [Usage](usage.md) has more: settings for some files, and how to see only what is new.

Codes in *italics* are described and not reported yet: that the report has none of them says nothing about the code."""


def pages() -> dict[str, str]:
    """Return the text of each page by its path below `docs`."""
    written = {"diagnostics.md": _index()}
    for digit, (name, title, lead) in HUNDREDS.items():
        sections = [page(code, level=2) for code in _hundred(digit)]
        written[f"diagnostics/{name}.md"] = "\n".join([f"{GENERATED}\n\n# {title}\n\n{lead}\n", *sections])
    return written


def coverage_page() -> str:
    """Return the text of `coverage.md`."""
    return f"{GENERATED_TABLE}\n\n{markdown(rows())}"


def write(folder: Path) -> None:
    """Write all pages below `folder`."""
    for name, text in {**pages(), "settings.md": settings_page(), "coverage.md": coverage_page()}.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


def anchor(code: Code) -> str:
    """Return the heading's anchor as Markdown renderers make it: lower case, punctuation gone, blanks to hyphens."""
    heading = f"{code.number}: {code.title}".lower()
    return "".join(char for char in heading if char.isalnum() or char in " -_").replace(" ", "-")


def _index() -> str:
    table = ["| Code | What | Severity | Applicability | Effort |", "|---|---|---|---|---|"]
    for digit, (name, _title, _lead) in HUNDREDS.items():
        table += [
            f"| [{code.number}](diagnostics/{name}.md#{anchor(code)}) | {_shown(code)} | {code.severity} "
            f"| {code.applicability} | {code.effort} |"
            for code in _hundred(digit)
        ]
    return "\n\n".join([GENERATED, "# Diagnostics", LEAD, _verdict_rule(), "\n".join(table)]) + "\n"


def _shown(code: Code) -> str:
    return f"*{code.title}*" if code.number in NOT_REPORTED else code.title


def _verdict_rule() -> str:
    """Write the rule of the reports' verdict, from the function that decides it."""
    _, _, rule = (inspect.getdoc(verdict) or "").partition("\n\n")
    return f"## Verdict\n\n{rule}\n\n## Codes"


def _hundred(digit: str) -> list[Code]:
    return [code for code in CODES.values() if code.number[3] == digit]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
