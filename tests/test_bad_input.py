"""Input that cannot be worked on: said clearly, left byte for byte, and the other files are done all the same."""

from __future__ import annotations

import cProfile
import errno
import os
import pstats
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import FORMATS, main
from tnp_migrate.text import writing

GOOD = "import numpy as np\n\n\ndef f(x):\n    return np.exp(x)\n"
HEAD = b"import numpy as np\n"
DEEP = 1500


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


def tree(folder: Path) -> dict[str, bytes]:
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good file; it is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.py").write_text(GOOD)
    return tmp_path


UNUSABLE = [
    pytest.param(HEAD + b"x = (\n", "TNP901", "does not parse", id="syntax error"),
    pytest.param(HEAD + b"x = 1\n  y = 2\n", "TNP901", "unexpected indent", id="indentation"),
    pytest.param(HEAD + b"if 1:\n\tx = 1\n        y = 2\n", "TNP901", "inconsistent use of tabs", id="tabs and spaces"),
    pytest.param(HEAD + b"x = '\x00'\n", "TNP901", "null bytes", id="null bytes"),
    pytest.param(
        HEAD + b"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n", "TNP901", "does not parse", id="merge conflict"
    ),
    pytest.param(HEAD + b"x = '\xff\xfe'\n", "TNP902", "cannot be decoded", id="not UTF-8"),
    pytest.param(HEAD.decode().encode("utf-16"), "TNP902", "cannot be decoded", id="UTF-16"),
    pytest.param(b"# coding: no-such-codec\n" + HEAD, "TNP902", "no-such-codec", id="unknown encoding"),
    pytest.param(
        b"\xef\xbb\xbf# coding: latin-1\n" + HEAD, "TNP902", "cannot be decoded", id="mark against coding line"
    ),
    pytest.param(HEAD + b"print 'x'\n", "TNP909", "is Python 2 code", id="Python 2 print"),
    pytest.param(
        HEAD + b"try:\n    pass\nexcept E, e:\n    pass\n", "TNP909", "is Python 2 code", id="Python 2 except"
    ),
    pytest.param(HEAD + b"x = " + b"(" * 300 + b"1" + b")" * 300, "TNP908", "nested too deeply", id="parentheses"),
    pytest.param(HEAD + b"x = " + b"+".join([b"np.e"] * DEEP), "TNP908", "nested too deeply", id="long sum"),
    pytest.param(HEAD + b"x = np.e" + b".real" * 950, "TNP908", "nested too deeply", id="long chain"),
    pytest.param(HEAD + b"x = " + b"np.e + " * 30_000 + b"1", "TNP908", "nested too deeply", id="very long sum"),
]


@pytest.mark.parametrize(("data", "code", "message"), UNUSABLE)
def test_unusable_file_is_named_and_left_while_the_others_are_done(
    folder: Path, data: bytes, code: str, message: str
) -> None:
    (folder / "bad.py").write_bytes(data)
    result = run("migrate", ".")
    assert result.exit_code == 2
    assert "bad.py:" in result.stdout
    assert f"{code} " in result.stdout
    assert message in result.stdout
    assert (folder / "bad.py").read_bytes() == data
    assert "tnp.exp(" in (folder / "good.py").read_text()
    assert run("check", ".").exit_code == 2


USABLE = [
    pytest.param(b"", id="empty"),
    pytest.param(b"\n", id="blank"),
    pytest.param(b"# only a comment about numpy", id="comment"),
    pytest.param(b"x = 1\r\ny = 2\n", id="without NumPy"),
]


@pytest.mark.parametrize("data", USABLE)
def test_file_with_nothing_to_do_stays_as_it_is(folder: Path, data: bytes) -> None:
    (folder / "odd.py").write_bytes(data)
    assert run("migrate", ".").exit_code == 0
    assert (folder / "odd.py").read_bytes() == data


KEPT = [
    pytest.param("\ufeff# a\n{}", "utf-8", id="byte order mark"),
    pytest.param("# coding: latin-1\n# \xe9\n{}", "latin-1", id="latin-1"),
    pytest.param("# coding: shift-jis\n# \u3042\n{}", "shift-jis", id="shift-jis"),
    pytest.param("# a\x0cb\n\x0c\n{}", "utf-8", id="form feed"),
    pytest.param("{}\x0c\nx = 1\n", "utf-8", id="form feed after"),
    pytest.param("if 1:\n\tpass\n{}", "utf-8", id="tabs"),
    pytest.param("# \u2028 \x85 \U0001f600\n{}", "utf-8", id="other line separators"),
    pytest.param("{}# no newline at the end", "utf-8", id="no newline at the end"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("frame", "encoding"), KEPT)
def test_bytes_around_a_change_stay(folder: Path, frame: str, encoding: str, newline: str) -> None:
    if newline == "\r" and encoding != "utf-8":
        pytest.skip("Python itself does not see a coding line that ends in CR")
    code = "import numpy as np\ny = lambda a: np.exp(a)  # exponent \n"
    text = frame.format(code).replace("\n", newline)
    (folder / "odd.py").write_bytes(text.encode(encoding))
    assert run("migrate", "odd.py").exit_code == 0
    after = (folder / "odd.py").read_bytes().decode(encoding)
    assert "tnp.exp(a)" in after
    lines = [line for line in after.split(newline) if "import" not in line]
    assert newline.join(lines).replace("tnp.exp", "np.exp") == text.replace("import numpy as np" + newline, "")


def test_mixed_newlines_stay(folder: Path) -> None:
    (folder / "odd.py").write_bytes(b"import numpy as np\r\n\n# a\r\ny = lambda a: np.exp(a)\nz = 1\r\n")
    assert run("migrate", "odd.py").exit_code == 0
    after = (folder / "odd.py").read_bytes()
    assert after.endswith(b"\n# a\r\ny = lambda a: tnp.exp(a)\nz = 1\r\n")


def test_work_grows_no_faster_than_the_file(folder: Path) -> None:
    # Calls are counted, for seconds are the machine's: four times the length may take five times the calls, not
    # the sixteen that anything does that looks through the file once for each of its lines.
    def calls(functions: int) -> int:
        lines = [
            f"def f{number}(x):\n    y = np.exp(x)\n    y = y + np.sin(x)\n    return y\n\n"
            for number in range(functions)
        ]
        (folder / "long.py").write_text("import numpy as np\n\n" + "".join(lines))
        profile = cProfile.Profile()
        result = profile.runcall(run, "migrate", "long.py", "--jobs", "1", "--no-cache")
        assert result.exit_code == 0
        assert (folder / "long.py").read_text().count("tnp.exp(") == functions
        return int(pstats.Stats(profile).total_calls)

    assert calls(800) < 5 * calls(200)


def test_folder_without_python_is_nothing_to_do(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "empty/data.txt").write_text("numpy")
    result = run("migrate", "empty")
    assert result.exit_code == 0
    assert "references 0 =" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["chekc", "good.py"],
            "error: chekc: is neither a command nor an existing path (did you mean `tnp-migrate check",
        ),
        (
            ["good.py", "chekc"],
            "error: chekc: is neither a command nor an existing path (did you mean `tnp-migrate check",
        ),
        (
            ["good.py", "check"],
            "error: check: is neither a command nor an existing path (did you mean `tnp-migrate check",
        ),
        (["migrate", "good.py", "nowhere"], "error: nowhere: is neither a command nor an existing path; nothing was"),
        (["check", "good.py", "src/"], "error: src: is neither a command nor an existing path; nothing was done"),
    ],
)
def test_word_that_is_no_command_and_no_path_stops_before_anything_is_written(
    folder: Path, arguments: list[str], message: str
) -> None:
    before = tree(folder)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(message)
    assert tree(folder) == before


def test_path_named_as_a_command_is_given_after_it(folder: Path) -> None:
    (folder / "check").mkdir()
    (folder / "check/a.py").write_text(GOOD)
    assert run("migrate", "check").exit_code == 0
    assert "tnp.exp(" in (folder / "check/a.py").read_text()


def test_link_that_leads_nowhere_is_an_error_and_the_others_are_done(folder: Path) -> None:
    (folder / "gone.py").symlink_to("nowhere.py")
    result = run("migrate", "good.py", "gone.py")
    assert result.exit_code == 2
    assert "gone.py:1:1: TNP906 does not exist" in result.stdout
    assert "tnp.exp(" in (folder / "good.py").read_text()


def test_link_loops_end(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/up").symlink_to("..", target_is_directory=True)
    (folder / "sub/self").symlink_to("self")
    (folder / "sub/lock.py").symlink_to("nowhere")
    assert run("migrate", ".").exit_code == 0
    (folder / "loop.py").symlink_to("loop.py")
    for path in (".", "loop.py"):
        result = run("migrate", path)
        assert result.exit_code == 2
        assert "loop.py:1:1: TNP907 symbolic links form a loop" in result.stdout


def test_links_out_of_the_given_folder_are_named_and_left(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("elsewhere")
    (outside / "real.py").write_text(GOOD)
    (folder / "link.py").symlink_to(outside / "real.py")
    (folder / "linked").symlink_to(outside, target_is_directory=True)
    (folder / "again.py").symlink_to("good.py")
    result = run("migrate", ".")
    assert result.exit_code == 0
    assert f"link.py:1:1: TNP150 leads to {outside}/real.py, which was not given: left alone" in result.stdout
    assert f"linked:1:1: TNP150 leads to {outside}, which" in result.stdout
    assert "again.py" not in result.stdout
    assert tree(outside) == {"real.py": GOOD.encode()}
    assert (folder / "again.py").is_symlink()
    assert run("migrate", "link.py").exit_code == 0  # the user says that it is meant
    assert (folder / "link.py").is_symlink()
    assert "tnp.exp(" in (outside / "real.py").read_text()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"def mine(): ...\n",
            "was not written by tnp-migrate, whose helper module has this name: nothing was",
        ),
        (b"x = '\xff'\n", "was not written by tnp-migrate, whose helper module has this name (UnicodeDecodeError)"),
        (b"x = (\n", "was not written by tnp-migrate, whose helper module has this name (SyntaxError)"),
        (None, "is a link out of its folder"),
    ],
    ids=["theirs", "not UTF-8", "no Python", "link"],
)
def test_file_in_the_place_of_the_helper_module_is_left(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, content: bytes | None, message: str
) -> None:
    place = folder / "_tnp_helpers.py"
    if content is None:
        target = tmp_path_factory.mktemp("elsewhere") / "text.txt"
        target.write_text("mine\n")
        place.symlink_to(target)
    else:
        place.write_bytes(content)
    before = tree(folder)
    result = run("migrate", ".")
    assert result.exit_code == 2
    assert f"_tnp_helpers.py:1:1: TNP921 {message}" in result.stdout
    assert result.stdout.count("TNP921") == 1
    assert tree(folder) == before


def test_file_changed_while_it_runs_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "other.py").write_text(GOOD)
    stage = writing._stage

    def staged(path: Path, data: bytes) -> Path:
        if path.name == "good.py":
            path.write_text("mine = 1\n")
        return stage(path, data)

    monkeypatch.setattr(writing, "_stage", staged)
    result = run("migrate", ".")
    assert result.exit_code == 2
    assert "good.py:1:1: TNP904 cannot be written: it was changed while this ran; run again" in result.stdout
    assert (folder / "good.py").read_text() == "mine = 1\n"
    assert "tnp.exp(" in (folder / "other.py").read_text()
    assert set(tree(folder)) == {"good.py", "other.py", "_tnp_helpers.py"}


def test_pipe_is_refused_instead_of_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.py")
    assert run("check", ".").exit_code == 0
    result = run("check", "pipe.py")
    assert result.exit_code == 2
    assert "neither a file nor a folder" in result.stdout


def test_unreadable_file_and_folder_are_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "closed").mkdir()
    (folder / "secret.py").write_text(GOOD)
    read, scan = Path.read_bytes, os.scandir

    def read_bytes(path: Path) -> bytes:
        if path.name == "secret.py":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return read(path)

    def scandir(path: Path) -> Any:
        if Path(path).name == "closed":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return scan(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    monkeypatch.setattr(os, "scandir", scandir)
    result = run("migrate", ".")
    assert result.exit_code == 2
    assert "closed:1:1: TNP903 cannot be read: Permission denied" in result.stdout
    assert "secret.py:1:1: TNP903 cannot be read: Permission denied" in result.stdout
    assert "tnp.exp(" in (folder / "good.py").read_text()


def test_read_only_file_is_left(folder: Path) -> None:
    (folder / "fixed.py").write_text(GOOD)
    (folder / "fixed.py").chmod(0o444)
    result = run("migrate", ".")
    assert result.exit_code == 2
    assert "fixed.py:1:1: TNP904 cannot be written: the file is read-only" in result.stdout
    assert (folder / "fixed.py").read_text() == GOOD
    assert "tnp.exp(" in (folder / "good.py").read_text()


real = os.fdopen


class FullDisk:
    """A file of which half a buffer can be written."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def __enter__(self):
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> None:
        self.file.write(data[: len(data) // 2])
        self.file.flush()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def no_folder(*arguments: object, **options: object) -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda m: m.setattr(os, "fdopen", lambda handle, mode: FullDisk(real(handle, mode))), "No space left"),
        (lambda m: m.setattr(os, "open", no_folder), "Permission denied"),
        (lambda m: m.setattr(Path, "replace", no_folder), "Permission denied"),
        (lambda m: m.setattr(os, "fsync", no_folder), "Permission denied"),
    ],
    ids=["full disk", "closed folder", "rename refused", "sync refused"],
)
def test_failed_write_of_the_helper_module_loses_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[pytest.MonkeyPatch], None], message: str
) -> None:
    before = tree(folder)
    with monkeypatch.context() as patched:
        spoil(patched)
        result = run("migrate", ".")
    assert result.exit_code == 2
    assert f"_tnp_helpers.py:1:1: TNP904 cannot be written: {message}" in result.stdout
    assert "error: nothing was written" in result.stderr
    assert "0 translated" in result.stdout
    assert tree(folder) == before


def test_disk_that_becomes_full_loses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "more.py").write_text(GOOD)
    before, stage = tree(folder), writing._stage

    def staged(path: Path, data: bytes) -> Path:
        if path.name == "more.py":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return stage(path, data)

    monkeypatch.setattr(writing, "_stage", staged)
    result = run("migrate", ".")
    assert result.exit_code == 2
    assert result.stdout.count("TNP904") == 1
    assert "more.py:1:1: TNP904 cannot be written: No space left on device" in result.stdout
    assert tree(folder) == before


class Killed(BaseException):
    """Nothing is tidied up after it."""


@pytest.fixture
def killed_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Let the tool die before its n-th step on a file: creating, renaming or removing it."""

    def kill_at(step: int) -> None:
        count = 0

        def dying(done: Callable[..., Any]) -> Callable[..., Any]:
            def counted(*arguments: Any, **options: Any) -> Any:
                nonlocal count
                count += 1
                if count >= step:
                    raise Killed
                return done(*arguments, **options)

            return counted

        for owner, name in ((os, "open"), (os, "fsync"), (Path, "replace"), (Path, "unlink")):
            monkeypatch.setattr(owner, name, dying(getattr(owner, name)))

    yield kill_at
    monkeypatch.undo()


LIB = "import numpy as np\n\n\ndef norm(x):\n    x -= np.mean(x)\n"
USE = "import numpy as np\nfrom lib import norm\n\n\ndef f():\n    x = np.ones(3)\n    norm(x)\n    return x\n"


@pytest.mark.parametrize("step", range(1, 40))
def test_run_after_a_killed_one_ends_as_if_it_had_not_been(
    folder: Path, killed_at: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    (folder / "lib.py").write_text(LIB)
    (folder / "use.py").write_text(USE)
    assert run("migrate", ".", "--out-dir", "../clean").exit_code in (0, 1)
    clean = tree(folder.parent / "clean")
    shutil.rmtree(folder.parent / "clean")
    killed_at(step)
    try:
        run("migrate", ".")
    except Killed:
        pass
    else:
        assert step > 20
    monkeypatch.undo()
    os.chdir(folder)
    run("migrate", ".")
    assert tree(folder) == clean


@pytest.mark.parametrize("where", ["before the rename", "between two files"])
def test_interruption_loses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    (folder / "second.py").write_text(GOOD)
    rename, done = Path.replace, []

    def replace(path: Path, target: Path) -> None:
        if target.suffix == ".py":
            done.append(target.name)
        if len(done) > (1 if where == "before the rename" else 2):
            raise KeyboardInterrupt
        rename(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", replace)
        result = run("migrate", ".")
    assert result.exit_code == 2
    assert "error: interrupted: files that were not yet written are as they were" in result.stderr
    after = tree(folder)
    assert set(after) == {"_tnp_helpers.py", "good.py", "second.py"}
    assert after["second.py"] == GOOD.encode()
    assert (after["good.py"] == GOOD.encode()) == (where == "before the rename")
    assert run("migrate", ".").exit_code == 0
    assert b"tnp.exp(" in tree(folder)["second.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_file_name_that_is_no_text_is_shown_escaped(folder: Path) -> None:
    name = os.fsdecode(b"odd\xff\n.py")
    (folder / name).write_text("import numpy as np\nx = (\n")
    result = run("migrate", ".")
    assert result.exit_code == 2
    assert "odd" in result.stdout
    assert "TNP901" in result.stdout
    (folder / name).write_text(GOOD)
    (folder / os.fsdecode(b"d\xff")).mkdir()
    (folder / os.fsdecode(b"d\xff/sub.py")).write_text(GOOD)
    for format_ in FORMATS:
        assert run("migrate", ".", "--diff", "--format", format_, "--report", f"{format_}=../report").exit_code == 0
    assert run("migrate", ".").exit_code == 0
    assert "tnp.exp(" in (folder / name).read_text()


def test_a_file_that_others_reach_is_reported_once(folder: Path) -> None:
    (folder / "writes.py").write_text(
        "import numpy as np\n\n\ndef f(x):\n    x[0] = np.sum(x)\n    return x\n\n\nf(np.ones(3))\n"
    )
    (folder / "calls.py").write_text("from writes import f\n\nf([1)\n")
    result = run("check", ".")
    assert result.output.count("TNP901") == 1
    assert "1 error" in result.output
