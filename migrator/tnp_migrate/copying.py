"""`--out-dir`: a complete, runnable copy of what was given, other files too, with the outputs in their places."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from tnp_migrate.discovery import discover


def copy_project(
    paths: Sequence[Path], exclude: tuple[str, ...], out: Path, outputs: Mapping[Path, bytes]
) -> dict[Path, bytes]:
    """Copy every file and give the outputs by their new paths.

    One folder is copied as it is: `src/a.py` becomes `out/a.py`. Of several paths each keeps its name below `out`.
    """
    moved: dict[Path, bytes] = {}
    remaining = dict(outputs)
    for given in paths:
        if not given.exists():
            continue
        path = Path(os.path.abspath(given))  # noqa: PTH100  # as discovery names it
        base = path if path.is_dir() and len(paths) == 1 else path.parent
        for found in discover([path], (), everything=True):
            target = out / found.location.relative_to(base)
            if out.resolve() in found.location.resolve().parents:
                continue
            data = remaining.pop(found.location, None)
            target.parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                shutil.copy2(found.location, target)
            else:
                shutil.copy2(found.location, target)
                moved[target] = data
        for location, data in list(remaining.items()):  # the helper module, which is new
            if base.resolve() == location.parent.resolve() or base.resolve() in location.resolve().parents:
                moved[out / location.resolve().relative_to(base.resolve())] = remaining.pop(location)
    return moved
