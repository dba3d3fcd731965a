"""Put faults into a translation on purpose: replaying a recording has to find them, each at its function.

    tnp-migrate record PATH -- COMMAND
    python benchmarks/mutants.py PATH [--record DIR] [--count 100] [--seed 0]

A fault is put into one function at a time (a wrong axis, a dropped write, a float32, an off-by-one window, a lost
mask, swapped signs), and the function's own kept calls are replayed. Only functions that are verified without a fault
get any. TensorFlow is imported once: each fault runs in a fork of a process that knows nothing of the project yet.

A fault that is not found is one of three: no kept call evaluates it (the process would end there, and does not); all
kept calls do bit for bit what they do without it, so that no comparison of results can tell; or the results are others
and were taken for rounding.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tnp_migrate.program.config import read_config
from tnp_migrate.project import report_of
from tnp_migrate.proof.diverging import first_line, lines_between
from tnp_migrate.proof.functions import functions_of
from tnp_migrate.proof.inside.form_names import FORMS, LINES, MOVEMENT
from tnp_migrate.proof.processes import Replays
from tnp_migrate.proof.recording import read_recordings
from tnp_migrate.proof.scratch import copy_of, project_of, python_files
from tnp_migrate.proof.settling import settled
from tnp_migrate.proof.verify import Proof, Trees, fit_calls, number_calls, replay_original, stale_files
from tnp_migrate.run import run_over
from tnp_migrate.verification import conventions_of

EAGER = FORMS["eager"]
LIMIT = 60  # seconds of processor time for the calls of one fault; what has no fault may take as long as it likes
SHORT = 10.0  # seconds that the calls of a function take together; those that take longer are not asked for each fault
END = "__import__('os')._exit(0)"  # an expression that nothing survives which evaluates it
NOT_RUN = "missed: no kept call evaluates it"
EQUAL = "missed: each kept call does bit for bit the same"
WITHIN = "missed: taken for rounding"
LONGEST = 1800  # seconds


@dataclass(frozen=True)
class Fault:
    """A replacement in the translated text of a file, in a function, by its kind."""

    kind: str
    place: str
    function: str
    line: int
    start: int
    end: int
    text: str


def faults_of(place: str, text: str, wanted: set[str]) -> Iterator[Fault]:
    """All faults that can be put into the wanted functions of a file."""
    lines = [0]
    for line in text.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    source = text.encode()

    def span(node: Any) -> tuple[int, int]:
        return lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset

    def written(node: Any) -> str:
        start, end = span(node)
        return source[start:end].decode()

    def walk(node: ast.AST, prefix: str) -> Iterator[Fault]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                name = prefix + child.name
                if isinstance(child, ast.FunctionDef) and name in wanted:
                    for one in ast.walk(child):
                        for kind, target, new in mutations(one, written):
                            yield Fault(kind, place, name, target.lineno, *span(target), new)
                elif isinstance(child, ast.ClassDef):
                    yield from walk(child, f"{name}.")

    yield from walk(ast.parse(text), "")


def mutations(node: ast.AST, written: Callable[[Any], str]) -> Iterator[tuple[str, Any, str]]:
    """The faults of one node: kind, what is replaced, by what."""
    if isinstance(node, ast.keyword) and node.arg == "axis" and isinstance(node.value, (ast.Constant, ast.UnaryOp)):
        yield "wrong axis", node.value, {"0": "1", "1": "0"}.get(written(node.value), "0")
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
        called = written(node.value.func)
        if called.rpartition(".")[2].endswith(("_update", "in_place")) or called.endswith("tensor_scatter_nd_update"):
            yield "dropped write", node.value, written(node.targets[0])
    if isinstance(node, ast.AugAssign):
        yield "dropped write", node.value, "0" if isinstance(node.op, (ast.Add, ast.Sub)) else "1"
    if (
        isinstance(node, ast.Return)
        and node.value is not None
        and not isinstance(node.value, (ast.Constant, ast.Tuple))
    ):
        yield "float32", node.value, f"tnp.asarray({written(node.value)}, 'float32')"
    if isinstance(node, ast.Slice):
        for bound in (node.lower, node.upper):
            if isinstance(bound, ast.Constant) and isinstance(bound.value, int):
                yield "off-by-one window", bound, str(bound.value + 1)
    if isinstance(node, ast.Call) and written(node.func) == "range" and len(node.args) == 1:
        yield "off-by-one window", node.args[0], f"{written(node.args[0])} - 1"
    if isinstance(node, ast.Call) and written(node.func).endswith(".where") and len(node.args) == 3:
        yield "lost mask", node, written(node.args[1])
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Compare):
        yield "lost mask", node.slice, "..."
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sign = "-" if isinstance(node.op, ast.Add) else "+"
        yield "swapped signs", node, f"({written(node.left)} {sign} ({written(node.right)}))"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield "swapped signs", node, f"({written(node.operand)})"


def chosen(faults: list[Fault], count: int, seed: int) -> list[Fault]:
    """As many of each kind as there are, up to a count in all."""
    dice = random.Random(seed)  # noqa: S311  # a sample that can be drawn again
    kinds: dict[str, list[Fault]] = {}
    for fault in faults:
        kinds.setdefault(fault.kind, []).append(fault)
    for same in kinds.values():
        dice.shuffle(same)
    found: list[Fault] = []
    while len(found) < count and any(kinds.values()):
        found += [same.pop() for same in kinds.values() if same]
    return found[:count]


def replay_in_a_fork(job: dict[str, Any], calls: list[dict[str, Any]], limit: int) -> dict[int, dict[str, Any]]:
    """Replay calls in a fork of this process; rows by number. What is missing crashed or took too long."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.jsonl"
        out.touch()
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            with contextlib.suppress(BaseException):
                _with_bits()({**job, "form": "eager", "calls": calls, "out": str(out)}).run()
            os._exit(0)
        until = time.monotonic() + LONGEST
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(0.02)
        rows = [json.loads(line) for line in out.read_text().splitlines() if line.endswith("}")]
    return {row["end"][1]: row for row in rows if "end" in row}


def _with_bits() -> type:
    """A replaying process whose rows say, too, what a call has done bit for bit. Imported where TensorFlow may be."""
    from tnp_migrate.proof.inside.forms import Done
    from tnp_migrate.proof.inside.replaying import Process

    class Exact(Process):  # type: ignore[misc]
        def _judge(self, done: Done, call: dict[str, Any], expected: Any) -> dict[str, Any]:
            found = [(path, leaf.kind, repr(_bits(leaf.value))) for path, leaf in done.leaves.items()]
            text = repr((sorted(found), repr(done.error)))
            return {**super()._judge(done, call, expected), "bits": hashlib.sha256(text.encode()).hexdigest()}

    return Exact


def _bits(value: Any) -> Any:
    return (str(value.dtype), value.shape, value.tobytes()) if hasattr(value, "tobytes") else value


def main() -> None:
    """Print the faults and what became of each, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--record", type=Path, default=Path(".tnp-migrate/record"))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    root = given.path.resolve()
    base = project_of(root)
    run = run_over([root], read_config((root,)), rewrite=True)
    conventions = conventions_of(report_of(run.project), base)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        original, translated = copy_of(base, place / "o", {}), copy_of(base, place / "t", run.project.outputs)
        trees = Trees(original, original, translated, place / "fresh")
        proof = Proof(read_recordings([given.record]), trees, Replays(), conventions, lambda *_: None)
        functions = functions_of(base, python_files(root))
        number_calls(proof, {one.key for one in functions}, set())
        replay_original(proof, stale_files(proof))
        judge(proof, given.count, given.seed)


def judge(proof: Proof, count: int, seed: int) -> None:
    """Put the faults in one after the other."""
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    calls = fit_calls(proof)
    moved = proof.run(proof.trees.original, ((MOVEMENT, call) for call in calls))[MOVEMENT.name]
    lines = proof.run(proof.trees.original, ((LINES, call) for call in calls))[LINES.name]
    job = proof.job(proof.trees.translated)
    asked = [{**call, "form": EAGER.name} for call in calls]
    clean = replay_in_a_fork(job, asked, LONGEST)

    def is_same(row: dict[str, Any] | None, number: int) -> bool:
        return row is not None and (row["status"] == "same" or settled(row, moved[number].get("moved", {})))

    verified: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for call in asked:
        verified.setdefault((call["place"], call["name"]), []).append(call)
    verified = {key: own for key, own in verified.items() if all(is_same(clean.get(o["id"]), o["id"]) for o in own)}
    verified = {key: _short(own, clean) for key, own in verified.items()}
    faults = []
    for file in sorted({place for place, _ in verified}):
        text = (proof.trees.translated / file).read_text(encoding="utf-8")
        if "tnp." in text:
            faults += list(faults_of(file, text, {name for place, name in verified if place == file}))
    outcomes: Counter[tuple[str, str]] = Counter()
    for fault in chosen(faults, count, seed):
        file = proof.trees.translated / fault.place
        before = file.read_bytes()
        own = verified[fault.place, fault.function]

        def replayed(instead: str) -> dict[int, dict[str, Any]]:
            file.write_bytes(before[: fault.start] + instead.encode() + before[fault.end :])  # noqa: B023
            found = replay_in_a_fork(job, own, LIMIT)  # noqa: B023
            file.write_bytes(before)  # noqa: B023
            return found

        rows = replayed(fault.text)
        different = [one["id"] for one in own if not is_same(rows.get(one["id"]), one["id"])]
        if different:
            outcome = at_its_line(proof, fault, rows, lines, different, before.decode())
        elif len(replayed(END)) == len(own):
            outcome = NOT_RUN
        else:
            outcome = EQUAL if all(rows[o["id"]]["bits"] == clean[o["id"]]["bits"] for o in own) else WITHIN
        outcomes[fault.kind, re.sub(r"at \d+ instead of \d+|at None.*", "at another line", outcome)] += 1
        print(f"{fault.place}:{fault.line} {fault.function}: {fault.kind}: `{fault.text[:60]}`: {outcome}", flush=True)
    print()
    for kind in sorted({kind for kind, _ in outcomes}):
        print(f"{kind}: " + ", ".join(f"{n} {outcome}" for (of, outcome), n in sorted(outcomes.items()) if of == kind))
    total, found = sum(outcomes.values()), sum(n for (_, one), n in outcomes.items() if one.startswith("found"))
    print(
        f"{found} of {total} faults found at their function; {len(verified)} functions, {len(faults)} faults possible"
    )


def _short(own: list[dict[str, Any]], clean: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
    """The first calls of a function that take little time together; one at least."""
    spent, found = 0.0, []
    for one in own:
        spent += clean[one["id"]].get("seconds", 0.0)
        if not found or spent < SHORT:
            found.append(one)
    return found


def at_its_line(
    proof: Proof, fault: Fault, rows: dict[int, Any], lines: dict[int, Any], different: list[int], after: str
) -> str:
    """Whether the first line that differs is in the statement of the fault. A fault adds no lines and takes none."""
    before = (proof.trees.original / fault.place).read_text(encoding="utf-8")
    number = next((one for one in different if rows.get(one, {}).get("lines") and lines[one].get("lines")), None)
    if number is None:
        return "found, without a line"
    found = first_line(lines[number]["lines"], rows[number]["lines"], before, after)
    wanted = lines_between(after, before).get(fault.line, 0)
    return "found at its line" if found in _statement(before, wanted) else f"found at {found} instead of {wanted}"


def _statement(text: str, line: int) -> range:
    """The lines of the innermost statement at a line; of a compound one those of its head."""
    found = range(line, line + 1)
    for one in ast.walk(ast.parse(text)):
        if isinstance(one, ast.stmt):
            body = getattr(one, "body", None)
            end = body[0].lineno - 1 if body else one.end_lineno or one.lineno
            if one.lineno <= line <= end:
                found = range(one.lineno, end + 1)
    return found


if __name__ == "__main__":
    sys.exit(main())
