"""What one process writes: a line for each kept call as soon as it has returned, and its counts at the end."""

from __future__ import annotations

import json
import os
import platform
import sys
import uuid
from pathlib import Path
from typing import Any

import numpy as np

from tnp_migrate.proof.inside import branches
from tnp_migrate.proof.inside.buffers import Buffers
from tnp_migrate.proof.inside.keeping import Watched
from tnp_migrate.proof.inside.settings import Settings

PROCESSES = "processes"


class Writer:
    """Writes `processes/NAME.jsonl` and `processes/NAME.json`. A killed process leaves what it had written."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process = os.getpid()
        folder = Path(settings.folder)
        self.buffers = Buffers(folder)
        (folder / PROCESSES).mkdir(parents=True, exist_ok=True)
        self._name = folder / PROCESSES / f"{self.process}-{uuid.uuid4().hex[:8]}"
        self._calls = 0
        self._text = 0
        self._header_is_written = False

    @property
    def written(self) -> int:
        """Bytes so far."""
        return self._text + self.buffers.written

    def write(self, call: dict[str, Any], dropped: int | None) -> int:
        """Write a call down, and that another one is dropped; the number of the call."""
        lines = [] if self._header_is_written else [self._header()]
        self._header_is_written = True
        lines += [] if dropped is None else [{"dropped": dropped}]
        number = self._calls
        self._calls += 1
        text = "".join(json.dumps(line) + "\n" for line in [*lines, {**call, "number": number}])
        self._text += len(text)
        with self._name.with_suffix(".jsonl").open("a", encoding="utf-8") as file:
            file.write(text)
        return number

    def _header(self) -> dict[str, Any]:
        base = self.settings.base
        inside = [os.path.realpath(place or os.getcwd()) for place in sys.path]  # noqa: PTH109  # as sys.path has it
        return {
            "process": {
                "python": platform.python_version(),
                "numpy": np.__version__,
                "argv": sys.argv[:20],
                "path": [self.settings.relative(one) for one in inside if one == base or one.startswith(base + os.sep)],
            }
        }

    def write_counts(self, functions: list[Watched], over: bool, spent: float) -> None:  # noqa: FBT001
        """Write what is known of all calls."""
        rows = [
            {
                "function": [one.place, one.name, one.role],
                "module": one.module,
                "line": one.line,
                "calls": one.calls,
                "kept": sum(map(len, one.kept.values())) + one.further,
                "branches": [one.branches[1], len(branches.taken(one.branches)), len(one.ran)],
                "seen": one.seen(),
                "kinds": [[repr(kind), count] for kind, count in one.kinds.items()],
                "not_kept": one.not_kept,
            }
            for one in functions
        ]
        document = {**self._header(), "functions": rows, "over": over, "seconds": round(spent, 3)}
        temporary = self._name.with_suffix(".part")
        temporary.write_text(json.dumps(document), encoding="utf-8")
        temporary.replace(self._name.with_suffix(".json"))
