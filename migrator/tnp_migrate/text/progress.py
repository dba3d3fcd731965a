"""How far a run is: a line that is drawn over on a terminal, a new line every ten seconds elsewhere."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TextIO

_EVERY = {True: 1.0, False: 10.0}  # seconds between two lines, on a terminal and elsewhere
PHASES = ("reading", "analysing", "translating", "writing")


class Progress:
    """What a run is at. No share of the whole is named: analysis goes round until nothing changes any more."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self.stream = stream
        self.clock = clock
        self.terminal = stream.isatty()
        self.start = self.shown = clock()
        self.at: tuple[str, int, int] = ("looking for files", 0, 0)

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Note what the run is at, and say so if it is time."""
        self.at = (phase, done, total)
        self.tick()

    def tick(self) -> None:
        """Say what the run is at where nothing has been said for long."""
        now = self.clock()
        if now - self.shown < _EVERY[self.terminal]:
            return
        self.shown = now
        phase, done, total = self.at
        step = f"{PHASES.index(phase) + 1} of {len(PHASES)}: " if phase in PHASES else ""
        what = "calls" if phase.startswith("replaying") else "files"
        count = f" {done} of {total} {what}" if done else f" {total} {what}" if total else ""
        text = f"tnp-migrate {step}{phase}{count}, {now - self.start:.0f} s"
        self._write(f"\r{text}\x1b[K" if self.terminal else f"{text}\n")

    def clear(self) -> None:
        """Leave nothing on a terminal."""
        if self.terminal and self.shown != self.start:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
            self.stream.write(text)
            self.stream.flush()


@contextlib.contextmanager
def ticking(progress: Progress) -> Iterator[Progress]:
    """Let a clock ask once a second, where the system has one that can interrupt: a phase may take minutes."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield progress
        progress.clear()
        return

    def ask(_number: int, _frame: FrameType | None) -> None:
        progress.tick()

    before = signal.signal(signal.SIGALRM, ask)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield progress
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        progress.clear()
