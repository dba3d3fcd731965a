"""`--diff`: a patch for programs, a view for people.

In a pipe it is a patch, byte for byte, which `git apply` takes. On a terminal a helper module is one line, lines have
colours and control characters are escaped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import diff_bytes, unified_diff
from pathlib import Path
from typing import Protocol

from tnp_migrate.rewriting.helpers import FILE_NAME

_COLOURS = {b"---": "1", b"+++": "1", b"@@": "36", b"-": "31", b"+": "32"}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Changed(Protocol):
    """New contents by path, with what stood there before and how a report names it: `tnp_migrate.state.Project`."""

    outputs: dict[Path, bytes]

    def before(self, path: Path) -> bytes | None:
        """The text that an output takes the place of; None where there is none."""

    def shown(self, path: Path) -> str:
        """The path of an output as the report names it."""


def patch(project: Changed) -> Iterator[bytes]:
    """The lines of a patch: the user's files first, then the helper modules."""
    for path in _order(project):
        yield from _diff(project, path)


def view(project: Changed, *, colour: bool) -> Iterator[str]:
    """The lines of a diff for a person's eyes."""
    for path in _order(project):
        if path.name == FILE_NAME:
            lines = project.outputs[path].count(b"\n")
            is_new = project.before(path) is None
            yield f"{_escaped(project.shown(path))}: {'new' if is_new else 'changed'}, {lines} lines"
            continue
        for line in _diff(project, path):
            text = _escaped(line.decode("utf-8", "backslashreplace").rstrip("\r\n"))
            code = next((code for start, code in _COLOURS.items() if line.startswith(start)), None)
            yield f"\x1b[{code}m{text}\x1b[0m" if colour and code else text


def wants_colour() -> bool:
    """Whether the user's terminal may be sent colours: https://no-color.org says how not to."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _order(project: Changed) -> list[Path]:
    return sorted(project.outputs, key=lambda path: (path.name == FILE_NAME, path))


def _diff(project: Changed, path: Path) -> Iterator[bytes]:
    before, shown = project.before(path), os.fsencode(project.shown(path))
    old, new = (re.findall(rb"[^\n]*\n|[^\n]+", text) for text in (before or b"", project.outputs[path]))
    origin = b"/dev/null" if before is None else b"a/" + shown
    for line in diff_bytes(unified_diff, old, new, origin, b"b/" + shown):
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def _escaped(text: str) -> str:
    """Text without characters that move a terminal's cursor, change its colours or the order of what is shown."""
    return _CONTROL.sub(lambda found: repr(found.group())[1:-1], text)
