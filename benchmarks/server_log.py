"""One session of an editor with the language server, as a log: `python benchmarks/server_log.py FOLDER FILE LINE`.

LINE is a statement of FILE that a migration changes. A client over standard input and output opens the file, asks what
the line becomes, types a line above it, asks what may be done there, suppresses what is said of the typed line,
rewrites the statement, and takes all of it back. Each step is printed with its time, and with what the server said.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

from server import Clock


class Log:
    """Steps with their times."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    def step(self, name: str, said: str) -> None:
        """Print a step that ends now; the next one begins."""
        now = time.monotonic()
        print(f"{name}  ({1000 * (now - self.began):.0f} ms)")
        for line in said.rstrip().splitlines():
            print(f"    {line}".rstrip())
        self.began = time.monotonic()


async def run(folder: Path, name: str, line: int) -> None:
    """Do the session."""
    editor = Clock(folder)
    await editor.begin()
    log = Log()
    editor.open(name)
    uri = editor.uri(name)
    text = editor.texts[uri]
    _, said = await editor.told_of(name)
    log.step(f"open {name}, {text.count(chr(10))} lines", f"{len(said)} findings")
    await editor.looked_at("project", 0)
    log.step("wait", f"{len(editor.last_said(name))} findings, with the project")
    log.step(f"hover over line {line}", (await editor.hover(name, line)).split("\n---")[0])

    lines = text.splitlines(keepends=True)
    blanks = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip())]
    typed = f"{blanks}edges = np.asarray([0.0, 1.0], order='F')\n"
    log.began = time.monotonic()
    await _type(editor, name, "".join([*lines[: line - 1], typed, *lines[line - 1 :]]), log, f"type `{typed.strip()}`")
    found = await editor.actions(name, line)
    log.step(f"actions on line {line}", "\n".join(_shown(title, found) for title in found))
    chosen = found[next(title for title in found if title.startswith("suppress"))]
    await _type(editor, name, editor.applied(name, chosen), log, f"apply: {chosen.title}")
    found = await editor.actions(name, line + 1)
    log.step(f"actions on line {line + 1}", "\n".join(_shown(title, found) for title in found))
    chosen = found["rewrite this statement"]
    await _type(editor, name, editor.applied(name, chosen), log, f"apply: {chosen.title}")
    looks = len(editor.looks)
    await _type(editor, name, text, log, "undo, three steps")
    await editor.looked_at(f"file {Path(name).name}", looks)
    log.step("wait", f"{len(editor.last_said(name))} findings, by a look at all of the file")
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()
    log.step("end", "")


def _shown(title: str, found: dict[str, object]) -> str:
    disabled = getattr(found[title], "disabled", None)
    return f"{title} (not offered: {disabled.reason})" if disabled else title


async def _type(editor: Clock, name: str, text: str, log: Log, step: str) -> None:
    before = set(editor.texts[editor.uri(name)].splitlines())
    changed = [f"{number}: {line}" for number, line in enumerate(text.splitlines(), 1) if line not in before]
    log.began = time.monotonic()
    editor.type(name, text)
    _, said = await editor.told_of(name)
    numbers = {int(one.partition(":")[0]) for one in changed}
    found = [f"{code} at line {line}: {words}" for code, line, words in sorted(said) if line in numbers]
    log.step(step, "\n".join([*changed[:4], f"{len(said)} findings", *found]))


def main() -> None:
    """Parse, and log."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file")
    parser.add_argument("line", type=int)
    given = parser.parse_args()
    asyncio.run(run(given.folder.resolve(), given.file, given.line))


if __name__ == "__main__":
    main()
