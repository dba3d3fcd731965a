"""One function over many items in forked processes: they share what is analysed, and give results in order."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from typing import TypeVar, cast

_Result = TypeVar("_Result")
_SERIAL_LINES = 20_000  # below, starting processes takes longer than they save
_work: Callable[[int], object] | None = None  # in a forked process: what it is there for


def processes_for(jobs: int, lines: int) -> int:
    """How many processes to use: what was asked for, or as many as there are processors where there is much to do."""
    if not hasattr(os, "fork"):
        return 1
    if jobs:
        return jobs
    if lines < _SERIAL_LINES:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(function: Callable[[int], _Result], count: int, processes: int) -> Iterator[_Result]:
    """Give `function(0)`, `function(1)`, ...; what a process that died did not give is computed here."""
    done = 0
    if processes > 1 and count > 1:
        for result in _forked(function, count, min(processes, count)):
            yield result
            done += 1
    for position in range(done, count):
        yield function(position)


def _forked(function: Callable[[int], _Result], count: int, processes: int) -> Iterator[_Result]:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  # 30 ms that a serial run need not pay
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    gc.freeze()  # else the first collection in each process copies every page
    executor = ProcessPoolExecutor(processes, get_context("fork"), initializer=_take, initargs=(function,))
    try:
        chunk = max(1, count // (processes * 8))
        yield from cast("Iterator[_Result]", executor.map(_at, range(count), chunksize=chunk))
    except (BrokenProcessPool, OSError):  # killed for its memory, or no process to be had
        return
    finally:
        executor.shutdown(cancel_futures=True)
        gc.unfreeze()


def _take(function: Callable[[int], object]) -> None:
    """Start a process: a fork inherits the function and all that it refers to."""
    global _work  # noqa: PLW0603  # results are pickled, the function need not be
    _work = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and says so


def _at(position: int) -> object:
    assert _work is not None
    return _work(position)
