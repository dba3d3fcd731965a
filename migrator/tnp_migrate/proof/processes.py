"""Replaying processes seen from outside: one runs a list of calls; where it crashes or hangs, another goes on.

A call costs no other one its result: what is written down before and after each tells which one it was.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tnp_migrate.proof.inside.settings import VARIABLE

SCRIPT = Path(__file__).parent / "hook" / "replay_calls.py"
STARTUP = 120.0  # seconds until the first call begins: TensorFlow is imported, and what stays on NumPy is found out
POLL = 0.05
PART = 0.75  # of the machine's memory
Row = dict[str, Any]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Replays:
    """How replays are run: by which Python, with how many seconds for a call, for a function, and for all calls.

    `memory` is what a process may hold in bytes, None for three quarters of what the machine has.
    """

    python: str = sys.executable
    limit: float = 20.0
    share: float = 30.0
    total: float = 600.0
    memory: int | None = None
    device: str = "cpu"


_STOPPED = ("crashed", "time")
Rows = dict[str, dict[int, Row]]


def replay(replays: Replays, job: Mapping[str, Any], calls: Sequence[Row], progress: Progress) -> Rows:
    """Replay calls, each in its `form`, in processes of their own, in their order; rows by form and number.

    A row has a `status`: same, differs, raises, other, not replayable, time, crashed, or left out (with `why`). What a
    form does not look at has none. Without the device that is asked for there are none at all.
    """
    rows: Rows = {one["form"]: {} for one in calls}
    pending = list(calls)
    until = time.monotonic() + replays.total
    why = "the time for all calls was used up"
    failures = 0
    while pending and time.monotonic() < until and failures < 2:
        ended = True
        done = sum(map(len, rows.values()))
        told = {**job, "form": pending[0]["form"], "calls": pending}
        with tempfile.TemporaryDirectory() as folder:
            for line in _lines(replays, told, Path(folder), until):
                if "missing" in line:
                    return {}
                if "full" in line:
                    ended = False  # another process goes on
                elif "stopped" in line:
                    ended, why = False, line["why"]
                    _blame(line, rows)
                elif "end" in line:
                    form, number = line["end"]
                    rows[form][number] = line
                    progress(f"replaying, {form}:", number + 1, len({one["id"] for one in calls}))
        if ended:
            return rows
        place = max((place for place, one in enumerate(pending) if one["id"] in rows[one["form"]]), default=-1)
        pending = _worth_a_try(pending[place + 1 :], calls, rows)
        failures = failures + 1 if sum(map(len, rows.values())) == done else 0
    for one in pending:
        rows[one["form"]].setdefault(one["id"], {"status": "left out", "why": why})
    return rows


def _worth_a_try(pending: Sequence[Row], calls: Sequence[Row], rows: Rows) -> list[Row]:
    """The calls that need not be expected to stop their process: not one that did, and none of a function that hangs.

    A call that stopped its process in one form would do so in another. A function whose calls crash may crash twice.
    """
    stopped = {number: row for own in rows.values() for number, row in own.items() if row["status"] in _STOPPED}
    crashes = Counter(_function(one) for one in {one["id"]: one for one in calls}.values() if one["id"] in stopped)
    hang = {_function(one) for one in calls if stopped.get(one["id"], {}).get("status") == "time"}
    found = []
    for one in pending:
        if one["id"] in stopped:
            continue
        if _function(one) in hang or crashes[_function(one)] > 1:
            why = "another call of the function had to be stopped"
            rows[one["form"]].setdefault(one["id"], {"status": "left out", "why": why})
        else:
            found.append(one)
    return found


def _function(call: Row) -> tuple[str, str, str]:
    return call["place"], call["name"], call["role"]


def _blame(line: Row, rows: Rows) -> None:
    """Blame the call that was running; before the first one it is the process itself that failed."""
    if line["at"] is not None:
        form, number = line["at"]
        rows[form][number] = {"status": line["stopped"], "why": line["why"]}


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
            yield from _follow(process, lines, replays, until)
        finally:
            end_with_children(process)
        errors.seek(0)
        said = errors.read()[-2000:].strip().splitlines()
    if process.returncode:
        yield from _how_it_ended(process.returncode, out, said)


def _follow(process: subprocess.Popen[bytes], lines: Any, replays: Replays, until: float) -> Iterator[Row]:
    most = replays.memory or _memory_of_the_machine() * PART
    running: list[Any] | None = None
    clock = _Clock(process.pid)
    text = ""
    while True:
        ended = process.poll() is not None
        while part := lines.readline():
            text += part
            if text.endswith("\n"):
                line, text = json.loads(text), ""
                running = line.get("begin")
                clock.start()
                yield line
        if ended:
            return
        if _held(process.pid) > most:
            end_with_children(process)
            process.returncode = 0
            yield {"stopped": "crashed", "at": running, "why": f"holds more than {most / (1 << 20):.0f} MB"}
            return
        allowed = replays.limit if running is not None else STARTUP
        if clock.shows(allowed) or time.monotonic() > until:
            end_with_children(process)
            process.returncode = 0  # it is we who ended it
            yield {"stopped": "time", "at": running, "why": f"takes longer than {allowed:.0f} s"}
            return
        time.sleep(POLL)


def _held(process: int) -> int:
    """The bytes of memory that a process holds; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _memory_of_the_machine() -> float:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return math.inf


class _Clock:
    """How long a call takes: processor time, so that a busy machine is not held against it; or ten times that idle."""

    def __init__(self, pid: int) -> None:
        self._stat = Path(f"/proc/{pid}/stat")
        self.start()

    def start(self) -> None:
        """A call begins."""
        self._wall, self._used = time.monotonic(), self._processor()

    def shows(self, seconds: float) -> bool:
        """Whether a call has taken this long."""
        waited = time.monotonic() - self._wall
        used = self._processor()
        if used is None or self._used is None:
            return waited > seconds
        return used - self._used > seconds or waited > 10 * seconds

    def _processor(self) -> float | None:
        """Seconds of processor time that the process has used; None where the system does not tell."""
        try:
            fields = self._stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return None


def _how_it_ended(code: int, out: Path, said: list[str]) -> Iterator[Row]:
    """Say at which call a process died, and of what."""
    last = out.read_text(encoding="utf-8").strip().splitlines()[-1:]
    running = json.loads(last[0]).get("begin") if last else None
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    detail = f": {said[-1][:300]}" if said else ""
    yield {"stopped": "crashed", "at": running, "why": f"the process died of {name}{detail}"}


def end_with_children(process: subprocess.Popen[bytes]) -> None:
    """End a process with everything that it has started."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
