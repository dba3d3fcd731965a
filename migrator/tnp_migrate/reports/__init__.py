"""Reports: each format is a function from a `Report` to text, imported only when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tnp_migrate.ledger import Report
    from tnp_migrate.reports.summary import Evidence, Render

FORMATS: dict[str, str] = {
    name: f"tnp_migrate.reports.{name}" for name in ("text", "json", "sarif", "github", "gitlab", "markdown", "html")
}


def render(report: Report, format: str, evidence: Evidence | None = None) -> str:  # noqa: A002 - the option's name
    """Write the report in one of `FORMATS`; `evidence` is what `verify` found, None when it was not run.

    The text can be encoded: a file name that is not UTF-8 is shown with escapes.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown report format {format!r}; known are {', '.join(FORMATS)}")
    function = cast("Render", importlib.import_module(FORMATS[format]).render)
    return function(report, evidence).encode("utf-8", "backslashreplace").decode("utf-8")
