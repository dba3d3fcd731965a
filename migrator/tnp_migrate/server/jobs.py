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
_waiting = ThreadPoolExecutor(8, "waits for a process")


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
    here, there = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_work, args=(there, function, arguments, named), daemon=True)
    process.start()
    there.close()
    answer = asyncio.get_running_loop().run_in_executor(_waiting, _received, here, process)
    try:
        result, failure = await asyncio.shield(answer)
    finally:
        process.kill()  # the thread that waits sees its end
    if failure:
        raise JobFailed(failure)
    made: T = result
    return made


def end_all() -> None:
    """End what is under way."""
    for process in multiprocessing.active_children():
        process.kill()


def _received(here: Connection, process: Any) -> tuple[Any, str]:
    with here:
        try:
            found: tuple[Any, str] = here.recv()
        except (EOFError, OSError):
            found = None, "a process ended without an answer"
    process.join()
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
