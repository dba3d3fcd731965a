"""A limit on the processor time of what need not be looked at to its end, without the end of the process."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


class TooLong(BaseException):
    """Raised where the time is over; no `except Exception` of the user's program catches it."""


@contextlib.contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raise `TooLong` once the process has used this much more time; 0 is no limit, as is a system without timers."""
    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TooLong(f"takes longer than {seconds:.0f} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
