"""A part is analysed as the whole: each file alone gets the text that it has in a run over all of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import main
from tnp_migrate.text.discovery import NOTHING, Excluded, discover
from tnp_migrate.text.surroundings import _is_no_project, project_root, surroundings

LIB = "import numpy as np\n\n\ndef normalize(x):\n    x -= np.mean(x)\n"
LIB_RETURNS = "import numpy as np\n\n\ndef normalize(x):\n    x -= np.mean(x)\n    return x\n"
USE = """\
import numpy as np
from {lib} import normalize


def f():
    x = np.ones(3)
    normalize(x)
    return x
"""
MEDIAN = "import numpy as np\n\n\ndef middle(x):\n    return np.median(x)\n"
PLAIN = "SIZE = 3\n"
LAYOUTS = {
    "flat": {".git/HEAD": "", "lib.py": LIB, "use.py": USE.format(lib="lib"), "other.py": MEDIAN},
    "package": {
        "setup.py": "",
        "pkg/__init__.py": "from .lib import normalize\n",
        "pkg/lib.py": LIB_RETURNS,
        "pkg/use.py": USE.format(lib=".lib"),
        "pkg/sub/__init__.py": "",
        "pkg/sub/deep.py": USE.format(lib="..lib"),
        "pkg/plain.py": PLAIN,
    },
    "src and tests": {
        "pyproject.toml": "",
        "src/pkg/__init__.py": "",
        "src/pkg/lib.py": LIB,
        "src/pkg/use.py": USE.format(lib="pkg.lib"),
        "tests/test_lib.py": USE.format(lib="pkg.lib").replace("def f", "def test_f"),
        "tests/conftest.py": MEDIAN,
    },
    "several packages": {
        ".git/HEAD": "",
        "one/setup.cfg": "",
        "one/one/__init__.py": "",
        "one/one/lib.py": LIB,
        "two/setup.cfg": "",
        "two/two/__init__.py": "",
        "two/two/use.py": USE.format(lib="one.lib"),
    },
    "no mark": {"pkg/__init__.py": "", "pkg/lib.py": LIB, "pkg/use.py": USE.format(lib=".lib"), "run.py": MEDIAN},
    "scripts": {"lib.py": LIB, "use.py": USE.format(lib="lib")},
    "stubs": {
        ".git/HEAD": "",
        "lib.py": LIB_RETURNS,
        "lib.pyi": "import numpy as np\n\ndef normalize(x: np.ndarray) -> np.ndarray: ...\n",
        "use.py": USE.format(lib="lib"),
    },
    "same names": {
        ".git/HEAD": "",
        "a/lib.py": LIB,
        "a/use.py": USE.format(lib="lib"),
        "b/lib.py": MEDIAN.replace("middle", "normalize"),
        "b/use.py": USE.format(lib="lib"),
        "c/pkg/__init__.py": "",
        "c/pkg/lib.py": LIB,
        "c/pkg/use.py": USE.format(lib="pkg.lib"),
        "d/pkg/__init__.py": "",
        "d/pkg/lib.py": MEDIAN.replace("middle", "normalize"),
        "d/pkg/use.py": USE.format(lib=".lib"),
        "d/run.py": USE.format(lib="pkg.lib"),
    },
}


def make(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def run(command: str, *arguments: str | Path) -> Result:
    dirty = ["--allow-dirty"] if command == "migrate" else []  # the repositories here hold no commits
    return CliRunner().invoke(main, [command, *dirty, *map(str, arguments)], catch_exceptions=False)


def tree(folder: Path) -> dict[str, str]:
    return {one.relative_to(folder).as_posix(): one.read_text() for one in sorted(folder.rglob("*.py*"))}


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return make(tmp_path / "project", LAYOUTS[request.param])


def whole(layout: Path) -> dict[str, str]:
    """What one run over everything makes of it."""
    copy = shutil.copytree(layout, layout.parent / f"whole {layout.name}")
    run("migrate", copy)
    return tree(copy)


def test_each_file_alone_has_the_text_of_the_whole_run(layout: Path) -> None:
    expected = whole(layout)
    for name in tree(layout):
        copy = shutil.copytree(layout, layout.parent / "alone")
        before = tree(copy)
        run("migrate", copy / name)
        after = tree(copy)
        assert after[name] == expected[name]
        written = {one for one in after if after[one] != before.get(one)}
        assert written <= {name, *(one for one in expected if one.endswith("_tnp_helpers.py"))}
        assert {one: after[one] for one in written} == {one: expected[one] for one in written}
        shutil.rmtree(copy)


def test_files_one_after_the_other_end_as_the_whole_run(layout: Path) -> None:
    expected = whole(layout)
    for name in sorted(tree(layout), reverse=True):
        run("migrate", layout / name)
    assert tree(layout) == expected
    assert "0 translated" in run("migrate", "--check", layout).stdout


def test_namesakes_are_told_apart(tmp_path: Path) -> None:
    after = whole(make(tmp_path / "project", LAYOUTS["same names"]))
    takes = {name for name, text in after.items() if "    x = normalize(x)\n" in text}
    assert takes == {"a/use.py", "c/pkg/use.py"}
    assert {name for name, text in after.items() if "    normalize(x)\n" in text} == {
        "b/use.py",
        "d/pkg/use.py",
        "d/run.py",
    }


def test_stub_files_hide_no_body_and_are_translated_as_types(tmp_path: Path) -> None:
    layout = make(tmp_path / "project", LAYOUTS["stubs"])
    after = whole(layout)
    assert "    x = tnh.in_place(x, x - tnp.mean(x))\n    return x\n" in after["lib.py"]
    assert "    x = normalize(x)\n" in after["use.py"]
    assert after["lib.pyi"] == "import tensorflow as tf\n\ndef normalize(x: tf.Tensor) -> tf.Tensor: ...\n"
    assert "lib.pyi" in run("check", layout / "lib.pyi", "--format", "json").stdout


@pytest.mark.parametrize(
    ("module", "stub"),
    [
        ("lib.py", "import numpy as np\n\ndef total(x: np.ndarray) -> float: ...\n"),
        ("lib/__init__.py", "from numpy.typing import NDArray\n\ndef total(x: NDArray) -> float: ...\n"),
    ],
)
def test_stub_files_give_the_types_that_annotations_give(tmp_path: Path, module: str, stub: str) -> None:
    body = "import numpy as np\n\n\ndef total(x{}):\n    return x.sum() + np.sum(x)\n"
    annotated = whole(make(tmp_path / "annotated", {module: body.format(": np.ndarray")}))[module]
    plain = whole(make(tmp_path / "plain", {module: body.format("")}))[module]
    stubbed = whole(make(tmp_path / "stubbed", {module: body.format(""), f"{module}i": stub}))[module]
    assert "tnp.sum(x) + tnp.sum(x)" in stubbed
    assert "return" + annotated.partition("return")[2] == "return" + stubbed.partition("return")[2]
    assert "x.sum()" in plain


def test_stub_with_several_signatures_gives_no_type(tmp_path: Path) -> None:
    stub = """\
from typing import overload
import numpy as np

@overload
def total(x: np.ndarray) -> float: ...
@overload
def total(x: list[float]) -> float: ...
"""
    body = "import numpy as np\n\n\ndef total(x):\n    return x.sum() + np.sum(x)\n"
    assert "x.sum()" in whole(make(tmp_path / "project", {"lib.py": body, "lib.pyi": stub}))["lib.py"]


def test_stub_of_a_compiled_module_says_nothing_of_what_it_writes_to(tmp_path: Path) -> None:
    files = {"fast.pyi": "import numpy as np\n\ndef normalize(x: np.ndarray) -> None: ...\n"}
    layout = make(tmp_path / "project", files | {"use.py": USE.format(lib="fast")})
    alone = make(tmp_path / "alone", {"use.py": USE.format(lib="fast")})
    assert whole(layout)["use.py"] == whole(alone)["use.py"]


def test_processes_at_once_end_as_the_whole_run(tmp_path: Path) -> None:
    files = LAYOUTS["package"] | {f"pkg/m{number}.py": MEDIAN.replace("middle", f"m{number}") for number in range(9)}
    layout = make(tmp_path / "project", files)
    expected, names = whole(layout), sorted(tree(layout))
    parts = [names[start::3] for start in range(3)]
    command = [sys.executable, "-m", "tnp_migrate", "migrate"]
    started = [subprocess.Popen([*command, *part], cwd=layout, stdout=subprocess.DEVNULL) for part in parts]
    assert {one.wait() for one in started} <= {0, 1}
    assert tree(layout) == expected


def test_file_that_has_to_come_along_is_named(tmp_path: Path) -> None:
    layout = make(tmp_path, LAYOUTS["package"])
    result = run("migrate", layout / "pkg/use.py")
    assert "TNP330 has to be migrated together with " in result.stdout
    assert "pkg/lib.py, which" in result.stdout
    assert result.exit_code == 1
    run("migrate", layout / "pkg/lib.py", layout / "pkg/sub/deep.py")
    assert "TNP330" not in run("migrate", layout / "pkg/use.py").stdout


def test_nothing_is_said_of_files_that_need_no_change_or_are_no_neighbours(tmp_path: Path) -> None:
    layout = make(tmp_path, LAYOUTS["flat"] | {"plain.py": PLAIN})
    assert "TNP330" not in run("migrate", layout / "other.py").stdout
    assert "TNP330" not in run("migrate", layout / "plain.py").stdout
    assert "TNP330" not in run("check", layout / "use.py").stdout
    assert "TNP330" not in run("migrate", layout / "lib.py", layout / "use.py").stdout


def test_others_are_neither_reported_nor_written(tmp_path: Path) -> None:
    layout = make(tmp_path, LAYOUTS["flat"] | {"broken.py": "import numpy as np\nx = (\n", "odd.py": ""})
    (layout / "odd.py").write_bytes("import numpy".encode("utf-16"))
    result = run("check", layout / "other.py")
    assert result.exit_code == 0
    assert "broken" not in result.output
    assert "odd" not in result.output
    assert run("check", layout).exit_code == 2


def test_a_migration_that_was_gone_on_with_by_hand_is_judged_as_it_is(tmp_path: Path) -> None:
    layout = make(tmp_path, LAYOUTS["flat"])
    run("migrate", layout / "lib.py")
    (layout / "lib.py").write_text((layout / "lib.py").read_text() + "MINE = 1\n")
    result = run("migrate", layout / "other.py")
    assert "lib.py was edited after a migration that is not finished" in result.stderr
    assert "MINE = 1" in (layout / "lib.py").read_text()


def roots(tmp_path: Path, name: str, exclude: Excluded = NOTHING) -> Path | None:
    found = project_root(tmp_path / name, exclude)
    return found.relative_to(tmp_path) if found else None


def test_project_is_the_outermost_repository_that_looks_at_the_file(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "pyproject.toml": "",
            "repo/.git/HEAD": "",
            "repo/.gitignore": "ignored/\n",
            "repo/pkg/a.py": "",
            "repo/pkg/setup.py": "",
            "repo/sub/.git": "gitdir: x",
            "repo/sub/b.py": "",
            "repo/ignored/own/.git/HEAD": "",
            "repo/ignored/own/c.py": "",
            "repo/ignored/d.py": "",
            "repo/env/pyvenv.cfg": "",
            "repo/env/e.py": "",
            "repo/vendored/f.py": "",
            "lone/g.py": "",
        },
    )
    assert roots(tmp_path, "repo/pkg/a.py") == Path("repo")
    assert roots(tmp_path, "repo/sub/b.py") == Path("repo")
    assert roots(tmp_path, "repo/ignored/own/c.py") == Path("repo/ignored/own")
    assert roots(tmp_path, "repo/ignored/d.py") is None
    assert roots(tmp_path, "repo/env/e.py") is None
    assert roots(tmp_path, "repo/vendored/f.py", Excluded(("vendored/",), tmp_path / "repo")) is None
    assert roots(tmp_path, "lone/g.py") == Path()


def names(path: Path, folder: Path) -> set[str]:
    found = surroundings([path], discover([path]))
    return {one.location.relative_to(folder).as_posix() for one in found.files}


def test_home_folder_is_never_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {".git/HEAD": "", "lone.py": "", "near.py": "", "pkg/__init__.py": "", "pkg/a.py": "", "d/b.py": ""})
    monkeypatch.setenv("HOME", str(tmp_path))
    _is_no_project.cache_clear()
    assert names(tmp_path / "lone.py", tmp_path) == {"lone.py", "near.py"}
    assert names(tmp_path / "pkg/a.py", tmp_path) == {"pkg/__init__.py", "pkg/a.py"}
    assert names(tmp_path / "d/b.py", tmp_path) == {"d/b.py"}
    assert names(tmp_path / "d", tmp_path) == {"d/b.py"}
    monkeypatch.undo()
    _is_no_project.cache_clear()


def test_without_a_mark_what_can_be_imported_is_the_project(tmp_path: Path) -> None:
    make(tmp_path, {"run.py": "", "pkg/__init__.py": "", "pkg/sub/a.py": "", "pkg/b.py": "", "data/c.py": ""})
    assert names(tmp_path / "pkg/b.py", tmp_path) == {"run.py", "pkg/__init__.py", "pkg/sub/a.py", "pkg/b.py"}
    assert names(tmp_path / "run.py", tmp_path) == names(tmp_path / "pkg/b.py", tmp_path)
    assert names(tmp_path, tmp_path) == names(tmp_path / "run.py", tmp_path) | {"data/c.py"}


def test_file_given_by_a_link_is_the_file_of_the_project(tmp_path: Path) -> None:
    make(tmp_path, {".git/HEAD": "", "a.py": "", "b.py": ""})
    (tmp_path / "link.py").symlink_to("a.py")
    found = surroundings([tmp_path / "link.py"], discover([tmp_path / "link.py"]))
    assert names(tmp_path / "link.py", tmp_path) == {"a.py", "b.py"}
    assert found.given == {tmp_path / "a.py"}


def test_nothing_is_analysed_where_every_given_file_is_excluded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = {"pyproject.toml": "[tool.tnp-migrate]\nexclude = ['vendored/']\n"}
    layout = make(tmp_path, LAYOUTS["flat"] | config | {"vendored/a.py": MEDIAN})
    monkeypatch.chdir(layout)
    report = run("migrate", "vendored/a.py", "--force-exclude", "--format", "json").stdout
    assert '"files": []' in report
    assert (layout / "vendored/a.py").read_text() == MEDIAN


def test_migrated_neighbours_are_not_named_again(tmp_path: Path) -> None:
    layout = make(tmp_path, LAYOUTS["package"])
    run("migrate", layout)
    result = run("migrate", layout / "pkg/use.py")
    assert "TNP330" not in result.stdout
    assert result.exit_code == 0
