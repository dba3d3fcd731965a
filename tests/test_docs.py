"""What README and docs say about commands, options, settings and files for CI is so."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from tnp_migrate import migrate_text
from tnp_migrate.cli import main
from tnp_migrate.diagnostics.explain import explain
from tnp_migrate.diagnostics.findings import CODES
from tnp_migrate.diagnostics.ledger import FileReport, Ledger, Report
from tnp_migrate.program.config import Config, read_config
from tnp_migrate.reports import FORMATS, render
from tnp_migrate.reports.settings_page import SETTINGS, settings_page

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
_NAMED = (
    *("usage", "settings", "diagnostics", "verification", "notebooks", "library", "rules"),
    *("index", "first", "reviewing", "teams", "limits", "working", "editor", "explain"),
)
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", *(ROOT / f"docs/{name}.md" for name in _NAMED)]
}
CODE_PAGES = {number: explain(number) for number in CODES}
EVERYTHING = {
    **PAGES,
    **CODE_PAGES,
    "pyproject.toml": (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.pytest")[0],
    ".pre-commit-hooks.yaml": (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"),
    **{
        f"{name or 'main'} --help": CliRunner().invoke(main, [*name.split(), "--help"]).stdout
        for name in ("", *main.commands)
    },
}
OPTIONS = {option for command in main.commands.values() for one in command.params for option in one.opts}
OF_OTHERS = {
    "--git",
    "--assert",
    "--no-deps",
    "--unified",
    "--to",
    "--interactive",
    "--short",
    "--device",
    "--sync",
    "--help",
    "--version",
}  # jupytext's, git's, pytest's, click's


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands(text: str) -> list[list[str]]:
    """Give the command lines of a page that call the tool, as words behind its name."""
    found = re.findall(r"^ +(?:- )?(?:run: )?tnp-migrate (\S.*?)(?:  +#.*)?$", text, re.MULTILINE)
    return [line.partition("||")[0].replace('"', "").split() for line in found]


YAML = [pytest.param(text, id=f"{page}-{at}") for page in PAGES for at, text in enumerate(blocks(PAGES[page], "yaml"))]
TOML = [pytest.param(text, id=f"{page}-{at}") for page in PAGES for at, text in enumerate(blocks(PAGES[page], "toml"))]


def test_every_setting_is_documented() -> None:
    assert list(SETTINGS) == [field.name.replace("_", "-") for field in fields(Config) if field.name != "folder"]
    assert PAGES["docs/settings.md"] == settings_page(), "run: python -m tnp_migrate.reports.docs_pages docs"
    for setting in SETTINGS.values():
        assert set(re.findall(r"--[a-z-]+", setting.option)) <= OPTIONS


@pytest.mark.parametrize("text", TOML)
def test_settings_shown_are_accepted_and_change_something(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "our_rules.py").write_text("")  # which the setting `rules` names
    assert tomllib.loads(text)["tool"]["tnp-migrate"]
    read = read_config([tmp_path])
    assert [field.name for field in fields(Config) if getattr(read, field.name) != getattr(Config(), field.name)] != [
        "folder"
    ]


def scripts(tree: Any) -> list[str]:
    """Give the commands that a CI file runs, wherever they stand in it."""
    if isinstance(tree, dict):
        own = [tree["run"]] if isinstance(tree.get("run"), str) else list(tree.get("script", []))
        return own + [line for value in tree.values() for line in scripts(value)]
    return [line for value in tree for line in scripts(value)] if isinstance(tree, list) else []


@pytest.mark.parametrize("text", YAML)
def test_files_for_ci_parse_and_call_what_there_is(text: str) -> None:
    tree = yaml.safe_load(text)
    if "repos" in tree:
        known = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
        used = [hook for repo in tree["repos"] for hook in repo["hooks"]]
        assert used
        assert {hook["id"] for hook in used} <= known
        assert {word for hook in used for word in hook.get("args", []) if word.startswith("--")} <= OPTIONS
    else:
        assert any(line.startswith(("tnp-migrate check src/ ", "tnp-migrate verify src ")) for line in scripts(tree))


@pytest.mark.parametrize("page", ["README.md", "docs/usage.md"])
def test_command_lines_are_understood(page: str) -> None:
    found = commands(PAGES[page])
    assert len(found) > 5
    for first, *rest in found:
        known = first in main.commands
        assert known or any(mark in first for mark in "/-"), f"{first}: no such command"
        name = first if known else "migrate"
        main.commands[name].make_context(name, rest if known else [first, *rest])  # raises for what it does not know


@pytest.mark.parametrize("page", EVERYTHING)
def test_options_named_exist(page: str) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", EVERYTHING[page]))
    assert named <= OPTIONS | OF_OTHERS


@pytest.mark.parametrize("page", EVERYTHING)
def test_nothing_is_promised_that_no_command_does(page: str) -> None:
    assert not re.search(r"prove that", EVERYTHING[page], re.IGNORECASE)


@pytest.mark.parametrize("name", FORMATS)
def test_reports_have_no_rate_that_nothing_looked_at(name: str) -> None:
    text = render(Report("0", (FileReport("a.py", "translated", Ledger(1, renamed=1), ()),)), name)
    assert not re.search(r"verif|executed\b|not checked", text)


def test_first_page_shows_what_the_tool_makes() -> None:
    before, after = re.findall(r"```python\n(.*?)```", PAGES["docs/index.md"], re.DOTALL)
    result = migrate_text(before)
    assert [text.decode() for text in result.texts.values()] == [after]
    assert not result.findings


def test_site_builds_without_a_dead_link(tmp_path: Path) -> None:
    if not Path(sys.executable).with_name("mkdocs").is_file():
        pytest.skip("mkdocs is not installed beside this Python")
    command = [Path(sys.executable).with_name("mkdocs"), "build", "--strict", "--site-dir", tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "notebooks/index.html").read_text()
    assert "<h1" in page
    assert not re.findall(r"""<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?//""", page)


@pytest.mark.parametrize("page", [page for page in PAGES if page != "docs/diagnostics.md"])
def test_links_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    for target in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", PAGES[page]):
        assert (folder / target).exists(), target
