"""What people and machines read: the ledger and its findings in, out one format, imported only when it is asked for.

The tables of `coverage` and `rule`, and the generated pages of `docs`, are written here too.
"""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tnp_migrate.diagnostics.ledger import Report
    from tnp_migrate.reports.summary import Evidence, Render

FORMATS: dict[str, str] = {
    name: f"tnp_migrate.reports.{name}"
    for name in ("text", "json", "sarif", "github", "gitlab", "markdown", "html", "junit")
}
# All but tab and newline, which a terminal would obey, and what turns the direction of the text around it.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def render(report: Report, format: str, evidence: Evidence | None = None) -> str:  # noqa: A002 - the option's name
    """Write the report in one of `FORMATS`; `evidence` is what running the code has shown, None when nobody ran it.

    The text is safe to write and to show: file names that are not UTF-8 and control characters become escapes.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown report format {format!r}; known are {', '.join(FORMATS)}")
    function = cast("Render", importlib.import_module(FORMATS[format]).render)
    text = function(report, evidence).encode("utf-8", "backslashreplace").decode("utf-8")
    return CONTROL.sub(lambda char: char.group().encode("unicode_escape").decode("ascii"), text)
