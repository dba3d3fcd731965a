"""Whether code of an island is running: what it draws or asks for there has to be NumPy's."""

from __future__ import annotations

import threading


class IslandTime(threading.local):
    """A `with` block is time spent on NumPy; it counts how deeply such blocks are nested in this thread."""

    depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *error: object) -> None:
        self.depth -= 1


island_time = IslandTime()
