"""What a replay may not do: write outside of its scratch copy, start programs, connect to other machines.

A recorded call may have written a file or sent a request; replayed, it raises instead.
"""

from __future__ import annotations

import os
import sys
from typing import Any

FORBIDDEN = frozenset(
    """
    os.system os.exec os.posix_spawn os.spawn os.startfile subprocess.Popen socket.connect socket.sendto socket.bind
    os.kill os.killpg ftplib.connect smtplib.connect urllib.Request webbrowser.open ctypes.call_function pty.spawn
    """.split()
)
WRITING = frozenset(
    """
    os.remove os.rename os.rmdir os.mkdir os.link os.symlink os.truncate os.chmod os.chown os.utime os.setxattr
    shutil.rmtree shutil.move shutil.copyfile shutil.copymode shutil.copystat shutil.copytree tempfile.mkstemp
    tempfile.mkdtemp
    """.split()
)
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class NotReplayed(PermissionError):
    """A replayed call was about to have an effect outside of the scratch copy."""


class Guard:
    """An audit hook, which nothing can take away again. It is `on` while a call is replayed."""

    def __init__(self, places: tuple[str, ...]) -> None:
        self._places = tuple(os.path.realpath(place) for place in places)
        self.on = False
        self.refused = ""
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event in FORBIDDEN:
            self._refuse(f"calls {event}")
        elif event in WRITING:
            for path in [one for one in arguments[:2] if isinstance(one, (str, bytes, os.PathLike))]:
                self._check(path, event)
        elif event == "open" and len(arguments) == 3 and _writes(arguments[1], arguments[2]):
            self._check(arguments[0], "opens to write")

    def _check(self, path: Any, what: str) -> None:
        if isinstance(path, int):
            return
        self.on = False  # what follows asks the file system
        try:
            real = os.path.realpath(os.fsdecode(path))
        finally:
            self.on = True
        if real != os.devnull and not any(real == one or real.startswith(one + os.sep) for one in self._places):
            self._refuse(f"{what} {real}")

    def _refuse(self, what: str) -> None:
        self.refused = what
        raise NotReplayed(f"a replayed call {what}, which is outside of its scratch copy")


def _writes(mode: Any, flags: Any) -> bool:
    if isinstance(mode, str) and set(mode) & set("wax+"):
        return True
    return isinstance(flags, int) and bool(flags & _WRITE_FLAGS)
