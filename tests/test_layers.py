"""The architecture: levels of modules, two packages that do not know each other, short files, a fast start."""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MIGRATOR = ROOT / "migrator" / "tnp_migrate"
RULES = ROOT / "rules" / "tnp_rules"
HEAVY = {"libcst", "rich", "numpy", "tensorflow", "tnp_rules"}
# A module imports only from lines above its own.
LEVELS = [
    "nodes",
    "source scopes facts values numpy_api kept_names flagged_names limits rulebook processes writing codes.entry",
    "codes.done codes.incompatible codes.input codes.left codes.mutation codes.native codes.performance codes.risks",
    "diagnostics signatures names_table numpy_dtypes numpy_ranks helpers",
    "numpy_results",
    "random_draws names ledger suppressions foreign explain config",
    "index decisions discovery",
    "attributes instances",
    "decorators dispatch frames",
    "traced memory inline rewrite answers copying passes.imports functional.parts functional.paths functional.liveness functional.order functional.uses",
    "functional.displays escapes",
    "writes invocations translations coverage functional.links functional.unit",
    "functional.results functional.splits",
    "functional.pieces functional.steady",
    "expressions effects functional.forms functional.rows functional.layout functional.loops functional.extents functional.kinds",
    "arrays islands functional.texts functional.views functional.running functional.whole_loops",
    "functional.origins functional.call_forms",
    "needs sites functional.calls functional.sole functional.bodies",
    "functional.places functional.sharing",
    "functional.settling passes.evidence passes.promotion functional.holders",
    "functional.bindings",
    "functional.outer",
    "functional.ordering",
    "functional.lines",
    "functional.unfold functional.freshness",
    "functional.keeping",
    "passes.arguments passes.operators passes.boundaries passes.conversions passes.identity passes.iteration passes.keeping passes.neighbours passes.sources passes.texts passes.types functional.evaluation",
    "functional.targets",
    "passes.calls passes.draws functional.element_loops",
    "passes.methods functional.turns",
    "functional.flow",
    "passes.idioms functional.assembly functional.callers",
    "functional.conventions",
    "functional.stage",
    "plan functional.sources",
    "reports.summary reports.side_by_side translating",
    "functional.unfolding scripts",
    "functional.run",
    "functional.output",
    "project",
    "reports.text reports.json reports.github reports.gitlab reports.html reports.markdown docs_pages",
    "reports reports.sarif",
    "cli",
    "__main__",
]
LEVEL_OF = {name: level for level, names in enumerate(LEVELS) for name in names.split()}


def modules(folder: Path) -> dict[str, Path]:
    """Modules by dotted name below the package, packages' own `__init__` under the package's name."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        if path.name != "__init__.py" or path.read_text().count("\n") > 1:
            found[name] = path
    return found


def imported(path: Path, package: str) -> set[str]:
    """Every module that a file names in an import, wherever the import stands; own modules without the package."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: imports are absolute"
            if node.module == package:
                found |= {f"{package}.{alias.name}" for alias in node.names}
            else:
                found.add(node.module or "")
    return found


MODULES = {name: path for name, path in modules(MIGRATOR).items() if name}


def test_levels_name_every_module_once() -> None:
    named = [name for names in LEVELS for name in names.split()]
    assert sorted(named) == sorted(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_module_imports_only_from_lower_levels(name: str) -> None:
    own = {one.removeprefix("tnp_migrate.") for one in imported(MODULES[name], "tnp_migrate") if "tnp_migrate." in one}
    upward = {one for one in own & set(LEVEL_OF) if LEVEL_OF[one] >= LEVEL_OF[name]}
    assert not upward


@pytest.mark.parametrize("name", MODULES)
def test_translator_imports_neither_rules_nor_tensorflow(name: str) -> None:
    tops = {one.partition(".")[0] for one in imported(MODULES[name], "tnp_migrate")}
    assert not tops & {"tnp_rules", "tensorflow", "numpy"}


@pytest.mark.parametrize("name", MODULES)
def test_libcst_is_imported_where_it_is_needed(name: str) -> None:
    tree = ast.parse(MODULES[name].read_bytes())
    on_import = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    on_import |= {node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert not {one.partition(".")[0] for one in on_import} & {"libcst", "rich"}


@pytest.mark.parametrize("name", modules(RULES))
def test_rules_do_not_know_the_translator(name: str) -> None:
    tops = {one.partition(".")[0] for one in imported(modules(RULES)[name], "tnp_rules")}
    assert "tnp_migrate" not in tops
    assert tops <= {"tnp_rules", "tensorflow", "numpy", "", "__future__"} | sys.stdlib_module_names


@pytest.mark.parametrize("path", [*modules(MIGRATOR).values(), *modules(RULES).values()], ids=lambda path: path.stem)
def test_file_has_at_most_400_lines(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= 400


def loaded_by(arguments: list[str], folder: Path) -> set[str]:
    program = (
        "import sys\nfrom tnp_migrate.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print('\\n' + ' '.join(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.splitlines()[-1].split()}


def test_version_starts_without_heavy_imports(tmp_path: Path) -> None:
    loaded = loaded_by(["--version"], tmp_path)
    assert "tnp_migrate" in loaded
    assert not loaded & (HEAVY | {"pathspec", "unittest"})


def test_check_runs_without_heavy_imports(tmp_path: Path) -> None:
    source = "import numpy as np\n\n\ndef f(a):\n    a[0] = np.median(a)\n    return np.fft.fft(a)\n"
    (tmp_path / "model.py").write_text(source)
    assert not loaded_by(["check", "."], tmp_path) & HEAVY
    assert (tmp_path / "model.py").read_text() == source
