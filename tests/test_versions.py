"""Every name and keyword that the translator writes exists in each supported version of NumPy and TensorFlow."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from signature_snapshots import SNAPSHOTS

from tnp_migrate.cli import main
from tnp_migrate.numpy_facts.names_table import RENAMED_IN_NUMPY2
from tnp_migrate.numpy_facts.signatures import measured_versions, signature_table
from tnp_migrate.program.config import Config, known_versions
from tnp_migrate.project import migrate_text
from tnp_migrate.reports.answers import answer_of

ROOT = Path(__file__).parent.parent
PAIRS = [("2.18", "2.0"), ("2.21", "2.4")]
RULES = tuple(sorted((ROOT / "rules" / "tnp_rules").rglob("*.py")))
PASSES = tuple(sorted((ROOT / "migrator" / "tnp_migrate").rglob("*.py")))


@cache
def snapshot(library: str, version: str) -> dict[str, Any]:
    """The names of one version with their parameters: None where those are not told, False for what is not there."""
    data = json.loads((SNAPSHOTS / f"{library}.json").read_text(encoding="utf-8"))
    return {**data["names"], **data["older"].get(version, {})}


def lacking(tree: ast.AST, names: dict[str, Any]) -> list[str]:
    """What is not there of the names and keywords in a program."""
    return without(used(tree), names)


def without(uses: Iterable[tuple[str, str]], names: dict[str, Any]) -> list[str]:
    """What is not there of names with keywords."""
    roots = {name.partition(".")[0] for name in names}
    modules = {".".join(name.split(".")[:depth]) for name in names for depth in range(1, name.count(".") + 1)}
    found = set()
    for name, word in uses:
        if name.partition(".")[0] not in roots or name in modules:
            continue
        parameters = names.get(name, names.get(name.rpartition(".")[0], False) is not False and None)
        if parameters is False:
            found.add(name)
        elif word and isinstance(parameters, str) and "**" not in parameters and word not in parameters.split():
            found.add(f"{name}({word}=)")
    return sorted(found)


def used(tree: ast.AST) -> set[tuple[str, str]]:
    """The dotted names of a program, and those of its calls with each keyword."""
    found = set()
    for node in ast.walk(tree):
        name = dotted(node.func if isinstance(node, ast.Call) else node)
        if name is not None:
            words = node.keywords if isinstance(node, ast.Call) else []
            found |= {(name, ""), *((name, word.arg or "") for word in words)}
    return found


def dotted(node: ast.AST) -> str | None:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) and parts else None


def every_call(version: str) -> str:
    """A program that calls each function of a NumPy with each parameter that is supported there, by name if it can."""
    lines = ["import numpy as np"]
    for name, signature in signature_table(numpy=version).numpy.items():
        answer = answer_of(name)
        if answer is None or answer.kind in ("kept", "flagged") or name.startswith("numpy.ndarray."):
            continue
        taken = [one for one in signature if one.name in answer.supported and one.kind not in ("variadic", "keywords")]
        given = [f"{one.name}=y" if one.kind != "positional" else "x" for one in taken]
        lines.append(f"def {name.replace('.', '_')}(x, y): return np{name[5:]}({', '.join(given)})")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("tensorflow", "numpy"), PAIRS)
def test_translated_calls_use_what_is_there(tensorflow: str, numpy: str) -> None:
    text = every_call(numpy)
    assert text.count("\n") > 300
    project = migrate_text(text.encode(), Config(tensorflow=tensorflow, numpy=numpy))
    tree = ast.parse(project.outputs[Path("-")])
    assert sum(isinstance(node, ast.Call) and "tnp." in ast.unparse(node) for node in ast.walk(tree)) > 100
    assert lacking(tree, snapshot("tensorflow", tensorflow)) == []
    assert lacking(tree, snapshot("numpy", numpy)) == []


@pytest.mark.parametrize("library", ["tensorflow", "numpy"])
def test_rules_use_what_is_in_every_version(library: str) -> None:
    uses = set().union(*(used(ast.parse(path.read_bytes())) for path in RULES))
    assert len(uses) > 200
    for version in known_versions(library):
        assert without(uses, snapshot(library, version)) == [], f"not in {library} {version}"


def test_names_that_passes_write_are_in_every_version() -> None:
    """`site.tnp("asarray")`, and the names that stand in for those that NumPy 2 removed."""
    written = set()
    for path in PASSES:
        written |= set(re.findall(r"site\.(t(?:f|np)\([\"'][\w.]+)[\"']\)", path.read_text(encoding="utf-8")))
    written = {re.sub(r"\(.", ".", one) for one in written}
    assert "tnp.asarray" in written
    inside = {one for one in RENAMED_IN_NUMPY2.values() if one.startswith("numpy.") and ".lib." not in one}
    written |= {one.replace("numpy.", "np.", 1) for one in inside}
    for library in ("tensorflow", "numpy"):
        for version in known_versions(library):
            uses = [(one, "") for one in written]
            assert without(uses, snapshot(library, version)) == [], f"not in {library} {version}"


@pytest.mark.parametrize("library", ["tensorflow", "numpy"])
def test_settings_take_the_measured_versions(library: str) -> None:
    assert known_versions(library) == measured_versions(library)


def test_snapshots_find_what_an_older_version_lacks() -> None:
    tree = ast.parse(
        "np.unstack(x); np.unique(x, sorted=False); np.linalg.norm(x, axis=0); tf.nowhere(x); np.add.at(x)"
    )
    assert lacking(tree, snapshot("numpy", "2.0")) == ["np.unique(sorted=)", "np.unstack"]
    assert lacking(tree, snapshot("numpy", "2.4")) == []
    assert lacking(tree, snapshot("tensorflow", "2.18")) == ["tf.nowhere"]


def test_table_is_that_of_the_chosen_version() -> None:
    def names(table: Any) -> list[str]:
        return [one.name for one in table.numpy["numpy.unique"]]

    assert "sorted" in names(signature_table())
    assert "sorted" not in names(signature_table(numpy="2.0"))
    assert "numpy.matvec" in signature_table(numpy="2.2").numpy
    assert "numpy.matvec" not in signature_table(numpy="2.1").numpy


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param("np.reshape(x, newshape=(2, 3))", "tnp.reshape(x, newshape=(2, 3))", id="an old name"),
        pytest.param("np.reshape(x, shape=(2, 3))", "tnp.reshape(x, newshape=(2, 3))", id="tnp has the old name"),
        pytest.param("np.array(object=x)", "tnp.array(val=x)", id="tnp has a name of its own"),
        pytest.param(
            "np.percentile(x, 5, interpolation='lower')", "tnh.percentile(x, 5, method='lower')", id="a renamed one"
        ),
    ],
)
def test_keywords_get_the_name_that_the_target_has(call: str, expected: str) -> None:
    text = f"import numpy as np\n\n\ndef f(x):\n    return {call}\n"
    assert expected in migrate_text(text.encode(), Config()).outputs[Path("-")].decode()


@pytest.mark.parametrize(
    ("options", "older"),
    [
        pytest.param((), False, id="the newest"),
        pytest.param(("--numpy", "2.0"), True, id="2.0 makes integers floats"),
        pytest.param(("--numpy", "2.1"), False, id="2.1 does not"),
    ],
)
def test_rules_for_older_versions_are_used_with_those(options: tuple[str, ...], older: bool, tmp_path: Path) -> None:
    program = tmp_path / "rounded.py"
    program.write_text("import numpy as np\n\n\ndef f(x):\n    return np.floor(x)\n", encoding="utf-8")
    CliRunner().invoke(main, ["migrate", str(program), *options])
    assert "tnh.floor(x)" in program.read_text(encoding="utf-8")
    helpers = (tmp_path / "_tnp_helpers.py").read_text(encoding="utf-8")
    assert ("NumPy 2.0 makes integers floats" in helpers) == older


def test_axis_that_may_be_counted_from_the_end_gets_the_rule() -> None:
    calls = "np.transpose(x, (1, 0)), np.transpose(x, (-1, 0)), np.transpose(x, n)"
    text = f"import numpy as np\n\n\ndef f(x, n):\n    return {calls}\n"
    translated = migrate_text(text.encode(), Config()).outputs[Path("-")].decode()
    assert "tnp.transpose(x, (1, 0)), tnh.transpose(x, (-1, 0)), tnh.transpose(x, n)" in translated
