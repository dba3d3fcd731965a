"""The process that looks at a whole project for the server, which ends it when an edit has made its work vain.

`python -m tnp_migrate.server.project_run` reads a pickled job from standard input and writes a pickled answer; both
ends are this package's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tnp_migrate.program.config import ConfigError
from tnp_migrate.server.answers import Answer, answer_whole

Answers = tuple[dict[Path, Answer], dict[Path, Answer]]


class ProjectFailed(Exception):
    """The project could not be looked at: wrong settings, or a process that ended without an answer."""


async def look_at_project(roots: Sequence[Path], texts: Mapping[Path, str]) -> Answers:
    """Ask a process of its own. When the task that waits is cancelled, the process is ended."""
    pipe = asyncio.subprocess.PIPE
    command = [sys.executable, "-m", "tnp_migrate.server.project_run"]
    process = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, cwd=roots[0], env=_environment()
    )
    try:
        answer, _ = await process.communicate(pickle.dumps((list(roots), dict(texts))))
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if not answer:
        raise ProjectFailed("the process that looks at the project ended without an answer")
    made = pickle.loads(answer)  # noqa: S301  # from our own process
    if isinstance(made, str):
        raise ProjectFailed(made)
    found: Answers = made
    return found


def _environment() -> dict[str, str]:
    """The environment, with the modules where this process has found them."""
    return dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))


def main() -> None:
    """Do one job."""
    gc.disable()  # syntax trees hold no cycles
    roots, texts = pickle.load(sys.stdin.buffer)  # noqa: S301  # from our own process
    try:
        made: Answers | str = answer_whole(roots, texts)
    except ConfigError as error:
        made = str(error)
    sys.stdout.buffer.write(pickle.dumps(made))


if __name__ == "__main__":
    main()
