"""Replay the calls of a job in a process of its own: `replay_calls.py JOB`."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    hook = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    sys.path[:] = [place for place in sys.path if os.path.abspath(place) != hook]  # noqa: PTH100
    with open(os.path.join(hook, "sitecustomize.py"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        namespace = {"__name__": "loading", "__file__": file.name}
        exec(compile(file.read(), file.name, "exec"), namespace)  # noqa: S102  # its `load_recorder`, which is needed here
    namespace["load_recorder"](hook)  # type: ignore[operator]
    from tnp_migrate.proof.inside.replaying import main

    main(sys.argv[1])
