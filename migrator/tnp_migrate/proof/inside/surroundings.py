"""What calls leave behind in a replaying process: put back where that can be done, told where it cannot."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import numpy as np

MEMORY = 6 << 20  # kilobytes that a process may have held
FILES = 256  # that are open
THREADS = 64


class Surroundings:
    """The folder and the settings that calls find, as they are when this is made."""

    def __init__(self) -> None:
        self._folder = Path.cwd()
        self._errors = np.geterr()

    def restore(self) -> None:
        """Put back what a call may have set for all that come after it."""
        os.chdir(self._folder)
        np.seterr(**self._errors)

    @staticmethod
    def are_used_up() -> bool:
        """Whether calls have left so much open or held that another process had better go on."""
        return _held() > MEMORY or _open_files() > FILES or threading.active_count() > THREADS


def _open_files() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # after each call, so as cheap as can be
    except OSError:
        return 0


def _held() -> int:
    """The most memory that this process has held, in kilobytes."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak
