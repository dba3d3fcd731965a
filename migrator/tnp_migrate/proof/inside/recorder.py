"""The recorder: stands around each function of the project in the user's process, and writes down some of its calls.

It must not change what the program does: what goes wrong in here is a reason why a call is not kept, never an error.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any

from tnp_migrate.proof.inside import branches
from tnp_migrate.proof.inside.keeping import Choice, Watched
from tnp_migrate.proof.inside.kinds import kind_of_call
from tnp_migrate.proof.inside.settings import Settings

_UNKEPT_ROLES = (
    (inspect.CO_COROUTINE, "a coroutine, which is counted only"),
    (inspect.CO_ASYNC_GENERATOR, "an asynchronous generator, which is counted only"),
)
_SELDOM = 20  # times what writing the counts takes: so long they are not written again
_LATE = "the share of the run's time that recording may take was used up (--budget)"


class Recorder:
    """The recorder of one process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.choice = Choice(settings.keep, settings.budget, settings.total_bytes)
        self.functions: dict[tuple[str, str, str], Watched] = {}
        self.writer: Any = None
        self._inside = threading.local()
        self._lock = threading.Lock()
        self._next_flush = 0.0

    def watch(
        self, file: str, module: str, name: str, line: int, role: str, own: tuple[int, int]
    ) -> Callable[[Any], Any]:
        """The decorator of one function."""
        place = self.settings.relative(file)
        module = f"@{place}" if module in ("__main__", "__mp_main__") else module
        watched = Watched(place, module, name, line, role, own)
        watched = self.functions.setdefault((place, name, role), watched)

        def decorate(function: Any) -> Any:
            if role == "compiled":
                watched.not_kept["compiled by a library that must see the function itself"] = 1
                return function
            if not isinstance(function, types.FunctionType):
                return function
            code = function.__code__
            watched.positional, flags = code.co_varnames[: code.co_argcount], code.co_flags
            reason = next((text for flag, text in _UNKEPT_ROLES if flags & flag), "")
            return self._counting(function, watched, reason) if reason else self._watching(function, watched)

        return decorate

    @staticmethod
    def _counting(function: Any, watched: Watched, reason: str) -> Any:
        @functools.wraps(function)
        def counted(*args: Any, **kwargs: Any) -> Any:
            watched.calls += 1
            watched.not_kept[reason] = watched.not_kept.get(reason, 0) + 1
            return function(*args, **kwargs)

        if inspect.iscoroutinefunction(function):
            return _marked_as_coroutine(counted)
        return _seen_through(counted, function)

    def _watching(self, function: Any, watched: Watched) -> Any:
        begin, end = self._begin, self._end

        @functools.wraps(function)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            watched.calls += 1
            call = begin(watched, function, args, kwargs) if watched.is_looked_at() else None
            if call is None:
                return function(*args, **kwargs)
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                end(call, None, error)
                raise
            end(call, result, None)
            return result

        return _seen_through(recorded, function)

    def _begin(self, watched: Watched, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call as it begins, to be finished; None where it is not kept."""
        if getattr(self._inside, "busy", False):
            return None  # the recorder itself asks an object of the project
        self._inside.busy = True
        began = time.thread_time()
        kind: Any = ()
        try:
            kind = kind_of_call(args, kwargs)
            number = watched.count(kind)
            wanted = self.choice.wants(watched, kind, number)
            if not wanted and not self.choice.may_run_news(watched, kind, number):
                return None
            if not self.choice.has_time(watched):
                watched.not_kept[_LATE] = watched.not_kept.get(_LATE, 0) + 1
                return None
            begun_call = _begun_call()
            began = time.thread_time()  # without what it takes to import NumPy
            return begun_call(self._open(), watched, kind, function, args, kwargs, wanted)
        except Exception as error:  # noqa: BLE001  # the program goes on whatever its objects answer
            watched.refuse(kind, _reason(error))
            return None
        finally:
            self._spend(watched, began)
            self._inside.busy = False

    def _end(self, call: Any, result: Any, error: BaseException | None) -> None:
        self._inside.busy = True
        began = time.thread_time()
        watched: Watched = call.watched
        try:
            ran = branches.end(watched.branches, call.before)
            if not call.wanted and ran <= watched.ran:
                watched.in_vain += watched.spent + time.thread_time() - began - call.spent_before
                return
            text = {**call.finish(result, error), "branches": sorted(ran)}
            with self._lock:
                self._keep(watched, call, text, ran)
                self._flush_seldom()
        except Exception as problem:  # noqa: BLE001
            watched.refuse(call.kind, _reason(problem))
        finally:
            self._spend(watched, began)
            self._inside.busy = False

    def _keep(self, watched: Watched, call: Any, text: dict[str, Any], ran: frozenset[int]) -> None:
        """Write a call down where there is room for it."""
        fits, dropped = self.choice.room_for(watched, call.kind) if call.wanted else (True, None)
        if not fits and ran <= watched.ran:
            return
        before = self.writer.written
        number = self.writer.write(text, dropped)
        if call.wanted and fits:
            watched.kept.setdefault(call.kind, []).append(number)
        else:
            watched.further += 1
        watched.runs[number] = ran
        if dropped is not None:
            watched.runs.pop(dropped, None)
        watched.written += self.writer.written - before
        self.choice.over = self.writer.written > self.choice.total_bytes

    def _flush_seldom(self) -> None:
        """Write the counts once in a while: a program that is killed leaves those of shortly before."""
        began = time.monotonic()
        if began >= self._next_flush:
            with contextlib.suppress(RuntimeError):  # another thread counts meanwhile
                self.flush()
            now = time.monotonic()
            self._next_flush = now + _SELDOM * (now - began)

    def _spend(self, watched: Watched, began: float) -> None:
        took = time.thread_time() - began
        watched.spent += took
        self.choice.spent += took

    def _open(self) -> Any:
        """The writer of this process; a process that was forked opens its own."""
        if self.writer is None or self.writer.process != os.getpid():
            from tnp_migrate.proof.inside.writing import Writer  # noqa: PLC0415  # needs NumPy, which is dear

            self.writer = Writer(self.settings)
        return self.writer

    def forked(self) -> None:
        """Begin anew in a forked process: what was counted before the fork is the parent's."""
        self.writer = None
        self._inside = threading.local()
        self._lock = threading.Lock()
        self._next_flush = 0.0
        self.choice = Choice(self.settings.keep, self.settings.budget, self.settings.total_bytes)
        for watched in self.functions.values():
            watched.calls, watched.spent, watched.quiet = 0, 0.0, 0
            watched.further = watched.wakes = watched.written = watched.in_vain = 0
            watched.runs.clear()
            for counts in (watched.kinds, watched.tests, watched.kept, watched.failures, watched.not_kept):
                counts.clear()

    def flush(self) -> None:
        """Write what is known of all calls of this process; nothing where none of its functions was called."""
        if not any(watched.calls or watched.not_kept for watched in self.functions.values()):
            return
        try:
            self._open().write_counts(list(self.functions.values()), self.choice.over, self.choice.spent)
        except (OSError, ImportError) as error:  # a Python without NumPy has nothing to record
            sys.stderr.write(f"tnp-migrate record: {error}; the calls of process {os.getpid()} are not all counted\n")


@functools.cache
def _begun_call() -> Any:
    from tnp_migrate.proof.inside.calls import BegunCall  # noqa: PLC0415  # needs NumPy, which is dear

    return BegunCall


def _seen_through(wrapper: Any, function: Any) -> Any:
    """Have those see the function who ask a wrapper for its arguments without unwrapping it, and Numba compile it."""
    wrapper.__signature__ = inspect.signature(function)
    wrapper.__defaults__, wrapper.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    wrapper.__numba__ = "__wrapped__"
    return wrapper


def _marked_as_coroutine(function: Any) -> Any:
    mark = getattr(inspect, "markcoroutinefunction", None)  # Python 3.12
    return function if mark is None else mark(function)


def _reason(error: BaseException) -> str:
    """Why a call is not kept: our own reasons as they are, a failure of the recorder named as one."""
    if type(error).__name__ == "NotKept":
        return str(error)
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return f"the recorder failed: {type(error).__name__}: {error}"[:200]
