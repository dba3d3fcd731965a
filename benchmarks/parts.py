"""A part is analysed as the whole: each file of a project, translated alone, against its text of one run over all.

    python benchmarks/parts.py FOLDER...          each folder is a project; it is copied, never touched
    python benchmarks/parts.py --most 20 FOLDER   at most 20 files of each, spread evenly

Prints for each project how many files were compared, how many differ (their names below), and the times of a run over
all and of one over a file.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tool import ENVIRONMENT, TOOL

from tnp_migrate.rewriting.helpers import FILE_NAME


def main() -> None:
    """Compare, print, and end with 1 where a file differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=0, help="files of a project to compare (all)")
    given = parser.parse_args()
    print(f"{'project':<24}{'files':>7}{'differ':>8}{'all, s':>9}{'one, s':>9}")
    wrong = sum(_compare(folder.resolve(), given.most) for folder in given.folders)
    sys.exit(1 if wrong else 0)


def _compare(folder: Path, most: int) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "project"
        shutil.copytree(folder, project, symlinks=True)
        _mark(project)
        taken = _migrate(project, project)
        whole = _sources(project)
        before = _sources(folder)
        names = sorted(before)
        names = names[:: max(1, len(names) // most)] if most else names
        differ, times = [], []
        for name in names:
            times.append(_migrate(project, project, restored=folder, name=name))
            after = _sources(project)
            written = {one for one in after if after[one] != before.get(one)}
            unlike = {one for one in written if after[one] != whole.get(one)}
            strays = {one for one in written - {name} if Path(one).name != FILE_NAME}
            if unlike or strays or after[name] != whole[name]:
                differ.append((name, sorted(unlike | strays)))
        print(f"{folder.name:<24}{len(names):>7}{len(differ):>8}{taken:>9.1f}{statistics.median(times):>9.1f}")
        for name, others in differ:
            print(f"    {name} {others}")
        return len(differ)


def _migrate(project: Path, given: Path, restored: Path | None = None, name: str = "") -> float:
    """Translate in place, after the project was made anew from `restored`. Gives the seconds it took."""
    if restored is not None:
        shutil.rmtree(project)
        shutil.copytree(restored, project, symlinks=True)
        _mark(project)
    start = time.perf_counter()
    command = [*TOOL, "migrate", "--format", "json", "--output", project.parent / "report", given / name]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2) or "internal error" in done.stderr:
        raise SystemExit(f"{given / name}: {done.stderr}")
    return time.perf_counter() - start


def _mark(project: Path) -> None:
    """Make sure that the folder is a project: wheels have no pyproject.toml."""
    if not any((project / mark).exists() for mark in (".git", "pyproject.toml", "setup.cfg", "setup.py")):
        (project / "pyproject.toml").touch()


def _sources(folder: Path) -> dict[str, bytes]:
    found = (one for suffix in ("py", "pyi", "pyw") for one in folder.rglob(f"*.{suffix}"))
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in found if one.is_file()}


if __name__ == "__main__":
    main()
