"""Find the programs under fixtures/, translate them in a scratch folder, and run both versions in this process."""

import contextlib
import io
import os
import re
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module, invalidate_caches
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from same_results import assert_same

__all__ = [
    "FIXTURES",
    "Outcome",
    "Translation",
    "assert_same",
    "case_id",
    "find_cases",
    "find_traps",
    "outcome",
    "run_case",
    "run_trap",
    "slack_of",
    "translate_again",
    "translate_case",
    "translation",
]

FIXTURES = Path(__file__).parent.parent / "fixtures"
NOT_CASES = {"traps", "mutation", "demo"}
_numbers = count()


@dataclass(frozen=True)
class Translation:
    """What came out for one case: the folder to run it from, its files, its report, the stage it stopped after."""

    source: Path
    out: Path
    files: dict[str, bytes]
    report: str
    stage: str = "backend"
    random: str = "numpy"
    compiled: bool = False

    @property
    def programs(self) -> dict[str, bytes]:
        """The translated files without the vendored helper module, which has tests of its own."""
        return {name: text for name, text in self.files.items() if Path(name).name != "_tnp_helpers.py"}

    @property
    def flagged(self) -> list[str]:
        """Codes of the findings that ask the user to look: 2xx, 3xx and 4xx."""
        return sorted(set(re.findall(r"\bTNP[234]\d\d\b", self.report)))


def slack_of(device: str) -> float:
    """Kernels of a GPU round differently, and split float32 sums differently."""
    return 100.0 if "GPU" in device else 1.0


@dataclass(frozen=True)
class Outcome:
    """What a program did: its result or the exception it ended with, and what it printed."""

    result: Any
    error: Exception | None
    stdout: str


def find_cases() -> list[Path]:
    """Every folder `fixtures/<kind>/<case>` that holds `before.py` or `before/`."""
    folders = (path.parent for path in FIXTURES.glob("*/*/before*") if path.name in {"before", "before.py"})
    return sorted(folder for folder in folders if folder.parent.name not in NOT_CASES)


def find_traps(kind: str = "traps") -> list[Path]:
    """Every program `fixtures/<kind>/<name>.py`."""
    return sorted((FIXTURES / kind).glob("*.py"))


def case_id(path: Path) -> str:
    """Return `kind/case`."""
    return f"{path.parent.name}/{path.stem}"


def stage_of(case_dir: Path) -> str:
    """The stage whose output a case shows: cases under `functional/` stop after that one."""
    return "functional" if case_dir.parent.name == "functional" else "backend"


def random_of(case_dir: Path) -> str:
    """Who draws random numbers in a case: TensorFlow in those under `random_tensorflow/`."""
    return "tensorflow" if case_dir.parent.name == "random_tensorflow" else "numpy"


def is_compiled(case_dir: Path) -> bool:
    """Whether a case is translated with `--compile`: those under `compiled/` are."""
    return case_dir.parent.name == "compiled"


def translate_case(
    case_dir: Path, scratch: Path, stage: str, *, compiled: bool = False
) -> tuple[dict[str, bytes], str]:
    """Translate a copy of the case's program into `scratch/out`; return its files and its text report."""
    program = copy_programs(case_dir, scratch / "source")
    return migrate(program, scratch, stage, random_of(case_dir), compiled=compiled or is_compiled(case_dir))


def translate_again(translated: Translation, scratch: Path) -> dict[str, bytes]:
    """Translate a translation, helper module and all; return its files."""
    shutil.copytree(translated.out, scratch / "source", ignore=shutil.ignore_patterns("__pycache__"))
    return migrate(".", scratch, translated.stage, translated.random, compiled=translated.compiled)[0]


def migrate(
    target: str, scratch: Path, stage: str = "backend", random: str = "numpy", *, compiled: bool = False
) -> tuple[dict[str, bytes], str]:
    """Run the command line on `scratch/source`, inside it, so that reports name `before.py`.

    No configuration of this repository is found there, and the fixtures themselves cannot be touched.
    """
    from click.testing import CliRunner

    from tnp_migrate.cli import main

    source, out, report = scratch / "source", scratch / "out", scratch / "report.txt"
    options = ["--out-dir", str(out), "--format", "text", "--output", str(report), "--jobs", "1", "--stage", stage]
    options += ["--random", random, *(["--compile"] if compiled else [])]
    with working_directory(source):
        result = CliRunner().invoke(main, ["migrate", *options, target])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in {0, 1, 2}, result.output
    assert report.exists(), f"no report was written, exit code {result.exit_code}:\n{result.output}"
    for path in visible_files(source):
        copied = out / path.relative_to(source)
        if not copied.exists():
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copied)
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in visible_files(out)}
    text = report.read_text("utf-8").replace(f"{out}{os.sep}", "").replace(f"{source}{os.sep}", "")
    return files, text


@cache
def translation(case_dir: Path, scratch: Path, stage: str | None = None) -> Translation:
    """Translate once for all tests of a case."""
    stage = stage or stage_of(case_dir)
    files, report = translate_case(case_dir, scratch, stage)
    compiled = is_compiled(case_dir)
    return Translation(scratch / "source", scratch / "out", files, report, stage, random_of(case_dir), compiled)


def copy_programs(case: Path, source: Path) -> str:
    """Copy `before.py`, the content of `before/` or a trap; return the path to translate, seen from the copy."""
    if (case / "before").exists():
        shutil.copytree(case / "before", source, ignore=shutil.ignore_patterns("__pycache__"))
        return "."
    file = case if case.is_file() else case / "before.py"
    source.mkdir(parents=True)
    shutil.copyfile(file, source / file.name)
    return file.name


def visible_files(folder: Path) -> list[Path]:
    """Return the files that belong to a program: no caches and nothing hidden."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(p for p in files if not any(q.startswith((".", "__pycache__")) for q in p.relative_to(folder).parts))


@contextlib.contextmanager
def working_directory(folder: Path) -> Iterator[None]:
    """`contextlib.chdir`, which Python 3.10 lacks."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def own_members() -> Iterator[None]:
    """Take away what helper modules attach to tensors and dtypes, so that no program leans on another's."""
    import tensorflow as tf

    kinds = {kind: dict(vars(kind)) for kind in (tf.Tensor, tf.__internal__.EagerTensor, tf.DType)}
    try:
        yield
    finally:
        for kind, before in kinds.items():
            for name, value in list(vars(kind).items()):
                function = getattr(value, "fget", value)
                if name not in before:
                    delattr(kind, name)  # tables of theirs too, which say that members are there already
                elif value is not before[name] and getattr(function, "__module__", "").endswith("_tnp_helpers"):
                    setattr(kind, name, before[name])


@contextlib.contextmanager
def imported(folder: Path, name: str) -> Iterator[ModuleType]:
    """Import module `name` from `folder` alone, and forget it with everything else that came from there."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        with own_members():
            yield import_module(name)
    finally:
        sys.path.remove(str(folder))
        for module in set(sys.modules) - before:
            file = getattr(sys.modules[module], "__file__", None) or ""
            if file.startswith(str(folder)):
                del sys.modules[module]


def outcome(folder: Path, module: str, call: Callable[[ModuleType], Any]) -> Outcome:
    """Import a program and call it; warnings are the program's own and stay quiet."""
    stdout = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(stdout), unique_name(folder, module) as name:
        warnings.simplefilter("ignore")
        try:
            with imported(folder, name) as program:
                return Outcome(call(program), None, stdout.getvalue())
        except Exception as error:  # noqa: BLE001 - whatever the program raises is its outcome
            return Outcome(None, error, stdout.getvalue())


@contextlib.contextmanager
def unique_name(folder: Path, module: str) -> Iterator[str]:
    """Give a lone program a module name that no other case has, for as long as it runs."""
    path = folder / f"{module}.py"
    if any(p.name == "__init__.py" for p in folder.rglob("__init__.py")) or module == "main":
        yield module
        return
    renamed = path.with_name(f"{module}_{next(_numbers)}.py")
    path.rename(renamed)
    try:
        yield renamed.stem
    finally:
        renamed.rename(path)


def run_case(case_dir: Path, folder: Path) -> Outcome:
    """Give the program in `folder` to the `run` function beside the case."""
    path = case_dir / "run.py"
    namespace: dict[str, Any] = {"__name__": "run"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), namespace)
    return outcome(folder, "before" if (folder / "before.py").exists() else "main", namespace["run"])


def run_trap(trap: Path, folder: Path) -> Outcome:
    """Call the trap's own `run`."""
    return outcome(folder, trap.stem, lambda program: program.run())
