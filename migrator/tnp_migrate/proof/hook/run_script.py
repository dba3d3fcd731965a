"""Run a script of the project as `python SCRIPT ARGS` does, with its functions watched: `run_script.py SCRIPT ARGS`."""

from __future__ import annotations

import os
import sys
from types import CodeType


def main() -> tuple[CodeType, dict[str, object]]:
    """Take the place of the script: its arguments, its folder on the path, its file, its code."""
    from tnp_migrate.proof.inside.import_hook import watched_code  # noqa: PLC0415

    del sys.argv[0]
    script = sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.realpath(script))  # noqa: PTH120
    with open(script, "rb") as file:  # noqa: PTH123
        code = watched_code(file.read(), script)
    namespace = sys.modules["__main__"].__dict__
    for name in ("main", "os", "sys", "CodeType", "annotations"):
        namespace.pop(name, None)
    namespace.update(__file__=script, __doc__=None)
    return code, namespace


if __name__ == "__main__":
    exec(*main())  # noqa: S102  # it is what Python does with a script
