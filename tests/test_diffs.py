"""`--diff` for people and for programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tnp_migrate.cli import main
from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate
from tnp_migrate.reports import diffs
from tnp_migrate.state import Project
from tnp_migrate.text.discovery import discover

SOURCE = "import numpy as np\n\n# \x1b[31m bell \x07 \u202e\n\n\ndef norm(x):\n    return np.median(x)\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Two files that change, and a helper module."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "z.py"):
        (tmp_path / name).write_text(SOURCE)
    return migrate(discover([tmp_path]), Config())


def test_view_shows_the_users_files_first_and_the_helper_module_as_one_line(project: Project, tmp_path: Path) -> None:
    lines = list(diffs.view(project, colour=False))
    helpers = project.outputs[tmp_path / "_tnp_helpers.py"].count(b"\n")
    assert lines[0] == "--- a/a.py"
    assert "--- a/z.py" in lines
    assert lines[-1] == f"_tnp_helpers.py: new, {helpers} lines"
    assert sum("_tnp_helpers.py" in line for line in lines) == 1


def test_view_says_that_a_helper_module_changes(project: Project, tmp_path: Path) -> None:
    project.on_disk[tmp_path / "_tnp_helpers.py"] = b""
    assert list(diffs.view(project, colour=False))[-1].startswith("_tnp_helpers.py: changed, ")


def test_view_escapes_what_moves_a_terminal(project: Project) -> None:
    text = "\n".join(diffs.view(project, colour=False))
    assert r" # \x1b[31m bell \x07 \u202e" in text
    assert "\x1b" not in text


def test_colours_are_the_only_control_characters(project: Project) -> None:
    coloured = list(diffs.view(project, colour=True))
    assert coloured[0] == "\x1b[1m--- a/a.py\x1b[0m"
    assert "\x1b[31m-import numpy as np\x1b[0m" in coloured
    assert "\x1b[32m+    return tnh.median(x)\x1b[0m" in coloured
    plain = [line.removeprefix(line[: line.index("m") + 1]) if line[:1] == "\x1b" else line for line in coloured]
    assert [line.removesuffix("\x1b[0m") for line in plain] == list(diffs.view(project, colour=False))


def test_patch_has_every_byte_and_the_helper_module_last(project: Project) -> None:
    text = b"".join(diffs.patch(project))
    assert " # \x1b[31m bell \x07 \u202e\n".encode() in text
    places = [text.index(name) for name in (b"--- a/a.py", b"--- a/z.py", b"+++ b/_tnp_helpers.py")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], wanted: bool) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert diffs.wants_colour() is wanted


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_no_text_are_escaped(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"odd\xff")
    folder.mkdir()
    (folder / "a.py").write_text(SOURCE)
    lines = list(diffs.view(migrate(discover([folder]), Config()), colour=False))
    assert r"odd\xff/a.py" in lines[0]
    assert r"odd\udcff/_tnp_helpers.py: new" in lines[-1]


def test_nothing_to_change_prints_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    assert CliRunner().invoke(main, ["--diff", str(tmp_path)]).stdout == ""
