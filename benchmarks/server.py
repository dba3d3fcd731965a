"""How soon the language server answers after an edit in a project: `python benchmarks/server.py FOLDER FILE...`.

A client over standard input and output opens each FILE of FOLDER and waits for what the project says. Then it types a
line into a function, another one below it, and takes both back, in functions drawn at random (the same ones for the
same seed). It prints when the first diagnostics of each new text come, whether they name the line and, with
`--settled`, whether they are those of the looks at the file and at the project that follow. The server's own rest after
an edit (0.03 s) is part of the times. On Linux it prints as well how long the server had a processor, and how long it
waited for one since other programs had them. The rest and the work alone are what free processors would take. Needs
pygls.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import contextlib
import random
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from lsprotocol import types

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from editor import Editor

PROBE = "TNP407"  # what is said of the typed line, where its function is no island
REST = 0.03  # seconds that the server waits for another edit
Said = frozenset[tuple[str, int, str]]


class Clock(Editor):
    """A client that notes when it is told what, of which version of a document, and when a look has ended."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.heard: dict[tuple[str, int | None], list[tuple[float, Said]]] = {}
        self.looks: list[str] = []

        @self.feature(types.LOG_TRACE)
        def noted(parameters: types.LogTraceParams) -> None:
            self.looks.append(parameters.message.partition(":")[0])
            self.news.set()

    async def begin(self) -> None:
        """Begin, and ask for notes of what is looked at."""
        await super().begin()
        self.set_trace(types.SetTraceParams(types.TraceValue.Messages))

    def hear(self, told: types.PublishDiagnosticsParams) -> None:
        """Note what is told."""
        said = frozenset((str(one.code), one.range.start.line + 1, one.message) for one in told.diagnostics)
        self.heard.setdefault((told.uri, told.version), []).append((time.monotonic(), said))
        super().hear(told)

    def write(self, uri: str, text: str) -> None:
        """Leave the folder that is measured as it is."""

    async def told_of(self, name: str) -> tuple[float, Said]:
        """When a document as it stands was first told of, and what."""
        while not (found := self.heard.get((self.uri(name), self.versions[self.uri(name)]), [])):
            await self._more()
        return found[0]

    async def looked_at(self, what: str, since: int) -> None:
        """Wait for the end of a look at a file or at the project, `since` so many looks."""
        while what not in self.looks[since:]:
            await self._more()

    def last_said(self, name: str) -> Said:
        """What was last told of a document as it stands."""
        return self.heard[self.uri(name), self.versions[self.uri(name)]][-1][1]

    def spent(self) -> tuple[float, float]:
        """Seconds for which the server's threads have had a processor, and have waited for one; 0 where not known."""
        server = self._server
        found = Path(f"/proc/{server.pid}/task").glob("*/schedstat") if server is not None else ()
        times = []
        for one in found:
            with contextlib.suppress(OSError):  # a thread that has ended
                times.append([int(number) / 1e9 for number in one.read_text().split()[:2]])
        return sum(one[0] for one in times), sum(one[1] for one in times)

    async def _more(self) -> None:
        self.news.clear()
        await self.news.wait()


@dataclass
class Times:
    """Seconds until the first answer, by what the edit was; how many were right, and stayed as they were.

    `spent` are those for which the server had a processor.
    """

    of: dict[str, list[float]] = field(default_factory=dict)
    spent: dict[str, list[float]] = field(default_factory=dict)
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
    """Open files, and wait for what the project says of them, and until their functions have been looked at."""
    began = time.monotonic()
    for name in names:
        editor.open(name)
    for name in names:
        when, said = await editor.told_of(name)
        lines = editor.texts[editor.uri(name)].count("\n")
        print(f"open {name} ({lines} lines): {len(said)} findings, {when - began:.2f} s", flush=True)
    await editor.looked_at("project", 0)
    for name in names:
        await editor.looked_at(f"functions of {Path(name).name}", 0)
    found = ", ".join(str(len(editor.last_said(name))) for name in names)
    print(f"project: {found} findings, {time.monotonic() - began:.2f} s", flush=True)


async def edited(editor: Clock, place: Place, times: Times, *, settled: bool) -> None:
    """Type two lines and take them back."""
    before = editor.texts[editor.uri(place.file)]
    lines = before.splitlines(keepends=True)
    print(f"{place.file}, {place.function}")
    for number, kind in ((1, "edit"), (2, "next edit"), (0, "undo")):
        text = "".join([*lines[: place.line], *([place.typed] * number), *lines[place.line :]])
        looks, before_it = len(editor.looks), editor.spent()
        began = time.monotonic()
        editor.type(place.file, text)
        when, said = await editor.told_of(place.file)
        spent, waited = (now - then for now, then in zip(editor.spent(), before_it, strict=True))
        times.of.setdefault(kind, []).append(when - began)
        times.spent.setdefault(kind, []).append(spent)
        named = {line for code, line, _ in said if code == PROBE} >= {place.line + 1 + n for n in range(number)}
        times.unsaid += not named
        words = f"{_ms(when - began)}, of it {_ms(spent)} with a processor, {_ms(waited)} waiting for one"
        print(f"  {kind}: {words}{'' if named else '; the line is not named'}", flush=True)
        if settled and number == 1:
            times.settled += 1
            times.stayed += await _stays(editor, place.file, said, (began, looks))


async def _stays(editor: Clock, name: str, said: Said, since: tuple[float, int]) -> bool:
    began, looks = since
    for look in (f"file {Path(name).name}", "project"):
        await editor.looked_at(look, looks)
        later = editor.last_said(name)
        words = "the same" if later == said else f"{len(later - said)} more, {len(said - later)} fewer"
        print(f"    {look}, {time.monotonic() - began:.1f} s: {words}", flush=True)
    return later == said


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


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
    for kind in times.of:
        print(f"{kind}: {len(times.of[kind])}, {_summary(times.of[kind])}")
        print(f"  by rest and work alone: {_summary([REST + one for one in times.spent[kind]])}")
    print(f"lines not named: {times.unsaid}")
    if settled:
        print(f"first answers that the project's look leaves as they are: {times.stayed} of {times.settled}")
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()


def _summary(found: list[float]) -> str:
    tenth = quantiles(found, n=10)[-1] if len(found) > 1 else found[0]
    words = f"median {_ms(median(found))}, nine of ten within {_ms(tenth)}, all within {_ms(max(found))}"
    return f"{words}, {sum(one <= 0.2 for one in found)} within 200 ms"


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
