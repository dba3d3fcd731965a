"""What a recording process is told, as it travels through the environment to each process of the user's command."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

VARIABLE = "TNP_MIGRATE_RECORD"
INSTALLED = frozenset({"site-packages", "dist-packages", "node_modules", ".git"})


@dataclass(frozen=True)
class Settings:
    """Where the project is, which of it is recorded, where to, and within which limits.

    `base` is the project's folder, from which paths in a recording count; `roots` the files and folders whose functions
    are recorded. `keep` calls of each function are kept, `budget` is the share of the run's time that keeping them may
    take, `call_bytes` and `call_nodes` are what one call may hold, `total_bytes` what one process may write.
    """

    base: str
    roots: tuple[str, ...]
    folder: str
    keep: int = 8
    budget: float = 0.3
    call_bytes: int = 8 << 20
    call_nodes: int = 5000
    total_bytes: int = 200 << 20

    def environment(self) -> str:
        """The value of the environment variable that carries the settings."""
        return json.dumps(asdict(self))

    def covers(self, path: str) -> bool:
        """Whether functions of a Python file are recorded: it is below a root, and no test."""
        if not path.endswith(".py"):
            return False
        path = os.path.realpath(path)
        for root in self.roots:
            if path == root:
                return True
            if path.startswith(root.rstrip(os.sep) + os.sep):
                return not _is_left_alone(os.path.relpath(path, root), root)
        return False

    def relative(self, path: str) -> str:
        """A path below the project's folder, counted from it, with `/`."""
        return os.path.relpath(os.path.realpath(path), self.base).replace(os.sep, "/")


def from_environment() -> Settings | None:
    """The settings that this process was started with; None where nobody records."""
    text = os.environ.get(VARIABLE)
    if not text:
        return None
    fields = json.loads(text)
    return Settings(**{**fields, "roots": tuple(fields["roots"])})


def _is_left_alone(path: str, root: str) -> bool:
    """Tests, which are what calls the functions, and environments."""
    *folders, name = path.split(os.sep)  # noqa: PTH206  # pathlib is dear to import in each process
    if name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py"):
        return True
    if any(one in INSTALLED or one in ("tests", "test") for one in folders):
        return True
    above = [os.path.join(root, *folders[:depth]) for depth in range(1, len(folders) + 1)]  # noqa: PTH118
    return any(os.path.isfile(os.path.join(one, "pyvenv.cfg")) for one in above)  # noqa: PTH113, PTH118
