"""The page of a diagnostic, as `tnp-migrate rule TNP203` prints it and the documentation holds it."""

from __future__ import annotations

from tnp_migrate.diagnostics.findings import CODES, NOT_REPORTED, Code

APPLICABILITY = {
    "safe": "safe: done, and the numbers are NumPy's",
    "likely": "likely: done, look at it once",
    "manual": "manual: for you to do or decide",
}
EFFORT = {"low": "low: minutes", "medium": "medium: hours", "high": "high: a redesign"}


def explain(code: str) -> str:
    """Return the page of a code as Markdown; `ValueError` says which codes there are when it is none."""
    number = code.strip().upper()
    if number not in CODES:
        near = [known for known in CODES if known[:4] == number[:4]] or list(CODES)
        raise ValueError(f"no diagnostic {code!r}; there are {near[0]} to {near[-1]}")
    return page(CODES[number], level=1)


def page(code: Code, *, level: int) -> str:
    """Write one code as Markdown, its headings starting at `level`."""
    inner = "#" * (level + 1)
    example = [f"{inner} Before", _python(code.before), f"{inner} After", _python(code.after)]
    if code.before == code.after:
        example = [f"{inner} Example, left as it is", _python(code.before)]
    facts = (
        f"*Severity:* {code.severity}. *Applicability:* {APPLICABILITY[code.applicability]}. "
        f"*Effort:* {EFFORT[code.effort]}."
    )
    parts = [f"{'#' * level} {code.number}: {code.title}", facts]
    parts += ["This version does not report it yet."] if code.number in NOT_REPORTED else []
    parts += [code.meaning, f"{inner} Why", code.why, *example]
    return "\n\n".join([*parts, f"{inner} What to do", code.advice, *_suppression(code, inner)]) + "\n"


def _python(text: str) -> str:
    return f"```python\n{text}```"


def _suppression(code: Code, inner: str) -> list[str]:
    """How to silence the code; input errors cannot be silenced."""
    if code.number.startswith("TNP9"):
        return []
    return [f"{inner} To suppress", f"`# tnp: ignore[{code.number}] reason` at the end of the line."]
