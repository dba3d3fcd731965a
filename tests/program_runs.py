"""Translate many random programs at once, compare each with NumPy, and shrink one that went wrong."""

import ast
import re
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from fixture_cases import imported, migrate
from program_generator import evaluate
from same_results import assert_same


@dataclass(frozen=True)
class Verdict:
    """What became of one program: `native`, `island`, `crash` (of the translator), `raises` or `wrong`, and why."""

    source: str
    translated: str
    kind: str
    why: str = ""

    @property
    def failed(self) -> bool:
        return self.kind in {"crash", "raises", "wrong"}

    def resembles(self, other: "Verdict") -> bool:
        """Whether both fail in the same way: for exceptions, with the same one."""
        return self.kind == other.kind and (self.kind == "wrong" or self.why.split(":")[0] == other.why.split(":")[0])


def judge_programs(sources: list[str]) -> list[Verdict]:
    """Translate the programs in one run and run each translation; halve a batch that the translator crashes on."""
    try:
        return judge_batch(sources)
    except Exception as error:  # noqa: BLE001 - the translator's own, whatever it is
        if len(sources) == 1:
            last_line = str(error).strip().splitlines()[-1]
            return [Verdict(sources[0], "", "crash", last_line)]
        half = len(sources) // 2
        return judge_programs(sources[:half]) + judge_programs(sources[half:])


def judge_batch(sources: list[str]) -> list[Verdict]:
    """Translate and run one batch."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        stems = [f"program_{number:05}" for number in range(len(sources))]
        (scratch / "source").mkdir()
        for stem, source in zip(stems, sources, strict=True):
            (scratch / "source" / f"{stem}.py").write_text(source, "utf-8")
        files, report = migrate(".", scratch)
        crashed = re.findall(r"(program_\d+)\.py:.*\b(TNP9\d\d\b.*)", report)
        assert not crashed, f"{crashed[0][1]}"
        texts = [files[f"{stem}.py"].decode() for stem in stems]
        (scratch / "out" / "nothing.py").write_text("")  # a first import that cannot fail
        with warnings.catch_warnings(), imported(scratch / "out", "nothing"):
            warnings.simplefilter("ignore")
            return [judge_program(*each) for each in zip(sources, texts, stems, strict=True)]


def judge_program(source: str, translated: str, stem: str) -> Verdict:
    """Compare the values that a program returns, dtype and shape included."""
    expected = evaluate(source)
    try:
        actual = import_module(stem).run()
    except Exception as error:  # noqa: BLE001 - whatever it raises is a wrong translation
        return Verdict(source, translated, "raises", f"{type(error).__name__}: {error}")
    try:
        assert_same(expected, actual)
    except AssertionError as difference:
        return Verdict(source, translated, "wrong", str(difference))
    return Verdict(source, translated, "island" if "@tnh.island" in translated else "native")


def shrink(verdict: Verdict) -> Verdict:
    """Delete statements for as long as a smaller program goes wrong in the same way."""
    while True:
        smaller = [text for text in deletions(verdict.source) if evaluate(text)]
        found = next((v for v in judge_programs(smaller) if v.resembles(verdict)), None) if smaller else None
        if found is None:
            return verdict
        verdict = found


def deletions(source: str) -> Iterator[str]:
    """Yield the program without each of its statements, then with each compound statement replaced by its body."""
    count = sum(1 for _ in bodies(ast.parse(source)))
    for number in range(count):
        for action in ("drop", "unwrap"):
            tree = ast.parse(source)
            body, index = list(bodies(tree))[number]
            inner = getattr(body[index], "body", []) if action == "unwrap" else []
            if action == "unwrap" and (not inner or isinstance(body[index], ast.FunctionDef | ast.ClassDef)):
                continue
            body[index : index + 1] = inner or ([] if len(body) > 1 else [ast.Pass()])
            changed = ast.unparse(tree) + "\n"
            if changed != ast.unparse(ast.parse(source)) + "\n":
                yield changed
    yield from fewer_results(source)


def fewer_results(source: str) -> Iterator[str]:
    """Yield the program without each of the variables that it returns."""
    returned = ast.parse(source).body[-1]
    keys = len(final_dict(returned).keys) if isinstance(returned, ast.FunctionDef) else 0
    for number in range(keys if keys > 1 else 0):
        tree = ast.parse(source)
        result = final_dict(tree.body[-1])
        del result.keys[number], result.values[number]
        yield ast.unparse(tree) + "\n"


def final_dict(function: Any) -> Any:
    """Return the dict display that `run` ends with, or an empty one."""
    last = function.body[-1]
    return last.value if isinstance(last, ast.Return) and isinstance(last.value, ast.Dict) else ast.Dict([], [])


def bodies(tree: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
    """Yield the place of each statement that may be deleted."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield from ((body, i) for i, statement in enumerate(body) if not is_kept(statement))


def is_kept(statement: ast.stmt) -> bool:
    """Whether a program without this statement is no program: its import, `run` and the result."""
    if isinstance(statement, ast.Import):
        return True
    if isinstance(statement, ast.FunctionDef):
        return statement.name == "run"
    return isinstance(statement, ast.Return) and isinstance(statement.value, ast.Dict)
