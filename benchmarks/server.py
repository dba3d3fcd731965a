"""How soon the language server answers after an edit in a project: `python benchmarks/server.py FOLDER FILE...`.

A client over standard input and output opens each FILE of FOLDER and waits for what the project says. Then it types a
line into a function, another one below it, and takes both back, in functions drawn at random (the same ones for the
same seed). It prints when the first diagnostics of each new text come, whether they name the line and, with
`--settled`, whether they are those of the looks at the file and at the project that follow. The server's own rest after
an edit (0.03 s) is part of the times. Needs pygls.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import random
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from lsprotocol import types

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from test_server import Editor

PROBE = "TNP407"  # what is said of the typed line, where its function is no island
Said = frozenset[tuple[str, int, str]]


class Clock(Editor):
    """A client that notes when it is told what, of which version of a document."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.heard: dict[tuple[str, int | None], list[tuple[float, Said]]] = {}

    def hear(self, told: types.PublishDiagnosticsParams) -> None:
        """Note what is told."""
        said = frozenset((str(one.code), one.range.start.line + 1, one.message) for one in told.diagnostics)
        self.heard.setdefault((told.uri, told.version), []).append((time.monotonic(), said))
        super().hear(told)

    async def told_of(self, name: str, look: int = 1) -> tuple[float, Said]:
        """When a document as it stands was told of, by the first look that follows or a later one; and what."""
        uri = self.uri(name)
        while len(found := self.heard.get((uri, self.versions[uri]), [])) < look:
            self.news.clear()
            await self.news.wait()
        return found[look - 1]


@dataclass
class Times:
    """Seconds until the first answer, by what the edit was; how many were right, and stayed as they were."""

    of: dict[str, list[float]] = field(default_factory=dict)
    unsaid: int = 0
    settled: int = 0
    stayed: int = 0


@dataclass(frozen=True)
class Place:
    """The beginning of a function's body: the line above, and what to type."""

    file: str
    function: str
    line: int
    typed: str


def places_in(folder: Path, name: str) -> list[Place]:
    """The functions into which a line can be typed."""
    text = (folder / name).read_text()
    numpy = re.search(r"^import numpy as (\w+)", text, re.MULTILINE)
    return [
        Place(name, one.name, first.end_lineno or first.lineno, " " * first.col_offset + _probe(numpy))
        for one in ast.walk(ast.parse(text))
        if isinstance(one, ast.FunctionDef) and len(one.body) > 1 and ast.get_docstring(one) is not None
        for first in one.body[:1]
    ]


def _probe(numpy: re.Match[str] | None) -> str:
    return f"_probe = {numpy[1] if numpy else 'numpy'}.asarray(0, order='F')\n"


async def opened(editor: Clock, names: list[str]) -> None:
    """Open files, and wait for what the project says of them."""
    began = time.monotonic()
    for name in names:
        editor.open(name)
    for look, who in ((1, "alone"), (2, "in the project")):
        for name in names:
            when, said = await editor.told_of(name, look)
            lines = editor.texts[editor.uri(name)].count("\n")
            print(f"open {name} ({lines} lines), {who}: {len(said)} findings, {when - began:.2f} s", flush=True)


async def edited(editor: Clock, place: Place, times: Times, *, settled: bool) -> None:
    """Type two lines and take them back."""
    before = editor.texts[editor.uri(place.file)]
    lines = before.splitlines(keepends=True)
    print(f"{place.file}, {place.function}")
    for number, kind in ((1, "edit"), (2, "next edit"), (0, "undo")):
        text = "".join([*lines[: place.line], *([place.typed] * number), *lines[place.line :]])
        began = time.monotonic()
        editor.type(place.file, text)
        when, said = await editor.told_of(place.file)
        times.of.setdefault(kind, []).append(when - began)
        named = {line for code, line, _ in said if code == PROBE} >= {place.line + 1 + n for n in range(number)}
        times.unsaid += not named
        print(f"  {kind}: {1000 * (when - began):.0f} ms" + ("" if named else ", the line is not named"), flush=True)
        if settled and number == 1:
            times.settled += 1
            times.stayed += await _stays(editor, place.file, said, began)


async def _stays(editor: Clock, name: str, said: Said, began: float) -> bool:
    for look, who in ((2, "the file"), (3, "the project")):
        when, later = await editor.told_of(name, look)
        words = "the same" if later == said else f"{len(later - said)} more, {len(said - later)} fewer"
        print(f"    {who}, {when - began:.1f} s: {words}", flush=True)
    return later == said


async def measure(folder: Path, names: list[str], edits: int, seed: int, *, settled: bool, rest: float) -> None:
    """Print a log of a session with its times."""
    editor = Clock(folder)
    await editor.begin()
    await opened(editor, names)
    places = [place for name in names for place in places_in(folder, name)]
    random.Random(seed).shuffle(places)  # noqa: S311
    times = Times()
    for place in places[:edits]:
        await asyncio.sleep(rest)
        await edited(editor, place, times, settled=settled)
    for kind, found in times.of.items():
        tenth = quantiles(found, n=10)[-1] if len(found) > 1 else found[0]
        words = f"median {1000 * median(found):.0f} ms, nine of ten within {1000 * tenth:.0f} ms"
        print(f"{kind}: {len(found)}, {words}, {sum(one <= 0.2 for one in found)} within 200 ms")
    print(f"lines not named: {times.unsaid}")
    if settled:
        print(f"first answers that the project's look leaves as they are: {times.stayed} of {times.settled}")
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()


def main() -> None:
    """Parse, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--edits", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settled", action="store_true", help="wait for the looks at file and project after each edit")
    parser.add_argument("--rest", type=float, default=0.0, help="seconds without an edit before each function")
    given = parser.parse_args()
    folder = given.folder.resolve()
    asyncio.run(measure(folder, given.files, given.edits, given.seed, settled=given.settled, rest=given.rest))


if __name__ == "__main__":
    main()
