"""Only what is new: a baseline and lines changed since a revision, as users and CI meet them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import FORMATS, main
from tnp_migrate.reports.changed_lines import changes_since

LOOK = "def {name}(x):\n    return np.lib.stride_tricks.as_strided(x, (2, 2))\n"
HEAD = "import numpy as np\n\n\n"


def looks(*names: str) -> str:
    """Write a module with one function for each name, all with the same finding on a line of the same text."""
    return HEAD + "\n\n".join(LOOK.format(name=name) for name in names)


def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], input=stdin, catch_exceptions=False)


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, message: str = "c") -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with two modules, committed; the current folder is its root."""
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text(looks("first", "second"))
    (tmp_path / "src/b.py").write_text(looks("third"))
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*arguments: str | Path) -> list[str]:
    """Give the places that a check shows, as `name:line`."""
    findings = json.loads(run("check", "--format", "json", *arguments).stdout)["findings"]
    return sorted({f"{Path(one['path']).name}:{one['line']}" for one in findings if one["suppressed"] is None})


def results(*arguments: str | Path) -> list[tuple[str, str, str]]:
    """Give the results of a SARIF report: path, state, fingerprint."""
    document = json.loads(run("check", "--format", "sarif", *arguments).stdout)
    return [
        (
            one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            one.get("baselineState", ""),
            one["partialFingerprints"]["tnpMigrate/v1"],
        )
        for one in document["runs"][0]["results"]
    ]


def test_baseline_hides_what_is_known_wherever_its_lines_are(tree: Path) -> None:
    assert found("src") == ["a.py:5", "a.py:9", "b.py:5"]
    written = run("check", "src", "--write-baseline", "known.json")
    assert written.exit_code == 0
    assert "known findings not shown" in written.stdout
    assert run("check", "src", "--baseline", "known.json").exit_code == 0
    moved = looks("first", "second").replace("np\n", "np\n\nx = 1\n", 1)
    (tree / "src/a.py").write_text(moved + "\n\n" + LOOK.format(name="fourth"))
    assert found("src", "--baseline", "known.json") == ["a.py:15"]
    assert run("check", "src", "--baseline", "known.json").exit_code == 1


def test_ledger_and_verdict_stay_those_of_the_whole(tree: Path) -> None:
    plain = json.loads(run("check", "src", "--format", "json").stdout)
    run("check", "src", "--write-baseline", "known.json")
    known = json.loads(run("check", "src", "--format", "json", "--baseline", "known.json").stdout)
    assert known["findings"] == []
    assert known["known_findings_not_shown"] == len(plain["findings"])
    assert [known[key] for key in ("ledger", "verdict", "effort")] == [
        plain[k] for k in ("ledger", "verdict", "effort")
    ]


def test_baseline_is_the_same_from_every_working_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("check", "src", "--write-baseline", "one.json")
    monkeypatch.chdir(tree / "src")
    run("check", ".", "--write-baseline", "../two.json")
    monkeypatch.chdir("/")
    run("check", tree / "src", "--write-baseline", tree / "three.json")
    texts = {(tree / f"{name}.json").read_text() for name in ("one", "two", "three")}
    assert len(texts) == 1
    assert list(json.loads(texts.pop())["findings"]) == ["src/a.py", "src/b.py"]
    assert {uri for uri, _, _ in results(tree / "src")} == {"src/a.py", "src/b.py"}


def test_paths_outside_of_git_count_from_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for mark in ("pyproject.toml", None):
        folder = tmp_path / ("marked" if mark else "plain")
        (folder / "lib/deep").mkdir(parents=True)
        (folder / "lib/deep/a é%.py").write_text(looks("first"))
        if mark is not None:
            (folder / mark).write_text("")
        for here, given in ((folder, "."), (tmp_path, folder.name), (folder / "lib", "..")):
            monkeypatch.chdir(here)
            assert {uri for uri, _, _ in results(given)} == {"lib/deep/a%20%C3%A9%25.py"}


def test_two_repositories_have_two_roots(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    git(other, "init", "--quiet")
    (other / "c.py").write_text(looks("first"))
    run_ = json.loads(run("check", "src", other, "--format", "sarif").stdout)["runs"][0]
    places = [one["locations"][0]["physicalLocation"]["artifactLocation"] for one in run_["results"]]
    assert {(place["uri"], place["uriBaseId"]) for place in places} == {
        ("src/a.py", "%SRCROOT%"),
        ("src/b.py", "%SRCROOT%"),
        ("c.py", "%SRCROOT2%"),
    }
    assert set(run_["originalUriBaseIds"]) == {"%SRCROOT%", "%SRCROOT2%"}


def test_twins_are_told_apart(tree: Path) -> None:
    fingerprints = [mark for _, _, mark in results("src")]
    assert len(set(fingerprints)) == len(fingerprints)
    (tree / "src/a.py").write_text(looks("first"))
    run("check", "src", "--write-baseline", "known.json")
    (tree / "src/a.py").write_text(looks("first", "second"))
    assert found("src", "--baseline", "known.json") == ["a.py:9"]


def test_sarif_says_new_unchanged_and_absent(tree: Path) -> None:
    run("check", "src", "--write-baseline", "known.json")
    (tree / "src/b.py").unlink()
    (tree / "src/c.py").write_text(looks("fourth"))
    states = {(uri, state) for uri, state, _ in results("src", "--baseline", "known.json")}
    assert states == {("src/a.py", "unchanged"), ("src/b.py", "absent"), ("src/c.py", "new")}
    assert {state for _, state, _ in results("src")} == {""}


def test_what_was_not_looked_at_is_not_gone(tree: Path) -> None:
    run("check", "src", "--write-baseline", "known.json")
    (tree / "src/a.py").write_text(looks("first"))
    said = "of the baseline gone: --write-baseline writes it anew"
    assert said in run("check", "src", "--baseline", "known.json").stdout
    assert said not in run("check", "src/b.py", "--baseline", "known.json").stdout
    assert said not in run("check", "src", "--baseline", "known.json", "--select", "TNP2").stdout
    (tree / "pyproject.toml").write_text('[tool.tnp-migrate]\nper-file-ignores = { "src/a.py" = ["TNP4"] }\n')
    assert said not in run("check", "src", "--baseline", "known.json").stdout


def test_baseline_of_another_place_says_that_its_files_are_gone(tree: Path) -> None:
    run("check", "src", "--write-baseline", "known.json")
    (tree / "src").rename(tree / "lib")
    ended = run("check", "lib", "--baseline", "known.json")
    assert ended.exit_code == 1
    assert "of the baseline gone" in ended.stdout


def test_fingerprints_do_not_depend_on_what_is_selected_or_given(tree: Path) -> None:
    whole = {mark for uri, _, mark in results("src") if uri == "src/a.py"}
    assert {mark for _, _, mark in results("src/a.py", "--select", "TNP4")} == whole


def test_baseline_and_suppressions(tree: Path) -> None:
    text = (tree / "src/b.py").read_text()
    comment = "  # tnp: ignore[TNP408] seen"
    (tree / "src/b.py").write_text(text.replace("(2, 2))", f"(2, 2)){comment}"))
    run("check", "src", "--write-baseline", "known.json")
    assert "src/b.py" not in (tree / "known.json").read_text()
    (tree / "src/b.py").write_text(text)
    assert found("src", "--baseline", "known.json") == ["b.py:5"]
    run("check", "src", "--write-baseline", "known.json")
    (tree / "src/b.py").write_text(text.replace("(2, 2))", f"(2, 2)){comment}"))
    again = run("check", "src", "--baseline", "known.json")
    assert again.exit_code == 0
    assert "gone" not in again.stdout


def test_baseline_holds_what_was_selected(tree: Path) -> None:
    run("check", "src", "--select", "TNP2", "--write-baseline", "known.json")
    assert json.loads((tree / "known.json").read_text())["findings"] == {}
    assert found("src", "--baseline", "known.json") == ["a.py:5", "a.py:9", "b.py:5"]
    assert found("src", "--baseline", "known.json", "--ignore", "TNP4") == []


def test_input_errors_are_never_known(tree: Path) -> None:
    (tree / "src/bad.py").write_text("import numpy as np\ndef f(:\n")
    assert run("check", "src", "--write-baseline", "known.json").exit_code == 2
    commit(tree)
    assert run("check", "src", "--baseline", "known.json").exit_code == 2
    assert "TNP9" in run("check", "src", "--changed-since", "HEAD").stdout


def test_baseline_is_compared_and_written_in_one_run(tree: Path) -> None:
    run("check", "src/a.py", "--write-baseline", "known.json")
    both = run("check", "src", "--baseline", "known.json", "--write-baseline", "known.json")
    assert both.exit_code == 1
    assert "src/b.py:5" in both.stdout
    assert run("check", "src", "--baseline", "known.json").exit_code == 0


def test_baseline_holds_while_files_are_rewritten(tree: Path) -> None:
    run("check", "src", "--write-baseline", "known.json")
    assert run("src", "--baseline", "known.json", "--diff").exit_code == 0
    assert run("src", "--baseline", "known.json").exit_code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read: No such file or directory; --write-baseline known.json makes one"),
        ("", "it is not JSON"),
        ("<<<<<<< HEAD\n{}\n", "it is not JSON"),
        ("\xff", "it is not JSON"),
        ("[" * 100_000, "it is nested too deeply"),
        ("[]", "tnp-migrate did not write it"),
        ('{"findings": {}}', "tnp-migrate did not write it"),
        ('{"schema": 2, "tool": "tnp-migrate", "findings": {}}', "its schema is 2, this version knows 1"),
        ('{"schema": 1, "tool": "tnp-migrate"}', "findings are not listed by path and code"),
        ('{"schema": 1, "tool": "tnp-migrate", "findings": {"a.py": []}}', "findings are not listed by path and code"),
        ('{"schema": 1, "tool": "tnp-migrate", "findings": {"a.py": {"TNP001": []}}}', "this version knows no TNP001"),
        ('{"schema": 1, "tool": "tnp-migrate", "findings": {"a.py": {"TNP408": [1]}}}', "no list of fingerprints"),
    ],
)
def test_baseline_that_cannot_be_used_is_explained_and_nothing_is_written(
    tree: Path, text: str | None, message: str
) -> None:
    before = (tree / "src/a.py").read_bytes()
    if text is not None:
        (tree / "known.json").write_text(text, encoding="latin-1")
    ended = run("src", "--baseline", "known.json")
    assert ended.exit_code == 2
    assert message in ended.stderr
    assert (tree / "src/a.py").read_bytes() == before


def test_baseline_that_cannot_be_written_is_explained(tree: Path) -> None:
    ended = run("check", "src", "--write-baseline", "nowhere/known.json")
    assert ended.exit_code == 2
    assert "nowhere/known.json: the baseline cannot be written" in ended.stderr


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_says_how_many_are_not_shown(tree: Path, format_: str) -> None:
    run("check", "src", "--write-baseline", "known.json")
    ended = run("check", "src", "--baseline", "known.json", "--format", format_)
    assert ended.exit_code == 0
    said = "known_findings_not_shown" if format_ == "json" else "known findings not shown"
    assert said in (ended.stderr if format_ == "gitlab" else ended.stdout)


def test_changed_lines_are_those_since_the_merge_base(tree: Path) -> None:
    base = git(tree, "rev-parse", "HEAD")
    git(tree, "checkout", "--quiet", "-b", "work")
    (tree / "src/a.py").write_text(looks("first", "second", "fifth"))
    commit(tree)
    git(tree, "checkout", "--quiet", "main")
    (tree / "src/b.py").write_text(looks("moved", "third"))  # on the other branch: no change of this one
    commit(tree)
    git(tree, "checkout", "--quiet", "work")
    assert found("src", "--changed-since", "main") == ["a.py:13"]
    assert found("src", "--changed-since", base) == ["a.py:13"]
    assert run("check", "src/b.py", "--changed-since", "main").exit_code == 0
    assert found("src", "--changed-since", "HEAD") == []


def test_changed_lines_count_what_is_staged_unstaged_and_untracked(tree: Path) -> None:
    (tree / "src/a.py").write_text(looks("first", "second").replace("(2, 2)", "(3, 3)", 1))
    git(tree, "add", "src/a.py")
    (tree / "src/b.py").write_text(looks("third", "fourth"))
    (tree / "src/new.py").write_text(looks("fifth"))
    (tree / ".gitignore").write_text("hidden.py\n")
    (tree / "src/hidden.py").write_text(looks("sixth"))
    assert found("src", "--changed-since", "HEAD") == ["a.py:5", "b.py:9", "new.py:5"]
    assert found("src/hidden.py", "--changed-since", "HEAD") == ["hidden.py:5"]


def test_renamed_files_keep_their_lines(tree: Path) -> None:
    git(tree, "mv", "src/a.py", "src/renamed.py")
    (tree / "src/renamed.py").write_text(looks("first", "second", "fifth"))
    assert found("src", "--changed-since", "HEAD") == ["renamed.py:13"]


@pytest.mark.parametrize("name", ["a b.py", "é.py", "tab\t.py", 'quote".py', "100%.py", "-x.py", "noend.py", "+++ b"])
def test_odd_names_and_contents_are_read_right(tree: Path, name: str) -> None:
    odd = looks("first") + "++ b/other\n-- a/x\n@@ -1 +1 @@".replace("\n", "\n#") + "\n"
    odd = odd.replace("++ b", "# ++ b")
    (tree / "src" / name).write_text(odd)
    commit(tree)
    (tree / "src" / name).write_text(odd.replace("(2, 2)", "(3, 3)") + '"""\n++ b/x\n@@ -1 +1 @@\n"""\nx = 2')
    changes = changes_since("HEAD", [tree])
    assert [line for line in range(1, 15) if changes.touch(tree / "src" / name, line, line)] == [5, *range(9, 14)]
    assert not changes.touch(tree / "src/b.py", 1, 100)


def test_users_configuration_of_git_changes_nothing(tree: Path) -> None:
    for key, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.external": "false",
        "diff.renames": "false",
        "diff.interHunkContext": "10",
        "diff.relative": "true",
        "color.ui": "always",
        "core.quotePath": "true",
    }.items():
        git(tree, "config", key, value)
    (tree / ".gitattributes").write_text("*.py -diff\n")
    (tree / "src/a.py").write_text(looks("first", "second", "fifth"))
    assert found("src", "--changed-since", "HEAD") == ["a.py:13"]


def test_lines_taken_out_change_what_spans_them(tree: Path) -> None:
    (tree / "src/b.py").write_text("1\n2\n3\n4\n")
    commit(tree)
    (tree / "src/b.py").write_text("1\n4\n")
    changes = changes_since("HEAD", [tree])
    place = tree / "src/b.py"
    assert changes.touch(place, 1, 2)
    assert not changes.touch(place, 1, 1)
    assert not changes.touch(place, 2, 2)


def test_lines_are_read_before_files_are_rewritten(tree: Path) -> None:
    (tree / "src/b.py").write_text(looks("third", "fourth"))
    ended = run("src", "--changed-since", "HEAD", "--allow-dirty")
    assert "src/b.py:9" in ended.stdout
    assert "src/a.py:" not in ended.stdout.replace("islands in src/a.py:", "")


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("nope", "has no revision 'nope'"),
        ("", "has no revision ''"),
        ("--all", "has no revision '--all'"),
        ("HEAD:src", "has no revision 'HEAD:src'"),
        ("alone", "HEAD and 'alone' have no common ancestor"),
    ],
)
def test_revision_that_cannot_be_used_is_explained_and_nothing_is_written(
    tree: Path, revision: str, message: str
) -> None:
    alone = git(tree, "commit-tree", "HEAD^{tree}", "-m", "alone")
    git(tree, "branch", "alone", alone)
    before = (tree / "src/a.py").read_bytes()
    ended = run("src", f"--changed-since={revision}")
    assert ended.exit_code == 2
    assert message in ended.stderr
    assert (tree / "src/a.py").read_bytes() == before


def test_without_git_there_is_nothing_to_compare_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(looks("first"))
    ended = run("check", tmp_path, "--changed-since", "HEAD")
    assert ended.exit_code == 2
    assert "is in no git repository" in ended.stderr
    ended = run("check", "-", "--changed-since", "HEAD", stdin=b"")
    assert ended.exit_code == 2
    assert "standard input is in no git repository" in ended.stderr
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    ended = run("check", tmp_path, "--changed-since", "HEAD")
    assert ended.exit_code == 2
    assert "git is not installed" in ended.stderr
