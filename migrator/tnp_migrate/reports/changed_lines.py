"""Which lines changed since a revision, as git says: against the merge base, renamed files followed."""

from __future__ import annotations

import codecs
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.program.config import ConfigError
from tnp_migrate.text.roots import repository_of

# Every option that a user's configuration could turn the other way is given.
_DIFF = (
    *("diff", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--text", "--no-color", "--no-ext-diff"),
    *("--no-textconv", "--no-relative", "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/"),
)
_HUNK = re.compile(rb"@@ -\d+(?:,(?P<gone>\d+))? \+(?P<start>\d+)(?:,(?P<count>\d+))? @@")
Lines = list[tuple[float, float]]


class RevisionError(ConfigError):
    """Git cannot say what changed; the message is for the user."""


@dataclass(frozen=True)
class Changes:
    """By repository, the changed lines of its tracked files that differ, and which files are tracked.

    Names are git's: bytes, from the root. Where lines were only taken out, the gap between two lines has changed: the
    interval from 4.5 to 4.5 is the one between lines 4 and 5.
    """

    lines: dict[Path, dict[bytes, Lines]]
    tracked: dict[Path, frozenset[bytes]]

    def touch(self, location: Path, first: int, last: int) -> bool:
        """Whether a line from `first` to `last` of a file changed; of a file that git does not track, all did."""
        real = location.resolve()
        root = next((place for place in real.parents if place in self.lines), None)
        if root is None:
            return True
        name = os.fsencode(real.relative_to(root))
        if name not in self.tracked[root]:
            return True
        return any(start <= last and first <= end for start, end in self.lines[root].get(name, ()))


def changes_since(revision: str, paths: Iterable[Path]) -> Changes:
    """Ask git what changed in the repositories of some paths since the merge base of `revision` and HEAD.

    Lines are those of the files as they are on disk now, committed or not. Raises `RevisionError`.
    """
    lines: dict[Path, dict[bytes, Lines]] = {}
    tracked: dict[Path, frozenset[bytes]] = {}
    for path in paths:
        is_stdin = path == Path("-")
        if not path.exists() and not is_stdin:
            continue  # which is said elsewhere
        root = None if is_stdin else repository_of(path.resolve())
        if root is None:
            name = "standard input" if is_stdin else path
            raise RevisionError(f"{name} is in no git repository: nothing says what changed since {revision}")
        if root not in lines:
            base = _merge_base(root, revision)
            lines[root] = dict(_read(_git(root, *_DIFF, base, "--")))
            tracked[root] = frozenset(_git(root, "ls-files", "-z").split(b"\0"))
    return Changes(lines, tracked)


def _merge_base(root: Path, revision: str) -> str:
    try:
        commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except RevisionError as error:
        reason = f": {error}" if str(error) else ""
        message = f"{root} has no revision {revision!r}{reason}. Fetch it first; CI systems often clone one commit only"
        raise RevisionError(message) from None
    try:
        return _git(root, "merge-base", "HEAD", commit.decode().strip()).decode().strip()
    except RevisionError as error:
        reason = f": {error}" if str(error) else ""
        message = f"{root}: HEAD and {revision!r} have no common ancestor{reason}. A shallow clone has to fetch more"
        raise RevisionError(message) from None


def _git(root: Path, *arguments: str) -> bytes:
    """Run git in a repository and return what it prints; `RevisionError` with its own message where it fails."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}  # a hook sets GIT_DIR
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False, env=own)  # noqa: S603, S607
    except FileNotFoundError:
        raise RevisionError("git is not installed") from None
    if done.returncode:
        raise RevisionError(done.stderr.decode(errors="replace").strip())
    return done.stdout


def _read(patch: bytes) -> Iterator[tuple[bytes, Lines]]:
    """Read a patch without context: for each file that is still there, the changed lines of its new text.

    What hunks contain is counted, not looked at: a line of a file may look like a header.
    """
    name, found = b"", Lines()
    rest = iter(patch.split(b"\n"))
    for line in rest:
        if line.startswith(b"+++ "):
            if name:
                yield name, found
            name, found = _name(line[4:]), Lines()
        elif hunk := _HUNK.match(line):
            gone, count = (1 if hunk[key] is None else int(hunk[key]) for key in ("gone", "count"))
            start = int(hunk["start"])
            found.append((start, start + count - 1) if count else (start + 0.5, start + 0.5))
            left = gone + count
            while left:
                left -= not next(rest, b"").startswith(b"\\")  # "\ No newline at end of file" is no line
    if name:
        yield name, found


def _name(written: bytes) -> bytes:
    """Read a name of a patch: quoted as in C where it has odd characters, with a tab behind it where it has blanks."""
    plain = written.removesuffix(b"\t")
    if plain.startswith(b'"'):
        plain = codecs.escape_decode(plain[1:-1])[0]
    return plain.removeprefix(b"b/") if plain != b"/dev/null" else b""
