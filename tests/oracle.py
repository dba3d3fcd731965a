"""An oracle for lost writes: what memory a program writes to, who shares it then, and whose share a translation loses.

`observe` runs a program under a tracer. Between two lines it sees which buffers changed (by their bytes), and which
places share those bytes (by their addresses). `lost_writes` runs the original and its translation, and compares the
live places between the statements of `run`: one that differs lost the last write to its memory.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType, ModuleType
from typing import Any

import numpy as np
from fixture_cases import own_members
from handed_out_programs import Files
from handed_out_runs import Translated, limited, translate
from oracle_places import places
from program_modules import loaded, module_name

LIMIT = 60
MOST_LINES = 5_000
FOLDER = "<observed>"
MARK = "# point "
END = 1_000_000  # the number of the point at which `run` returns


@dataclass(frozen=True)
class Write:
    """A change of some bytes of a buffer, the line that made it, and the places that share these bytes then."""

    file: str
    line: int
    function: str
    places: tuple[str, ...]
    buffer: int
    first: int
    last: int


@dataclass(frozen=True)
class Held:
    """An array in a place at some moment: a copy of it, and which bytes of which buffer it is."""

    content: Any
    buffer: int = -1
    first: int = 0
    last: int = 0


@dataclass(frozen=True)
class Lost:
    """A place that does not see the last write to its memory."""

    write: Write
    place: str
    point: int

    def __str__(self) -> str:
        return f"{self.write.file}:{self.write.line} in {self.write.function}: {self.place}"


@dataclass
class Observed:
    """What was seen of a run: writes; at each point of `run` its places, and how many writes there were before."""

    writes: list[Write] = field(default_factory=list)
    points: dict[int, dict[str, Held]] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    error: Exception | None = None


class Tracer:
    """Looks at all buffers that can be reached whenever a line of the program is about to run, or a function ends."""

    def __init__(self, names: frozenset[str], points: dict[int, int], *, writes: bool) -> None:
        self.names, self.points, self.looks = names, points, writes
        self.modules = frozenset(map(module_name, names))
        self.observed = Observed()
        self.buffers: dict[int, tuple[Any, bytes]] = {}
        self.last: tuple[str, int, str] = ("", 0, "")
        self.run: FrameType | None = None
        self.lines = 0
        self.raised = False

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not self.is_own(frame):
            return None
        self.lines += 1
        if self.looks and self.lines < MOST_LINES:
            self.look(frame, [(f"{frame.f_code.co_name}.return", arg)] if event == "return" else [])
        if self.run is None and frame.f_code.co_name == "run" and frame.f_code.co_filename == f"{FOLDER}/main.py":
            self.run = frame
        if frame is self.run and event in {"line", "return"}:
            number = self.points.get(frame.f_lineno, -1) if event == "line" else -1 if self.raised else END
            if number >= 0 and number not in self.observed.points:
                self.note(number, frame, arg if event == "return" else None)
        self.raised = event == "exception"  # the end that follows at once is no return
        self.last = self.at(frame)
        if event == "return" and frame.f_back is not None and self.is_own(frame.f_back):
            self.last = self.at(frame.f_back)
        return self

    def is_own(self, frame: FrameType) -> bool:
        return frame.f_code.co_filename.removeprefix(f"{FOLDER}/") in self.names

    def at(self, frame: FrameType) -> tuple[str, int, str]:
        return frame.f_code.co_filename.removeprefix(f"{FOLDER}/"), frame.f_lineno, frame.f_code.co_name

    def look(self, frame: FrameType | None, handed: list[tuple[str, Any]]) -> None:
        """Compare all buffers with what they held, and note the writes; what is `handed` back has no place yet."""
        given = places(handed, self.modules)
        held = [*self.held(frame), *(one for one in given if isinstance(one[1], np.ndarray))]
        for _, value in held:
            owner = root(value)
            if address(owner) not in self.buffers:
                self.buffers[address(owner)] = (owner, owner.tobytes())
        for key, (owner, before) in list(self.buffers.items()):
            after = owner.tobytes()
            if after == before:
                continue
            self.buffers[key] = (owner, after)
            first, last = extent(owner, before, after)
            shared = sorted({path for path, value in held if overlaps(value, key, first, last)})
            self.observed.writes.append(Write(*self.last, tuple(shared), key, first, last))

    def held(self, frame: FrameType | None) -> Iterator[tuple[str, Any]]:
        """The places of all modules and of all frames of the program up the stack."""
        yield from self.in_modules()
        while frame is not None:
            if self.is_own(frame) and frame.f_code.co_name != "<module>":
                name = frame.f_code.co_name
                roots = [(f"{name}.{local}", value) for local, value in list(frame.f_locals.items())]
                yield from (one for one in places(roots, self.modules) if isinstance(one[1], np.ndarray))
            frame = frame.f_back

    def in_modules(self) -> Iterator[tuple[str, Any]]:
        """The places that the program's modules lead to."""
        for name in sorted(self.modules & set(sys.modules)):
            held = vars(sys.modules[name])
            roots = [(f"{name}:{key}", value) for key, value in list(held.items()) if not is_foreign(key, value)]
            yield from places(roots, self.modules)

    def note(self, number: int, frame: FrameType, result: Any) -> None:
        """Keep what all places hold at a point of `run`; at its end, what it returns."""
        roots = [("result", result)] if result is not None else list(frame.f_locals.items())
        found = dict([*self.in_modules(), *places(roots, self.modules)])
        self.observed.points[number] = {path: self.kept(value) for path, value in found.items()}
        self.observed.before[number] = len(self.observed.writes)

    def kept(self, value: Any) -> Held:
        if not isinstance(value, np.ndarray):
            return Held(value.numpy())
        return Held(np.array(value), address(root(value)), *np.lib.array_utils.byte_bounds(value))


def is_foreign(name: str, value: Any) -> bool:
    return name.startswith("__") or isinstance(value, ModuleType)


def root(array: Any) -> Any:
    """The array that owns the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def address(array: Any) -> int:
    found: int = array.__array_interface__["data"][0]
    return found


def extent(owner: Any, before: bytes, after: bytes) -> tuple[int, int]:
    """The addresses of the bytes that changed, from copies of a buffer, which are in C order."""
    low, high = np.lib.array_utils.byte_bounds(owner)
    if not owner.flags.c_contiguous or len(before) != len(after):
        return low, high
    changed = np.flatnonzero(np.frombuffer(before, np.uint8) != np.frombuffer(after, np.uint8))
    return low + int(changed[0]), low + int(changed[-1]) + 1


def overlaps(array: Any, buffer: int, first: int, last: int) -> bool:
    """Whether an array lies over these bytes of a buffer."""
    low, high = np.lib.array_utils.byte_bounds(array)
    return address(root(array)) == buffer and low < last and first < high


def observe(files: Files, points: dict[int, int] | None = None, *, writes: bool = True) -> Observed:
    """Run a program's `run` under a tracer; `points` gives the numbers of the lines to note the places at."""
    tracer = Tracer(
        frozenset(name for name in files if not name.endswith("_tnp_helpers.py")), points or {}, writes=writes
    )
    before = sys.gettrace()
    with warnings.catch_warnings(), own_members(), limited(LIMIT):
        warnings.simplefilter("ignore")
        try:
            sys.settrace(tracer)
            with loaded(files, FOLDER) as main:
                main.run()
                tracer.look(None, [])
        except Exception as error:  # noqa: BLE001 - what a program raises is its outcome
            tracer.observed.error = error
        finally:
            sys.settrace(before)
    return tracer.observed


def lost_writes(files: Files, translated: Callable[[Files], Translated] = translate) -> list[Lost]:
    """The writes that the translation loses first: all places that differ at the first point where one does."""
    marked = {**files, "main.py": with_points(files["main.py"])}
    expected = observe(marked, points_of(marked["main.py"]))
    assert expected.error is None, f"the program itself must run on NumPy: {expected.error!r}"
    made = translated(marked)
    actual = observe({name: made.files[name] for name in made.files}, points_of(made.files["main.py"]), writes=False)
    statements = body_of(marked["main.py"])
    for number in sorted(expected.points.keys() & actual.points.keys()):
        alive = live(statements, number)
        lost = [
            Lost(unmarked(write, marked[write.file]), path, number)
            for path, held in expected.points[number].items()
            if is_alive(path, alive) and differs(held, actual.points[number].get(path))
            if (write := last_write(expected, number, held)) is not None
        ]
        if lost:
            return sorted(lost, key=str)
    return []


def differs(expected: Held, actual: Held | None) -> bool:
    """Whether a place holds other numbers; one that is not there any more says nothing."""
    if actual is None:
        return False
    left, right = expected.content, np.asarray(actual.content)
    if left.shape != right.shape:
        return True
    if left.dtype.kind not in "biufc" or right.dtype.kind not in "biufc":
        return not np.array_equal(left, right)
    return not np.allclose(left, right, rtol=1e-4, atol=1e-4, equal_nan=True)


def last_write(observed: Observed, number: int, held: Held) -> Write | None:
    """The last write to the memory of a place, before a point."""
    for write in reversed(observed.writes[: observed.before[number]]):
        if write.buffer == held.buffer and write.first < held.last and held.first < write.last:
            return write
    return None


def body_of(text: str) -> list[ast.stmt]:
    """The statements of `run`."""
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == "run"]
    return found[-1].body if found else []


def with_points(text: str) -> str:
    """The program with a comment before each statement of `run`, which the translator keeps."""
    lines = text.splitlines(keepends=True)
    for number, statement in reversed(list(enumerate(body_of(text)))):
        first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", []))])
        indent = re.match(r"\s*", lines[first - 1])
        assert indent is not None
        if number or not isinstance(statement, ast.Expr):  # a docstring stays the first
            lines.insert(first - 1, f"{indent[0]}{MARK}{number}\n")
    return "".join(lines)


def points_of(text: str) -> dict[int, int]:
    """The lines of a program after a mark and before the next one, with the number of the mark."""
    found, current = {}, -1
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith(MARK):
            current = int(line.strip().removeprefix(MARK))
        elif current >= 0:
            found[number] = current
    return found


def unmarked(write: Write, text: str) -> Write:
    """A write with the line that it has in the text without marks."""
    marks = sum(line.strip().startswith(MARK) for line in text.splitlines()[: write.line])
    shared = tuple(sorted(write.places))
    return Write(write.file, write.line - marks, write.function, shared, write.buffer, write.first, write.last)


def live(statements: list[ast.stmt], number: int) -> frozenset[str] | None:
    """The names that are read from statement `number` on before they are bound anew; None for all of them."""
    alive, dead = set(), set()
    for node in ast.walk(ast.Module(statements[:number], [])):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            alive |= loads(node)
    for statement in statements[number:]:
        alive |= loads(statement) - dead
        if isinstance(statement, ast.Assign):
            dead |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return None if "locals" in alive else frozenset(alive)


def loads(tree: ast.AST) -> set[str]:
    """The names that are read somewhere in it."""
    targets = [node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign)]
    names = {one.id for one in targets if isinstance(one, ast.Name)}
    return names | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def is_alive(path: str, alive: frozenset[str] | None) -> bool:
    """Whether a place can still be read: one of a module, of the result, or of a live name."""
    name = re.split(r"[.\[:]", path, maxsplit=1)
    return alive is None or ":" in path or name[0] == "result" or name[0] in alive
