"""The user's own command on the translated copy: what passed on the original and fails there, and where."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.proof.functions import functions_of
from tnp_migrate.proof.processes import end_with_children
from tnp_migrate.proof.verdicts import CommandRun

_PLACE = re.compile(r"^(?:E\s+)?(?:File \")?(?P<file>[^\s:\"]+\.py)(?:\", line |:)(?P<line>\d+)", re.MULTILINE)


@dataclass(frozen=True)
class _Ran:
    """One run: exit code (None where it was stopped), of pytest how each test ended, and the files it imported."""

    code: int | None
    tests: Mapping[str, str] | None
    imported: frozenset[str]

    def passed(self) -> set[str]:
        return {name for name, failure in (self.tests or {}).items() if not failure}


def run_on_copies(
    command: Sequence[str],
    base: Path,
    copies: tuple[Path, Path],
    path: Sequence[str],
    covered: Sequence[str],
    limit: float,
) -> CommandRun:
    """Run a command in the copies of the original and of the translation, of which `covered` are the translated files.

    Of pytest the tests are named that passed before and fail now, each with the function that its traceback ends in.
    A command that imports an installed copy instead of these proves nothing, which is said and counts as a failure.
    """
    before, after = (_run(command, base, tree, path, limit) for tree in copies)
    if after.code is None or before.code is None:
        which = "original" if before.code is None else "translation"
        return CommandRun(f"did not end within {limit:.0f} s on the {which}, and was stopped", failed=True)
    used = sorted(after.imported & set(covered))
    if covered and not used:
        what = "it imported none of the translated files (an installed copy? `python -I`? another folder?)"
        return CommandRun(f"proves nothing: {what}; exit code {after.code}", failed=True)
    files = f"{len(used)} of {len(covered)} translated files were imported"
    if before.tests is None or after.tests is None:
        text = f"exit code {after.code} on the translation, {before.code} on the original; {files}"
        return CommandRun(text, failed=after.code != 0 and before.code == 0)
    broken = sorted(before.passed() - after.passed())
    text = f"{len(before.passed()) - len(broken)} of {len(before.passed())} tests that passed before pass; {files}"
    return CommandRun(text, tuple(_said(name, after.tests, copies[1], covered) for name in broken), bool(broken))


def _run(command: Sequence[str], base: Path, tree: Path, path: Sequence[str], limit: float) -> _Ran:
    """Run a command in one copy. Which of its files were imported is seen by the byte code that Python leaves."""
    results = tree.parent / f"{tree.name}.xml"
    results.unlink(missing_ok=True)
    inherited = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    moved = [str(tree / Path(one).relative_to(base)) if _is_in(Path(one), base) else one for one in inherited]
    with tempfile.TemporaryDirectory() as codes:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([*(str(tree / one) for one in path), *moved]),
            "PYTHONPYCACHEPREFIX": codes,
            "PYTEST_ADDOPTS": f"{os.environ.get('PYTEST_ADDOPTS', '')} --junitxml={results}".strip(),
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        code = _ended(command, tree, environment, limit)
        own = Path(codes) / os.path.realpath(tree).lstrip(os.sep)
        imported = {_source_of(one.relative_to(own)) for one in own.rglob("*.pyc")}
    run_itself = {place for word in command for root in ("", *path) for place in _places(root, word)}
    return _Ran(code, _tests(results) if results.is_file() else None, frozenset(imported | run_itself))


def _source_of(code: Path) -> str:
    """`pk/core.cpython-311.pyc` -> `pk/core.py`."""
    return (code.parent / f"{code.name.partition('.')[0]}.py").as_posix()


def _places(root: str, word: str) -> Iterator[str]:
    """What a word of a command may be: a script, or a module that is run with `-m`; these leave no byte code."""
    yield os.path.normpath(os.path.join(root, word)).replace(os.sep, "/")  # noqa: PTH118  # as text, whatever it is
    module = os.path.join(root, *word.split("."))  # noqa: PTH118
    yield from (os.path.normpath(one).replace(os.sep, "/") for one in (f"{module}.py", f"{module}/__main__.py"))


def _is_in(place: Path, base: Path) -> bool:
    return place == base or base in place.parents


def _ended(command: Sequence[str], tree: Path, environment: Mapping[str, str], limit: float) -> int | None:
    """The exit code of a command, as a shell has it; None where it had to be stopped."""
    try:
        process = subprocess.Popen(  # noqa: S603  # it is what the user asks for
            command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    except OSError:
        return 127
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end_with_children(process)


def _tests(results: Path) -> dict[str, str]:
    """The tests that pytest has run, each with what it said of its failure; nothing of one that passed."""
    found = {}
    for case in ET.parse(results).getroot().iter("testcase"):  # noqa: S314  # pytest has just written it
        bad = next((one for tag in ("failure", "error", "skipped") if (one := case.find(tag)) is not None), None)
        name = f"{case.get('classname')}::{case.get('name')}"
        found[name] = "" if bad is None else f"{bad.get('message')}\n{bad.text or ''}"
    return found


def _said(name: str, tests: Mapping[str, str], tree: Path, covered: Sequence[str]) -> str:
    """A test that fails now, where in the translation, and how."""
    if name not in tests:
        return f"{name}: not collected any more"
    text = tests[name]
    places = [(_in_tree(one["file"], tree), int(one["line"])) for one in _PLACE.finditer(text)]
    own = [(file, line) for file, line in places if file in covered]
    message = " ".join(text.split("\n", 1)[0].split())[:200]
    if not own:
        return f"{name}: {message}"
    file, line = own[-1]
    functions = [one for one in functions_of(tree, [tree / file]) if one.first <= line <= one.last]
    at_fault = f"`{functions[-1].key[1]}` ({file}, line {line} of the translation)" if functions else f"{file}:{line}"
    return f"{name}: in {at_fault}: {message}"


def _in_tree(file: str, tree: Path) -> str:
    place = Path(os.path.normpath(tree / file))
    return place.relative_to(tree).as_posix() if tree in place.parents else file
