"""Work in processes of their own: a function of this package in, what it returns out; ended when it has become vain.

Where the system can, a process is forked from one that has everything loaded already (`warm`).
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from tnp_migrate.program.config import ConfigError

P = ParamSpec("P")
T = TypeVar("T")
_FORKS = "forkserver" in multiprocessing.get_all_start_methods()
_CONTEXT: Any = multiprocessing.get_context("forkserver" if _FORKS else "spawn")
_PRELOADED = ["tnp_migrate.__main__", "tnp_migrate.server.warm"]
_LESS_URGENT = 5  # than the server, which answers edits
_NO_ANSWER = "a process ended without an answer"
_waiting = ThreadPoolExecutor(min(max(3, os.cpu_count() or 1), 8), "waits for a process")


class JobFailed(Exception):
    """There is no result: wrong settings, or a process that ended without one."""


def make_ready() -> None:
    """Load what all jobs need; waits until that is done."""
    if _FORKS:
        _CONTEXT.set_forkserver_preload(_PRELOADED)
        first = _CONTEXT.Process(target=int)
        first.start()
        first.join()


async def run_apart(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a function of a module in another process. When the task that waits is cancelled, the process is ended.

    Raises `JobFailed`.
    """
    job = _Job(function, arguments, named)
    answer = asyncio.get_running_loop().run_in_executor(_waiting, job.run)
    try:
        result, failure = await asyncio.shield(answer)
    finally:
        job.end()  # the thread that waits sees it
    if failure:
        raise JobFailed(failure)
    made: T = result
    return made


class _Job:
    """A call in a process of its own, which a thread starts and waits for.

    To start one is to wait, too, for the process that forks, and until the new one has read a long text: on a machine
    that has other work, a second or more, in which the loop would answer nothing.
    """

    def __init__(self, function: Callable[..., object], arguments: Any, named: Any) -> None:
        self._call = function, arguments, named
        self._process: Any = None
        self._vain = False

    def run(self) -> tuple[Any, str]:
        """The result and nothing, or nothing and why there is none."""
        if self._vain:
            return None, _NO_ANSWER
        here, there = _CONTEXT.Pipe(duplex=False)
        with here:
            process = _CONTEXT.Process(target=_work, args=(there, *self._call), daemon=True)
            process.start()
            there.close()
            self._process = process
            if self._vain:  # since it was started
                process.kill()
            found = _received(here)
        process.join()
        return found

    def end(self) -> None:
        """End the process, now or as soon as it is there."""
        self._vain = True
        if self._process is not None:
            self._process.kill()


def end_all() -> None:
    """End what is under way."""
    for process in multiprocessing.active_children():
        process.kill()


def _received(here: Connection) -> tuple[Any, str]:
    try:
        found: tuple[Any, str] = here.recv()
    except (EOFError, OSError):
        return None, _NO_ANSWER
    return found


def _work(there: Connection, function: Callable[..., object], arguments: Any, named: Any) -> None:
    """Do one job, in its process; standard output is the editor's."""
    gc.disable()  # syntax trees hold no cycles
    if hasattr(os, "nice"):
        os.nice(_LESS_URGENT)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        there.send((function(*arguments, **named), ""))
    except ConfigError as error:
        there.send((None, str(error)))
