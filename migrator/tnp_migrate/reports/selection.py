"""Which findings the user wants to see: `--select`, `--ignore`, `per-file-ignores`."""

from __future__ import annotations

from pathlib import Path

from tnp_migrate.program.config import Config
from tnp_migrate.text.discovery import match


def is_selected(code: str, location: Path, config: Config) -> bool:
    """Whether a code is reported for a file. What could not be worked on (9xx) is never left unsaid."""
    if code.startswith("TNP9"):
        return True
    ignored = list(config.ignore)
    if config.per_file_ignores:
        bases = [base for base in (config.folder or Path.cwd(), Path.cwd()) if base in location.parents]
        name = (location.relative_to(bases[0]) if bases else location).as_posix()
        ignored += [code for pattern, codes in config.per_file_ignores if match((pattern,), name) for code in codes]
    return code.startswith(config.select or ("TNP",)) and not code.startswith(tuple(ignored))
