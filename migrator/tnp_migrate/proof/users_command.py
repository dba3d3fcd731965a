"""The user's own command on the translated copy: what passed on the original and fails there."""

from __future__ import annotations

import os
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

from tnp_migrate.proof.verify import Trees

SHOWN = 20


def run_on_copies(command: Sequence[str], base: Path, trees: Trees, path: Sequence[str]) -> tuple[str, bool]:
    """Run a command in the copy of the original and in that of the translation; what to say, and whether it got worse.

    Of pytest the tests are named that passed before and fail now.
    """
    before, passed_before = _run(command, base, trees.original, path)
    after, passed_after = _run(command, base, trees.translated, path)
    if passed_before is not None and passed_after is not None:
        broken = sorted(passed_before - passed_after)
        more = f" and {len(broken) - SHOWN} more" if len(broken) > SHOWN else ""
        text = f"{len(passed_after & passed_before)} of {len(passed_before)} tests that passed before pass"
        return text + (f"; these fail: {', '.join(broken[:SHOWN])}{more}" if broken else ""), bool(broken)
    return f"exit code {after} on the translation, {before} on the original", after != 0 and before == 0


def _run(command: Sequence[str], base: Path, tree: Path, path: Sequence[str]) -> tuple[int, set[str] | None]:
    """The exit code in one copy, and of pytest the tests that passed."""
    results = tree.parent / f"{tree.name}.xml"
    results.unlink(missing_ok=True)
    inherited = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    moved = [str(tree / Path(one).relative_to(base)) if base in Path(one).parents else one for one in inherited]
    own = [str(tree / one) for one in path]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*own, *moved]),
        "PYTEST_ADDOPTS": f"{os.environ.get('PYTEST_ADDOPTS', '')} --junitxml={results}".strip(),
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False)  # noqa: S603
    except OSError:
        return 127, None
    return done.returncode, _passed(results) if results.is_file() else None


def _passed(results: Path) -> set[str]:
    cases = ET.parse(results).getroot().iter("testcase")  # noqa: S314  # pytest has just written it
    bad = ("failure", "error", "skipped")
    return {f"{one.get('classname')}::{one.get('name')}" for one in cases if all(one.find(tag) is None for tag in bad)}
