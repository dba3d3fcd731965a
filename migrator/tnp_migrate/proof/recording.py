"""A recording on disk, read without trust: every path, size and type is checked before it is used.

FOLDER/index.json                what was recorded, of which sources, by which command
FOLDER/processes/NAME.jsonl      a line for each kept call of one process
FOLDER/processes/NAME.json       what is known of all calls of that process
FOLDER/arrays/ab/abcd...npy      memory of arrays, by content
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from tnp_migrate.proof.inside.refusals import BadRecording

SCHEMA = 1
INDEX = "index.json"
PROCESSES = "processes"
LONGEST_LINE = 64 << 20
LARGEST_FILE = 1 << 30
Key = tuple[str, str, str]  # file, qualified name, role


@dataclass(frozen=True)
class KeptCall:
    """Where a call stands: the recording, the file in it, the first byte of its line and the number of bytes."""

    folder: Path
    file: str
    start: int
    length: int
    kind: str
    digest: str
    branches: frozenset[int] = frozenset()


@dataclass(eq=False)
class RecordedFunction:
    """What is known of one function: how often it was called, with which kinds, and which of its calls are kept.

    `seen` has for each parameter that calls gave what it was, how often, and in which test first.
    """

    key: Key
    module: str
    line: int
    calls: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    seen: dict[str, dict[str, tuple[int, str]]] = field(default_factory=dict)
    not_kept: dict[str, int] = field(default_factory=dict)
    kept: list[KeptCall] = field(default_factory=list)


@dataclass(frozen=True)
class Recording:
    """One or several recordings of a project. `path` are folders of it that its programs imported from."""

    functions: dict[Key, RecordedFunction]
    sources: dict[str, str]
    path: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    seconds: float
    over: bool


def digest_of(data: bytes) -> str:
    """What a source file is known by in the index."""
    return hashlib.sha256(data).hexdigest()[:32]


def read_recordings(folders: Sequence[Path], keep: int = 8) -> Recording:
    """Read recordings as one, with at most `keep` different calls of a function. Raises `BadRecording`."""
    functions: dict[Key, RecordedFunction] = {}
    sources: dict[str, str] = {}
    path: dict[str, None] = {}
    commands, seconds, over = [], 0.0, False
    for folder in folders:
        index = _index(folder)
        sources |= {_place(name, folder): str(digest) for name, digest in _object(index, "sources", folder).items()}
        commands.append(tuple(map(str, _list(index, "command", folder))))
        for name in sorted(_files(folder, ".json")):
            document = _document(folder / PROCESSES / name)
            path |= dict.fromkeys(_path_of(document, folder))
            over, seconds = over or document.get("over") is True, seconds + _number(document, "seconds")
            _add_counts(document, functions, folder)
        for name in sorted(_files(folder, ".jsonl")):
            for call, header in _kept(folder, name):
                path |= dict.fromkeys(_path_of(header, folder))
                key = _key(header, folder)
                functions.setdefault(key, RecordedFunction(key, _module(key[0]), 0)).kept.append(call)
    for function in functions.values():
        function.kept = list(_chosen(function.kept, keep))
    return Recording(functions, sources, tuple(path), tuple(commands), seconds, over)


def _chosen(calls: Iterable[KeptCall], keep: int) -> Iterator[KeptCall]:
    """At most `keep` different calls: first one of each kind, then the second of each, and so on.

    And as many again for the branches that only they run. What runs a new branch comes first, as time may run out.
    """
    by_kind: dict[str, dict[str, KeptCall]] = {}
    for call in calls:
        by_kind.setdefault(call.kind, {}).setdefault(call.digest, call)
    rounds = max(map(len, by_kind.values()), default=0)
    columns = [list(same.values()) for same in by_kind.values()]
    ordered = [column[turn] for turn in range(rounds) for column in columns if turn < len(column)]
    first: list[KeptCall] = []
    then: list[KeptCall] = []
    ran: set[int] = set()
    for place, call in enumerate(ordered):
        if not call.branches <= ran:
            first.append(call)
            ran |= call.branches
        elif place < keep:
            then.append(call)
    yield from [*first, *then][: 2 * keep]


def _index(folder: Path) -> dict[str, Any]:
    index = _document(folder / INDEX)
    if index.get("schema") != SCHEMA:
        raise BadRecording(f"{folder / INDEX}: schema {index.get('schema')!r}, this version reads {SCHEMA}")
    return index


def _document(path: Path) -> dict[str, Any]:
    if path.is_symlink() or not path.is_file():
        raise BadRecording(f"{path}: is not there; `tnp-migrate record PATH -- COMMAND` makes a recording")
    if path.stat().st_size > LONGEST_LINE:
        raise BadRecording(f"{path}: is larger than the recorder writes")
    return _parsed(path.read_bytes(), path)


def _parsed(data: bytes, path: Path) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadRecording(f"{path}: is not what the recorder writes: {error}") from None
    if not isinstance(found, dict):
        raise BadRecording(f"{path}: holds no object")
    return found


def _files(folder: Path, suffix: str) -> Iterator[str]:
    place = folder / PROCESSES
    if not place.is_dir() or place.is_symlink():
        return
    for one in place.iterdir():
        if one.suffix == suffix:
            if one.is_symlink() or not one.is_file() or one.stat().st_size > LARGEST_FILE:
                raise BadRecording(f"{one}: is no file that the recorder writes")
            yield one.name


def _kept(folder: Path, name: str) -> Iterator[tuple[KeptCall, dict[str, Any]]]:
    """The calls of one process that were not dropped again, each with its parsed line."""
    found: dict[int, tuple[KeptCall, dict[str, Any]]] = {}
    header: dict[str, Any] = {}
    start = 0
    with (folder / PROCESSES / name).open("rb") as file:
        while line := file.readline(LONGEST_LINE):
            begin, start = start, start + len(line)
            if not line.endswith(b"\n"):
                if len(line) == LONGEST_LINE:
                    raise BadRecording(f"{folder / PROCESSES / name}: a line is longer than the recorder writes")
                break  # a killed process leaves its last line unfinished
            entry = _parsed(line, folder / PROCESSES / name)
            if "process" in entry:
                header = {"process": entry["process"]}
            elif "dropped" in entry:
                dropped = entry["dropped"]
                found.pop(dropped if isinstance(dropped, int) else -1, None)
            else:
                digest = hashlib.sha256(json.dumps(entry | {"number": 0}).encode()).hexdigest()
                call = KeptCall(folder, name, begin, len(line), str(entry.get("kind")), digest, _branches_of(entry))
                number = entry.get("number")
                found[number if isinstance(number, int) else -1] = (call, {"function": entry.get("function"), **header})
    yield from found.values()


def _branches_of(entry: dict[str, Any]) -> frozenset[int]:
    """The branches that a call has run; a recording that has none, or something else, says nothing of them."""
    found = entry.get("branches")
    return frozenset(one for one in found if isinstance(one, int)) if isinstance(found, list) else frozenset()


def _add_counts(document: dict[str, Any], functions: dict[Key, RecordedFunction], folder: Path) -> None:
    for row in _list(document, "functions", folder):
        if not isinstance(row, dict):
            raise BadRecording(f"{folder}: a function is no object")
        key = _key(row, folder)
        module, line = str(row.get("module")), row.get("line")
        own = functions.setdefault(key, RecordedFunction(key, module, 0))
        own.module, own.line = module, line if isinstance(line, int) else 0
        own.calls += int(_number(row, "calls"))
        for kind, count in (pair for pair in _list(row, "kinds", folder) if isinstance(pair, list) and len(pair) == 2):
            own.kinds[str(kind)] = own.kinds.get(str(kind), 0) + (count if isinstance(count, int) else 0)
        for reason, count in _object(row, "not_kept", folder).items():
            own.not_kept[reason] = own.not_kept.get(reason, 0) + (count if isinstance(count, int) else 0)
        _add_seen(own, _object(row, "seen", folder), folder)


def _add_seen(own: RecordedFunction, row: dict[str, Any], folder: Path) -> None:
    for name in row:
        found = own.seen.setdefault(name, {})
        for words, told in _object(row, name, folder).items():
            count, test = told if isinstance(told, list) and len(told) == 2 else (None, None)
            if not isinstance(count, int) or not isinstance(test, str):
                raise BadRecording(f"{folder}: what {own.key[1]!r} was called with is not what the recorder writes")
            before, first = found.get(words, (0, test))
            found[words] = (before + count, first or test)


def _key(entry: dict[str, Any], folder: Path) -> Key:
    key = entry.get("function")
    if not isinstance(key, list) or len(key) != 3 or not all(isinstance(part, str) for part in key):
        raise BadRecording(f"{folder}: {str(key)[:60]} names no function")
    return _place(key[0], folder), key[1], key[2]


def _place(name: Any, folder: Path) -> str:
    """A path that leads to no place outside of the project."""
    path = PurePosixPath(name) if isinstance(name, str) else PurePosixPath("/")
    if path.is_absolute() or ".." in path.parts or "\\" in str(path) or "\0" in str(path) or ":" in str(path):
        raise BadRecording(f"{folder}: {str(name)[:80]!r} is no path in the project")
    return str(path)


def _path_of(document: dict[str, Any], folder: Path) -> list[str]:
    process = document.get("process")
    if not isinstance(process, dict):
        return []
    return [_place(name, folder) for name in _list(process, "path", folder)]


def _module(place: str) -> str:
    """A file whose process has left no counts is taken by its path."""
    return f"@{place}"


def _list(document: dict[str, Any], name: str, folder: Path) -> list[Any]:
    found = document.get(name, [])
    if not isinstance(found, list):
        raise BadRecording(f"{folder}: {name!r} is no list")
    return found


def _object(document: dict[str, Any], name: str, folder: Path) -> dict[str, Any]:
    found = document.get(name, {})
    if not isinstance(found, dict):
        raise BadRecording(f"{folder}: {name!r} is no object")
    return found


def _number(document: dict[str, Any], name: str) -> float:
    found = document.get(name, 0)
    return found if isinstance(found, (int, float)) and math.isfinite(found) else 0
