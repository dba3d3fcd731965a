"""Input that cannot be worked on: said clearly, left byte for byte, and the other files are done all the same."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tnp_migrate.cli import main

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


def test_very_long_file_takes_seconds(folder: Path) -> None:
    lines = [
        f"def f{number}(x):\n    y = np.exp(x)\n    y = y + np.sin(x)\n    return y\n\n" for number in range(10_000)
    ]
    (folder / "long.py").write_text("import numpy as np\n\n" + "".join(lines))
    start = time.process_time()
    assert run("migrate", "long.py", "--jobs", "1").exit_code == 0
    assert time.process_time() - start < 40
    assert (folder / "long.py").read_text().count("tnp.exp(") == 10_000


def test_folder_without_python_is_nothing_to_do(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "empty/data.txt").write_text("numpy")
    result = run("migrate", "empty")
    assert result.exit_code == 0
    assert "references 0 =" in result.stdout


def test_missing_path_is_an_error_and_the_others_are_done(folder: Path) -> None:
    result = run("migrate", "good.py", "nowhere")
    assert result.exit_code == 2
    assert "nowhere:1:1: TNP906 does not exist" in result.stdout
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


def test_linked_file_is_written_through_its_link(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    target = tmp_path_factory.mktemp("elsewhere") / "real.py"
    target.write_text(GOOD)
    (folder / "link.py").symlink_to(target)
    (folder / "again.py").symlink_to("good.py")
    assert run("migrate", ".").exit_code == 0
    assert (folder / "link.py").is_symlink()
    assert (folder / "again.py").is_symlink()
    assert "tnp.exp(" in target.read_text()


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
        (lambda m: m.setattr(tempfile, "mkstemp", no_folder), "Permission denied"),
        (lambda m: m.setattr(Path, "replace", no_folder), "Permission denied"),
        (lambda m: m.setattr(os, "fsync", no_folder), "Permission denied"),
    ],
    ids=["full disk", "closed folder", "rename refused", "sync refused"],
)
def test_failed_write_loses_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[pytest.MonkeyPatch], None], message: str
) -> None:
    before = tree(folder)
    with monkeypatch.context() as patched:
        spoil(patched)
        result = run("migrate", ".")
    assert result.exit_code == 2
    assert f"good.py:1:1: TNP904 cannot be written: {message}" in result.stdout
    assert tree(folder) == before


@pytest.mark.parametrize("where", ["before the rename", "between two files"])
def test_interruption_loses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    (folder / "second.py").write_text(GOOD)
    rename, done = Path.replace, []

    def replace(path: Path, target: Path) -> None:
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
    for format_ in ("text", "json", "sarif", "html"):
        assert run("migrate", ".", "--diff", "--format", format_).exit_code == 0
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
