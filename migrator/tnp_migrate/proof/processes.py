"""Replaying processes seen from outside: one runs a list of calls; where it crashes or hangs, another goes on.

A call costs no other one its result: what is written down before and after each tells which one it was.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tnp_migrate.proof.inside.settings import VARIABLE

SCRIPT = Path(__file__).parent / "hook" / "replay_calls.py"
STARTUP = 120.0  # seconds until the first call begins: TensorFlow is imported, and what stays on NumPy is found out
POLL = 0.05
Row = dict[str, Any]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Replays:
    """How replays are run: by which Python, with how many seconds for a call, and for all calls of a form."""

    python: str = sys.executable
    limit: float = 20.0
    total: float = 1200.0
    device: str = "cpu"


def replay(replays: Replays, job: Mapping[str, Any], calls: Sequence[Row], progress: Progress) -> dict[int, Row]:
    """Replay calls in processes of their own, in their order; a row for each call by its number.

    A row has a `status`: same, differs, raises, other, not replayable, time, crashed, or not run.
    """
    rows: dict[int, Row] = {}
    pending = list(calls)
    until = time.monotonic() + replays.total
    failures = 0
    while pending and time.monotonic() < until and failures < 2:
        before = len(pending)
        stopped = ""
        with tempfile.TemporaryDirectory() as folder:
            for line in _lines(replays, {**job, "calls": pending}, Path(folder), until):
                if "end" in line:
                    rows[line["end"]] = line
                    progress(str(job["form"]), len(rows), len(calls))
                elif "stopped" in line:
                    stopped = _note_stopped(line, rows)
                elif "missing" in line:
                    return {}
        pending = [one for one in pending if one["id"] not in rows]
        failures = failures + 1 if len(pending) == before else 0
        if failures == 2:
            rows |= {one["id"]: {"status": "not run", "why": stopped} for one in pending}
    return rows | {
        one["id"]: {"status": "not run", "why": "the time for all calls was used up"}
        for one in pending
        if one["id"] not in rows
    }


def _note_stopped(line: Row, rows: dict[int, Row]) -> str:
    """Blame the call that was running; before the first one it is the process itself that failed."""
    if line["at"] is not None:
        rows[line["at"]] = {"status": line["stopped"], "why": line["why"]}
    return str(line["why"])


def _lines(replays: Replays, job: Mapping[str, Any], folder: Path, until: float) -> Iterator[Row]:
    """The lines that one process writes; a last one says how it ended where that was not by itself."""
    out = folder / "out.jsonl"
    out.touch()
    (folder / "job.json").write_text(json.dumps({**job, "out": str(out)}), encoding="utf-8")
    errors = (folder / "errors").open("w+", encoding="utf-8", errors="replace")
    command = [replays.python, str(SCRIPT), str(folder / "job.json")]
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    environment |= {"TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"CUDA_VISIBLE_DEVICES": "-1"} if replays.device == "cpu" else {}
    with errors, out.open(encoding="utf-8") as lines:
        process = subprocess.Popen(  # noqa: S603  # the user's own Python runs the user's own functions
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            start_new_session=True,
        )  # fmt: skip
        try:
            yield from _follow(process, lines, replays.limit, until)
        finally:
            _end(process)
        errors.seek(0)
        said = errors.read()[-2000:].strip().splitlines()
    if process.returncode:
        yield from _how_it_ended(process.returncode, out, said)


def _follow(process: subprocess.Popen[bytes], lines: Any, limit: float, until: float) -> Iterator[Row]:
    running: int | None = None
    since = time.monotonic()
    text = ""
    while True:
        ended = process.poll() is not None
        while part := lines.readline():
            text += part
            if text.endswith("\n"):
                line, text = json.loads(text), ""
                running, since = line.get("begin"), time.monotonic()
                yield line
        if ended:
            return
        allowed = limit if running is not None else STARTUP
        if time.monotonic() - since > allowed or time.monotonic() > until:
            _end(process)
            process.returncode = 0  # it is we who ended it
            yield {"stopped": "time", "at": running, "why": f"takes longer than {allowed:.0f} s"}
            return
        time.sleep(POLL)


def _how_it_ended(code: int, out: Path, said: list[str]) -> Iterator[Row]:
    """Say at which call a process died, and of what."""
    last = out.read_text(encoding="utf-8").strip().splitlines()[-1:]
    running = json.loads(last[0]).get("begin") if last else None
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    detail = f": {said[-1][:300]}" if said else ""
    yield {"stopped": "crashed", "at": running, "why": f"the process died of {name}{detail}"}


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with everything that it has started."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
