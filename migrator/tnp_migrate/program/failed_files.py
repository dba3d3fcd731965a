"""What is said of a file on which an analysis has failed, whatever the reason."""

from __future__ import annotations

from pathlib import Path

from tnp_migrate.program.nesting_depth import TOO_DEEP
from tnp_migrate.text.source import SourceError


def failure_of(error: Exception) -> SourceError:
    """The finding of an exception: the user's where it is known to be, a mistake of ours otherwise."""
    if isinstance(error, SourceError):
        return error
    if isinstance(error, RecursionError):
        return SourceError("TNP908", TOO_DEEP)
    return SourceError("TNP910", f"internal error, the file is left as it was: {described(error)}")


def described(error: Exception) -> str:
    """An exception as one line, with the line of ours that raised it."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f" ({Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno})" if frame is not None else ""
    return f"{type(error).__name__}: {error}{place}"
