"""What runs with the same inputs find is looked up: the same bytes, and never those of other inputs."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result
from notebook_files import notebook

from tnp_migrate import rounds
from tnp_migrate.cache import kept, keys, store
from tnp_migrate.cache.results import Results, pack, unpack
from tnp_migrate.cli import main
from tnp_migrate.diagnostics.findings import Finding, InCell
from tnp_migrate.diagnostics.ledger import FileReport, Ledger
from tnp_migrate.rewriting.files import Translated

LIB = "import numpy as np\n\n\ndef normalize(x):\n    x -= np.mean(x)\n"
USE = (
    "import numpy as np\nfrom lib import normalize\n\n\ndef f():\n    x = np.ones(3)\n    normalize(x)\n    return x\n"
)
DEEP = f"import numpy as np\nx = {'-' * 900}np.ones(3)\n"
RULE = """\
from tnp_rules.forms import helper


@helper("geometry.turn")
def turn(x):
    \"\"\"It turns.\"\"\"
    return -x
"""
FILES = {
    "pyproject.toml": '[tool.tnp-migrate]\nrules = ["own.py.txt"]\n',
    "own.py.txt": RULE,
    "lib.py": LIB,
    "use.py": USE,
    "deep.py": DEEP,
    "broken.py": "import numpy as np\ndef f(:\n",
    "sub/__init__.py": "",
    "sub/mean.py": "import numpy as np\n\n\ndef mean(x):\n    return np.median(x)\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "book.ipynb").write_bytes(
        notebook("import numpy as np\n%time x = np.zeros(3)\n", "x[0] = 1\nnp.nan_to_num(x)\n")
    )
    monkeypatch.setattr(kept, "WORTH", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def analyses(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """An item for each time that a project is analysed."""
    done: list[Any] = []
    work_out = rounds.work_out

    def counted(*arguments: Any, **named: Any) -> Any:
        done.append(arguments)
        return work_out(*arguments, **named)

    monkeypatch.setattr(rounds, "work_out", counted)
    return done


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, [*arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def entries(project: Path) -> list[Path]:
    return sorted((project.parent / "cache" / "tnp-migrate" / "runs").iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "."],
        ["check", "use.py"],
        ["check", ".", "--format", "json"],
        ["migrate", ".", "--diff"],
        ["migrate", "lib.py", "--diff"],
        ["migrate", ".", "--check", "--compile"],
        ["migrate", ".", "--diff", "--stage", "functional"],
    ],
    ids=" ".join,
)
def test_second_run_says_the_same_without_an_analysis(project: Path, analyses: list[Any], arguments: list[str]) -> None:
    without = run(*arguments, "--no-cache")
    assert not (project.parent / "cache" / "tnp-migrate" / "runs").exists()
    first = run(*arguments)
    assert len(analyses) == 2
    second = run(*arguments)
    assert len(analyses) == 2
    assert (without.output, without.exit_code) == (first.output, first.exit_code) == (second.output, second.exit_code)
    if "." in arguments:  # what no file could be made of is kept, too
        assert "broken.py" in second.output
        assert "deep.py" in second.output


def test_second_run_writes_the_same(project: Path, analyses: list[Any]) -> None:
    trees = []
    for number, options in enumerate((["--no-cache"], [], [])):
        out = project.parent / f"out{number}"
        run("migrate", ".", "--out-dir", str(out), *options)
        files = (path for path in out.rglob("*") if path.is_file())
        trees.append({path.relative_to(out).as_posix(): path.read_bytes() for path in files})
    assert len(analyses) == 2
    assert trees[0] == trees[1] == trees[2]
    assert b"tnh.index_update" in trees[2]["book.ipynb"]
    assert "_tnp_helpers.py" in trees[2]


def test_check_of_other_files_of_the_project_is_a_hit(project: Path, analyses: list[Any]) -> None:
    """As pre-commit gives now these and now those."""
    alone = [run("check", name, "--no-cache").output for name in ("use.py", "lib.py", "book.ipynb")]
    analyses.clear()
    assert [run("check", name).output for name in ("use.py", "lib.py", "book.ipynb")] == alone
    assert len(analyses) == 1


def test_migration_of_other_files_is_none(project: Path, analyses: list[Any]) -> None:
    for name in ("use.py", "lib.py"):
        without = run("migrate", name, "--diff", "--no-cache").output
        assert run("migrate", name, "--diff").output == without
    assert len(analyses) == 4


def _touch(name: str, text: str) -> Callable[[Path], None]:
    def change(project: Path) -> None:
        (project / name).write_text(
            (project / name).read_text().replace(*text.split(" -> ")) if " -> " in text else text
        )

    return change


CHANGES: dict[str, Callable[[Path], None]] = {
    "the file": _touch("use.py", "ones -> zeros"),
    "a file that is analysed with it": _touch("lib.py", "x -= -> y = x -"),
    "a comment": _touch("lib.py", "import numpy as np -> import numpy as np  # tnp: ignore[TNP310]"),
    "a notebook": lambda project: (project / "book.ipynb").write_bytes(notebook("import numpy as np\n")) and None,
    "a new file": _touch("more.py", "import numpy as np\n"),
    "a file less": lambda project: (project / "lib.py").unlink(),
    "a package less": lambda project: (project / "sub/__init__.py").unlink(),
    "a setting": _touch("pyproject.toml", '[tool.tnp-migrate]\nrandom = "tensorflow"\n'),
    "a rule of the user": _touch("own.py.txt", "-x -> +x"),
}


@pytest.mark.parametrize("command", ["check", "migrate"])
@pytest.mark.parametrize("change", CHANGES)
def test_changed_input_is_a_miss(project: Path, analyses: list[Any], change: str, command: str) -> None:
    options = [command, "use.py", *(["--diff"] if command == "migrate" else [])]
    run(*options)
    CHANGES[change](project)
    found = run(*options)
    assert len(analyses) == 2, "the entry of other inputs was taken"
    assert found.output == run(*options, "--no-cache").output


@pytest.mark.parametrize(
    "option",
    [["--compile"], ["--random", "tensorflow"], ["--no-tensor-methods"], ["--numpy", "2.0"], ["--select", "TNP3"]],
)
def test_other_option_is_a_miss(project: Path, analyses: list[Any], option: list[str]) -> None:
    run("check", ".")
    run("check", ".", *option)
    assert len(analyses) == 2


def test_jobs_are_no_input(project: Path, analyses: list[Any]) -> None:
    run("check", ".")
    run("check", ".", "--jobs", "2")
    assert len(analyses) == 1


@pytest.mark.parametrize("what", ["rule", "tool", "python"])
def test_other_tool_is_a_miss(
    project: Path, analyses: list[Any], what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another byte in a rule, or in the tool, makes another tool."""
    run("check", ".")
    if what == "python":
        monkeypatch.setattr(keys.platform, "python_version", lambda: "3.99.0")
    else:
        for name, root in (("rule", keys.rules_folder()), ("tool", Path(keys.__file__).parent.parent)):
            shutil.copytree(root, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        monkeypatch.setattr(keys, "rules_folder", lambda: tmp_path / "rule")
        monkeypatch.setattr(keys, "__file__", str(tmp_path / "tool" / "cache" / "keys.py"))
        keys._tool.cache_clear()
        run("check", ".")
        assert len(analyses) == 1, "the same bytes in another place are the same tool"
        keys._tool.cache_clear()
        changed = tmp_path / {"rule": "rule/quantiles.py", "tool": "tool/numpy_facts/traits.py"}[what]
        changed.write_text(changed.read_text() + "\n")
    run("check", ".")
    keys._tool.cache_clear()
    assert len(analyses) == 2


def _entry(tree: bytes) -> bytes:
    packed = zlib.compress(tree)
    return hashlib.sha256(packed).digest() + packed


FOREIGN: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda data: b"",
    "cut off": lambda data: data[:-1],
    "one bit": lambda data: data[:50] + bytes([data[50] ^ 1]) + data[51:],
    "a pickle": lambda data: pickle.dumps({"made": [os.getcwd]}),
    "no JSON": lambda data: _entry(b"{"),
    "another tree": lambda data: _entry(b'{"made": 3}'),
    "a text that nobody has": lambda data: _entry(
        b'{"made": [["x", [["x", "unchanged", [0,0,0,0,0,0,0,0], [], [], "0", "0"], null, null, null]]],'
        b' "failed": [], "neighbours": [], "texts": {}}'
    ),
    "cut off inside": lambda data: _entry(data)[:32] + zlib.compress(b"{}")[:-3],
}


@pytest.mark.parametrize("foreign", FOREIGN)
def test_entry_that_is_none_is_ignored(project: Path, analyses: list[Any], foreign: str) -> None:
    first = run("check", ".")
    (entry,) = entries(project)
    entry.write_bytes(FOREIGN[foreign](entry.read_bytes()))
    assert run("check", ".").output == first.output
    assert len(analyses) == 2
    assert run("check", ".").output == first.output
    assert len(analyses) == 2, "the entry was written anew"


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_entry_that_is_no_file_is_ignored(project: Path, analyses: list[Any], kind: str) -> None:
    run("check", ".")
    (entry,) = entries(project)
    if kind == "folder":
        entry.unlink()
        entry.mkdir()
    else:
        entry.rename(project.parent / "elsewhere")
        entry.symlink_to(project.parent / "elsewhere")
    run("check", ".")
    assert len(analyses) == 2


def test_folder_that_cannot_be_written_costs_nothing_but_time(
    project: Path, analyses: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.parent / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.parent / "file"))
    assert run("check", ".").output == run("check", ".").output
    assert len(analyses) == 2


def test_oldest_entries_go(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_ENTRIES", 3)
    for number in range(5):
        store.write(f"{number}", b"x" * 10)
        os.utime(store._folder() / f"{number}", (number, number))
        store.read("0")  # which is asked for all the time
    assert [path.name for path in entries(project)] == ["0", "3", "4"]
    monkeypatch.setattr(store, "MOST_BYTES", 25)
    store.write("5", b"x" * 10)
    store.write("large", b"x" * 20)
    assert sum(path.stat().st_size for path in entries(project)) <= 25
    assert store.read("large") is None


def test_runs_at_the_same_time_read_whole_entries_or_none(project: Path) -> None:
    results = Results({}, (FileReport("a.py", "error", Ledger(), (), (), b"x" * 100_000, b"y"),))
    data = pack(results, {})
    wrong: list[object] = []

    def work() -> None:
        for _ in range(8):
            store.write("key", data)
            found = store.read("key")
            try:
                if found is not None and unpack(found, {}) != results:
                    wrong.append(found)
            except ValueError:
                pass  # another run has renamed what a third one was still writing: a miss

    threads = [Thread(target=work) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong
    assert unpack(store.read("key") or data, {}) == results


def test_results_are_read_as_they_were() -> None:
    findings = (
        Finding("TNP203", "ä.py", 1, 2, 3, 4, "mess\udce4ge", "f", suppressed=""),
        Finding("TNP310", "b.ipynb", 1, 2, 3, 4, "m", in_cell=InCell(3, (1, 2, 3, 4), (5, 6, 7, 8))),
    )
    report = FileReport("ä.py", "translated", Ledger(3, 1, 2), findings, ("f", "C.g"), b"before\xff", b"after")
    made = {
        Path("/x/ä.py"): Translated(report, frozenset({"median", "island"}), (b"a", b"b"), b"form"),
        Path("/x/b.py"): Translated(FileReport("b.py", "unchanged", Ledger(), ())),
    }
    results = Results(made, (report,), {Path("/x/b.py"): findings[0]})
    known = {hashlib.sha256(text).hexdigest(): text for text in (b"before\xff", b"a")}
    assert unpack(pack(results, known), known) == results
    with pytest.raises(ValueError, match="no results"):
        unpack(pack(results, known), {})


def test_small_projects_are_analysed_at_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "WORTH", 1_000)
    run("check", ".")
    assert not (project.parent / "cache" / "tnp-migrate" / "runs").exists()
