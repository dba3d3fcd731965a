"""A module of NumPy functions, translated by the command with `--compile` and imported."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from fixture_cases import imported


@contextmanager
def compiled_module(before: ModuleType, work: Path, name: str) -> Iterator[Any]:
    """Translate a module into a folder, under another name, beside a `report`; its files are there meanwhile."""
    shutil.copy(Path(str(before.__file__)), work / f"{name}.py")
    command = [sys.executable, "-m", "tnp_migrate", "migrate", str(work), "--compile", "--output", str(work / "report")]
    subprocess.run(command, check=False, capture_output=True)
    with imported(work, name) as module:
        yield module
