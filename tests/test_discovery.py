"""Which files a run looks at: git's patterns at every level, the user's, links, and each file once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tnp_migrate.text.discovery import Excluded, discover, module_name, unusable

NOTHING = Excluded()


def make(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def names(*paths: Path, exclude: Excluded = NOTHING) -> list[str]:
    return [one.shown for one in discover(paths, exclude)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository's folder, and the current one."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_python_and_foreign_sources_are_found_in_order(folder: Path) -> None:
    make(
        folder,
        dict.fromkeys(["b.py", "a/z.pyi", "a/y.pyw", "c.pyx", "d.txt", "e.c", ".venv/f.py", "a/__pycache__/g.py"], ""),
    )
    assert names(folder) == ["a/y.pyw", "a/z.pyi", "b.py", "c.pyx", "e.c"]


def test_git_patterns_hold_at_every_level(folder: Path) -> None:
    make(
        folder,
        {
            ".gitignore": "*_gen.py\n/top.py\nbuild/\n# comment\n\ndeep/**/skip.py\n",
            "pkg/.gitignore": "local.py\n!kept_gen.py\n",
            "pkg/sub/.gitignore": "*\n!in.py\n",
            **dict.fromkeys(
                """top.py x_gen.py build/a.py pkg/top.py pkg/local.py pkg/kept_gen.py pkg/other_gen.py pkg/sub/in.py
                pkg/sub/out.py deep/a/b/skip.py deep/a/b/stay.py local.py""".split(),
                "",
            ),
        },
    )
    assert names(folder) == ["deep/a/b/stay.py", "local.py", "pkg/kept_gen.py", "pkg/sub/in.py", "pkg/top.py"]


def test_patterns_above_a_given_folder_hold_up_to_the_repository(folder: Path) -> None:
    make(folder, {".gitignore": "skip.py\n", "pkg/skip.py": "", "pkg/stay.py": ""})
    make(folder.parent, {".gitignore": "*.py\n"})
    assert names(folder / "pkg") == ["pkg/stay.py"]


def test_what_is_given_is_looked_at_even_where_git_ignores_it(folder: Path) -> None:
    make(folder, {".gitignore": "build/\n", "build/a.py": "", "b.py": ""})
    assert names(folder) == ["b.py"]
    assert names(folder / "build") == ["build/a.py"]
    assert names(folder / "build/a.py") == ["build/a.py"]


def test_each_file_is_found_once(folder: Path) -> None:
    make(folder, {"pkg/a.py": "", "pkg/sub/b.py": ""})
    assert sorted(names(folder / "pkg/sub", folder, folder / "pkg/a.py", folder)) == ["pkg/a.py", "pkg/sub/b.py"]


def test_linked_file_has_its_real_name(folder: Path) -> None:
    make(folder, {"z.py": ""})
    (folder / "a.py").symlink_to("z.py")
    assert names(folder) == ["z.py"]


def test_links_out_of_what_is_given_are_named_and_not_followed(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    make(outside, {"far.py": ""})
    make(folder, {"pkg/a.py": "", "docs/b.py": ""})
    links = {"alias": "pkg", "pkg/up": "..", "higher": "../..", "outside": outside, "pkg/aside": "../docs"}
    for link, target in links.items():
        (folder / link).symlink_to(target, target_is_directory=True)
    (folder / "far.py").symlink_to(outside / "far.py")
    named: list[Path] = []
    assert [one.shown for one in discover([folder], NOTHING, on_link=named.append)] == ["docs/b.py", "pkg/a.py"]
    assert named == [folder / "far.py", folder / "higher", folder / "outside"]
    named.clear()
    assert names(folder / "pkg") == ["pkg/a.py"]
    discover([folder / "pkg"], NOTHING, on_link=named.append)
    assert named == [folder / "pkg/aside", folder / "pkg/up"]
    named.clear()
    assert set(names(folder, outside)) == {"docs/b.py", (outside / "far.py").as_posix(), "pkg/a.py"}
    discover([folder, outside], NOTHING, on_link=named.append)
    assert named == [folder / "higher"]


def test_link_given_by_name_is_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    make(outside, {"far.py": ""})
    (folder / "far.py").symlink_to(outside / "far.py")
    (folder / "linked").symlink_to(outside, target_is_directory=True)
    assert names(folder / "far.py") == ["far.py"]
    assert names(folder / "linked") == ["linked/far.py"]


@pytest.mark.parametrize(
    "place",
    "env/x.py build/lib/x.py .eggs/x.py .direnv/x.py node_modules/x.py site-packages/x.py __pypackages__/x.py".split(),
)
def test_environments_and_what_is_built_are_left_out(tmp_path: Path, place: str) -> None:
    make(tmp_path, {place: "", "env/pyvenv.cfg": "", "a.py": "", "environment/b.py": "", "kept/build/__init__.py": ""})
    found = [one.location.relative_to(tmp_path).as_posix() for one in discover([tmp_path])]
    assert found == ["a.py", "environment/b.py", "kept/build/__init__.py"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("a.py", ["pkg/b.py"]),
        ("/a.py", ["pkg/a.py", "pkg/b.py"]),
        ("pkg/", ["a.py"]),
        ("pkg/**/a.py", ["a.py", "pkg/b.py"]),
        ("*.py", []),
    ],
)
def test_exclude_takes_git_patterns(folder: Path, pattern: str, left: list[str]) -> None:
    make(folder, dict.fromkeys(["a.py", "pkg/a.py", "pkg/b.py"], ""))
    assert names(folder, exclude=Excluded((pattern,), folder)) == left


def test_exclude_counts_from_the_given_path_elsewhere(folder: Path) -> None:
    make(folder, {"pkg/a.py": "", "pkg/b.py": ""})
    assert names(folder / "pkg", exclude=Excluded(("/a.py",), folder / "other")) == ["pkg/b.py"]


def test_module_name_counts_packages(folder: Path) -> None:
    make(
        folder, dict.fromkeys(["src/pkg/__init__.py", "src/pkg/sub/__init__.py", "src/pkg/sub/m.py", "src/lone.py"], "")
    )
    assert module_name(folder / "src/pkg/sub/m.py") == ("pkg.sub.m", folder / "src/pkg")
    assert module_name(folder / "src/pkg/__init__.py") == ("pkg", folder / "src/pkg")
    assert module_name(folder / "src/lone.py") == ("lone", folder / "src")


def test_unusable_paths_say_why(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    assert unusable([folder, folder / "loop", folder / "gone", Path("/dev/null")]) == [
        (folder / "loop", "TNP907", "symbolic links form a loop"),
        (folder / "gone", "TNP906", "does not exist"),
        (Path("/dev/null"), "TNP903", "cannot be read: it is neither a file nor a folder"),
    ]
