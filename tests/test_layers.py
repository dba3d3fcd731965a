"""The architecture: rooms of modules, two packages that do not know each other, short files, a fast start."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from room_graph import MIGRATOR, MODULES, PAGE, ROOMS, ROOT, imported, modules, own_imports, room_of, with_generated

RULES = ROOT / "rules" / "tnp_rules"
INSIDE = "proof.inside"  # runs in the user's processes, where NumPy is
HEAVY = {"libcst", "rich", "numpy", "tensorflow", "tnp_rules"}
# Imports against the order of the rooms, or round in one, as (module, what it imports): why, and what will end it.
EXCEPTIONS: dict[tuple[str, str], str] = {}


def reached_from(name: str) -> set[str]:
    """The modules that a module imports, and those that they import."""
    found: set[str] = set()
    pending = [name]
    while pending:
        new = own_imports(pending.pop()) - found
        found |= new
        pending += new
    return found


def test_modules_stand_in_rooms_that_have_a_door() -> None:
    rooms = {room_of(name) for name in MODULES}
    assert rooms <= set(ROOMS)
    without = {room for room in rooms if not (ast.get_docstring(ast.parse(MODULES[room].read_bytes())) or "").strip()}
    assert not without


@pytest.mark.parametrize("name", MODULES)
def test_module_imports_only_from_rooms_above_its_own(name: str) -> None:
    own = ROOMS.index(room_of(name))
    upward = {(name, other) for other in own_imports(name) if ROOMS.index(room_of(other)) > own}
    assert upward <= set(EXCEPTIONS)


def test_imports_have_no_cycles_inside_a_room() -> None:
    files = {name for name, path in MODULES.items() if path.name != "__init__.py"}  # a door stands before its room
    below = {name: {other for other in own_imports(name) & files if (name, other) not in EXCEPTIONS} for name in files}
    tuple(TopologicalSorter(below).static_order())  # raises CycleError, which names the modules


def test_exceptions_are_still_needed() -> None:
    for name, other in EXCEPTIONS:
        assert other in own_imports(name)
        assert ROOMS.index(room_of(other)) > ROOMS.index(room_of(name)) or name in reached_from(other)


def test_page_of_the_architecture_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_generated(page), "run: python tests/room_graph.py"


def test_page_of_the_architecture_names_files_that_exist() -> None:
    named = re.findall(r"`([\w/]+\.py|[\w/]+/)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 20
    places = (MIGRATOR, ROOT, ROOT / "migrator")
    missing = [name for name in named if not any((place / name).exists() for place in places)]
    assert not missing


@pytest.mark.parametrize("name", MODULES)
def test_translator_imports_neither_rules_nor_tensorflow(name: str) -> None:
    tops = {one.partition(".")[0] for one in imported(MODULES[name], "tnp_migrate")}
    assert not tops & {"tnp_rules", "tensorflow", *(() if name.startswith(INSIDE) else ("numpy",))}


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith(INSIDE)])
def test_what_runs_in_the_users_process_knows_nothing_of_the_translator(name: str) -> None:
    assert {other for other in own_imports(name) if not other.startswith(INSIDE)} <= {"proof"}


def test_translator_takes_from_inside_only_what_does_without_numpy() -> None:
    inside = {name for name in MODULES if name.startswith(INSIDE)}
    needing = {name for name in inside if "numpy" in imported(MODULES[name], "")}
    taken = {other for name in MODULES if not name.startswith((INSIDE, "proof.hook")) for other in own_imports(name)}
    assert needing
    assert not taken & needing


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
    """The modules that a run of the command imports."""
    program = (
        "import sys\nfrom tnp_migrate.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print('\\n' + ' '.join(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())


def tops_of(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def test_version_starts_without_heavy_imports(tmp_path: Path) -> None:
    loaded = tops_of(loaded_by(["--version"], tmp_path))
    assert "tnp_migrate" in loaded
    assert not loaded & (HEAVY | {"pathspec", "unittest"})


def test_check_runs_without_heavy_imports(tmp_path: Path) -> None:
    source = "import numpy as np\n\n\ndef f(a):\n    a[0] = np.median(a)\n    return np.fft.fft(a)\n"
    (tmp_path / "model.py").write_text(source)
    loaded = loaded_by(["check", "."], tmp_path)
    assert not tops_of(loaded) & HEAVY
    assert "tnp_migrate.functional.stage" in loaded
    assert (tmp_path / "model.py").read_text() == source


def test_check_of_what_names_no_array_imports_no_analysis(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def f(a):\n    return sorted(a)\n")
    loaded = loaded_by(["check", "."], tmp_path)
    rooms = {name.split(".")[1] for name in loaded if name.startswith("tnp_migrate.")}
    assert "project" in rooms
    assert not rooms & {"analysis", "functional", "islands", "backend", "ir", "cache", "proof"}
    assert not loaded & {"tnp_migrate.program.index", "tnp_migrate.numpy_facts.rulebook", "tnp_migrate.text.cells"}
    assert not loaded & {"shutil", "subprocess", "tempfile"}  # each imports many others
