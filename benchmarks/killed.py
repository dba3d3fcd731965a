"""Runs killed at random moments on a repository, and a second run each: the same bytes as one clean run, nothing else.

    python benchmarks/killed.py FOLDER --times 30 [--seed 1]

The folder is copied and committed, never touched. Of the runs half are killed (SIGKILL) at a moment between start and
end, and half within the few milliseconds after the first file appears. The second run is given no option: files that
the first one wrote are no changes of the user.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from tool import ENVIRONMENT, TOOL

from tnp_migrate.rewriting.helpers import FILE_NAME


def main() -> None:
    """Kill, run again, compare, print, and end with 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    draw, ends = random.Random(given.seed), Counter[str]()  # noqa: S311  # moments, no secrets
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "project"
        before = _repository(given.folder, project)
        start = time.perf_counter()
        _wait(_started(project))
        whole = time.perf_counter() - start
        clean = _tree(project)
        for number in range(given.times):
            _restore(project)
            assert _tree(project) == before
            at = draw.uniform(0, whole) if number % 2 else draw.uniform(0, 0.03)
            wrote = _kill(project, at, before, writing=number % 2 == 0)
            _wait(_started(project))
            same = _tree(project) == clean
            ends[f"killed {wrote}; then {'the same' if same else 'OTHER BYTES'}"] += 1
            if not same:
                after = _tree(project)
                names = [one for one in {*after, *clean} if after.get(one) != clean.get(one)]
                print(f"    killed after {at:.3f} of {whole:.3f} s: {sorted(names)[:5]}")
    for end, count in sorted(ends.items()):
        print(f"{count:>4} {end}")
    raise SystemExit(1 if any("OTHER" in end for end in ends) else 0)


def _kill(project: Path, at: float, before: dict[str, bytes], *, writing: bool) -> str:
    """Run, kill after some seconds, of `writing` where that is asked for, and say what was done by then."""
    started = _started(project)
    folders = {(project / name).parent for name in before}
    while writing and started.poll() is None and not any(next(one.glob(".tnp-migrate-*"), None) for one in folders):
        time.sleep(0.0005)
    try:
        started.wait(at)
    except subprocess.TimeoutExpired:
        started.send_signal(signal.SIGKILL)
        started.wait()
    now = _tree(project)
    if started.returncode >= 0:
        return "after its end"
    if now == before:
        return "before the first write"
    changed = sum(now.get(name) != data for name, data in before.items())
    strays = sum(name not in before and not name.endswith(FILE_NAME) for name in now)
    return f"with {'some' if changed else 'no'} files written and {'some' if strays else 'no'} temporary ones"


def _started(project: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*TOOL, "migrate", "."], env=ENVIRONMENT, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def _wait(started: subprocess.Popen[bytes]) -> None:
    _, said = started.communicate()
    if started.returncode not in (0, 1):
        raise SystemExit(f"ended with {started.returncode}: {said.decode()}")


def _repository(folder: Path, project: Path) -> dict[str, bytes]:
    shutil.copytree(folder, project, ignore=shutil.ignore_patterns(".git"))
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=project, check=True)
    return _tree(project)


def _restore(project: Path) -> None:
    subprocess.run(["git", "checkout", "-q", "."], cwd=project, check=True)
    subprocess.run(["git", "clean", "-fdqx"], cwd=project, check=True)


def _tree(project: Path) -> dict[str, bytes]:
    return {
        one.relative_to(project).as_posix(): one.read_bytes()
        for one in project.rglob("*")
        if one.is_file() and ".git" not in one.relative_to(project).parts
    }


if __name__ == "__main__":
    main()
