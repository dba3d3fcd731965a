"""How soon the language server answers after an edit in a project: `python benchmarks/server.py FOLDER FILE`.

Opens FILE of FOLDER in a client over standard input and output, adds a line a few times as one types, and prints when
diagnostics of the new text come: those of the file alone, and those of the project. The server's own rests after an
edit (0.12 s, and 0.8 s before the project) are part of the times. Needs pygls.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from test_server import Editor

PROBE = "_probe{} = __import__('numpy').asarray(0, order='F')\n"


async def waited(editor: Editor, uri: str, wanted: int) -> float:
    """Seconds until as many findings of the probe are shown."""
    began = time.monotonic()
    while sum(one.code == "TNP407" for one in editor.told.get(uri, [])) != wanted:
        editor.news.clear()
        await editor.news.wait()
    return time.monotonic() - began


async def measure(folder: Path, name: str, edits: int, *, project: bool) -> None:
    """Print a log of a session with its times."""
    editor = Editor(folder)
    await editor.begin()
    uri = editor.uri(name)
    text = (folder / name).read_text()
    known = 0
    began = time.monotonic()
    editor.open(name)
    while uri not in editor.told:
        editor.news.clear()
        await editor.news.wait()
    known = sum(one.code == "TNP407" for one in editor.told[uri])
    print(
        f"open {name} ({text.count(chr(10))} lines): {len(editor.told[uri])} findings, {time.monotonic() - began:.2f} s"
    )
    if project:
        while len(editor.told) < 2:
            editor.news.clear()
            await editor.news.wait()
        print(f"the project, first: {len(editor.told)} files with findings, {time.monotonic() - began:.1f} s")
    times = []
    for number in range(edits):
        text = text + "import numpy\n" * (number == 0) + PROBE.format(number).replace("__import__('numpy')", "numpy")
        editor.type(name, text)
        times.append(await waited(editor, uri, known + number + 1))
        print(f"edit {number + 1}: {1000 * times[-1]:.0f} ms")
    began = time.monotonic()
    page = await editor.hover(name, text.count("\n"))
    print(f"hover: {len(page)} characters, {1000 * (time.monotonic() - began):.0f} ms")
    began = time.monotonic()
    found = await editor.actions(name, text.count("\n"))
    print(f"actions: {', '.join(found)}, {1000 * (time.monotonic() - began):.0f} ms")
    editor.type(name, (folder / name).read_text())
    print(f"undo: {1000 * await waited(editor, uri, known):.0f} ms")
    print(f"median of the edits: {1000 * median(times):.0f} ms")
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()


def main() -> None:
    """Parse, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file")
    parser.add_argument("--edits", type=int, default=5)
    parser.add_argument("--project", action="store_true", help="wait for the first run over the project")
    options = parser.parse_args()
    asyncio.run(measure(options.folder.resolve(), options.file, options.edits, project=options.project))


if __name__ == "__main__":
    main()
