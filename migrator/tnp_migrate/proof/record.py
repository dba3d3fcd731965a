"""Run the user's command with the recorder in each of its Python processes, and say what was kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tnp_migrate import __version__
from tnp_migrate.proof.inside.refusals import BadRecording
from tnp_migrate.proof.inside.settings import VARIABLE, Settings
from tnp_migrate.proof.recording import INDEX, PROCESSES, SCHEMA, Recording, digest_of, read_recordings

HOOK = Path(__file__).parent / "hook"
MIXED = ""  # in the place of a digest: calls of several texts of a file were recorded
DEFAULT = Path(".tnp-migrate") / "record"


class CannotRecord(Exception):
    """The command cannot be recorded; the message says why and what to do."""


def begin(settings: Settings, sources: Sequence[Path], command: Sequence[str], *, add: bool) -> None:
    """Make the folder of a recording ready: empty, unless it is added to. Raises `CannotRecord`."""
    folder = Path(settings.folder)
    if folder.exists() and any(folder.iterdir()) and not (folder / INDEX).is_file():
        raise CannotRecord(f"{folder} holds other files than a recording; name another folder with --output")
    if not add:
        for name in (PROCESSES, "arrays"):
            shutil.rmtree(folder / name, ignore_errors=True)
    former = _sources(folder) if add else {}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")  # recorded values are data, and may be secret
    now = {settings.relative(str(one)): digest_of(one.read_bytes()) for one in sources if one.is_file()}
    index = {
        "schema": SCHEMA,
        "tool": __version__,
        "roots": [settings.relative(root) for root in settings.roots],
        "command": list(command),
        "sources": {place: one if former.get(place, one) == one else MIXED for place, one in now.items()},
    }
    (folder / INDEX).write_text(json.dumps(index, indent=1), encoding="utf-8")


def _sources(folder: Path) -> dict[str, str]:
    """The sources of the recording that is added to. Raises `CannotRecord`."""
    try:
        return read_recordings([folder]).sources if (folder / INDEX).is_file() else {}
    except BadRecording as error:
        raise CannotRecord(f"{error}; without --add it is made anew") from None


def run_command(settings: Settings, command: Sequence[str]) -> int:
    """Run a command with the recorder in each Python process below it; its exit code. Raises `CannotRecord`."""
    path = os.environ.get("PYTHONPATH")
    environment = {
        **os.environ,
        VARIABLE: settings.environment(),
        "PYTHONPATH": os.pathsep.join([str(HOOK), *([path] if path else [])]),
    }
    try:
        return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603  # it is what the user asks for
    except OSError as error:
        raise CannotRecord(f"{command[0]}: {error.strerror}") from None


def summary(recording: Recording) -> Iterator[str]:
    """What a recording holds, in a few lines."""
    functions = recording.functions.values()
    called = [one for one in functions if one.calls]
    kept = [one for one in functions if one.kept]
    calls = sum(one.calls for one in functions)
    if not functions:
        yield (
            "recorded nothing: no module of the path was imported from there. "
            "Is an installed copy being used? `pip install -e .`, or give the path that it is imported from"
        )
        return
    yield (
        f"recorded {len(called)} functions of {len(functions)} that were imported, {calls} calls; "
        f"kept {sum(len(one.kept) for one in functions)} calls of {len(kept)} functions"
    )
    reasons: Counter[str] = Counter()
    for one in functions:
        if not one.kept:
            reasons.update(one.not_kept.keys())
    yield from (f"no call kept of {count} functions: {reason}" for reason, count in reasons.most_common(3) if count)
    if recording.over:
        yield "the limit on the size was reached: --max-size raises it"


def table(recording: Recording) -> Iterator[str]:
    """A line for each function: calls, kept calls, the kinds that were seen, and why calls are not kept."""
    for (place, name, role), one in sorted(recording.functions.items()):
        title = f"{place}:{one.line} {name}{f' ({role})' if role else ''}"
        yield f"{title}: {one.calls} calls of {len(one.kinds)} kinds, {len(one.kept)} kept"
        yield from (f"    not kept, {count} times: {reason}" for reason, count in one.not_kept.items())
