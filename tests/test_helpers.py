"""The helper module: what is needed and no more, in one order, marked as ours, never taken from the user."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tnp_migrate.numpy_facts.rulebook import Definition, Rulebook, read_rulebook
from tnp_migrate.rewriting.helpers import (
    complete_by_hand,
    contents,
    is_unchanged,
    needed_definitions,
    shared_between_folders,
    write_helpers,
)

BOOK = read_rulebook()
ALWAYS = (
    *("give_dtypes_numpy_attributes", "hash_numbers", "keep_masks", "let_bools_compute", "let_others_compare"),
    "raise_index_errors",
)


def book(text: str) -> Rulebook:
    tree = ast.parse(text)
    names = {
        one.name: Definition(one.name, one, ast.unparse(one) + "\n", "m", "m")
        for one in tree.body
        if isinstance(one, ast.FunctionDef)
    }
    return Rulebook({}, names)  # type: ignore[arg-type]


def order(text: str, *names: str) -> list[str]:
    return [one.name for one in needed_definitions(book(text), names)]


def test_nothing_is_needed_for_nothing() -> None:
    assert order("def a(): b()\ndef b(): pass\n") == []
    assert order("def a(): pass\n", "unknown") == []


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("def a(): b()\ndef b(): c()\ndef c(): pass\ndef d(): a()\n", ["a"], ["c", "b", "a"]),
        ("def a(): b()\ndef b(): a()\n", ["a"], ["b", "a"]),
        ("def a(): a()\n", ["a"], ["a"]),
        ("def a(b): b()\ndef b(): pass\n", ["a"], ["a"]),
        ("def a(x=b): pass\ndef b(): pass\n", ["a"], ["b", "a"]),
        ("def a(x: b): pass\ndef b(): pass\n", ["a"], ["b", "a"]),
        ("def a():\n    b = 1\n    return b\ndef b(): pass\n", ["a"], ["a"]),
        ("def a():\n    def b(): c()\ndef b(): pass\ndef c(): pass\n", ["a"], ["c", "a"]),
        ("def a():\n    return lambda: b()\ndef b(): pass\n", ["a"], ["b", "a"]),
    ],
)
def test_needed_definitions_are_the_closure_in_order_of_use(text: str, names: list[str], expected: list[str]) -> None:
    assert order(text, *names) == expected


def test_order_does_not_depend_on_what_was_asked_first() -> None:
    text = "def a(): c()\ndef b(): c()\ndef c(): pass\n"
    assert order(text, "a", "b") == order(text, "b", "a") == ["c", "a", "b"]


def test_module_holds_the_closure_only() -> None:
    names, _ = contents(write_helpers(BOOK, {"median"}, ()))
    assert "median" in names
    assert names == {
        one.name
        for one in needed_definitions(BOOK, {"median", *ALWAYS})
        if not isinstance(one.node, ast.Assign | ast.AnnAssign)
    }


def test_two_runs_write_the_same_bytes() -> None:
    names = ["median", "index_update", "interp", "island"]
    assert write_helpers(BOOK, names, ["sum", "mean"]) == write_helpers(BOOK, reversed(names), ["mean", "sum"])


def test_members_are_given_to_tensors() -> None:
    text = write_helpers(BOOK, (), ["sum", "nbytes", "no_such_member", "sum"])
    assert "\ntf.Tensor.sum = " in text
    assert "\ntf.Tensor.nbytes = property(" in text
    assert "no_such_member" not in text
    assert contents(text)[1] == {"sum", "nbytes"}


def test_float32_is_preferred_where_asked() -> None:
    assert "experimental_enable_numpy_behavior(prefer_float32=True)" in write_helpers(BOOK, (), (), prefer_float32=True)
    assert "experimental_enable_numpy_behavior()" in write_helpers(BOOK, (), ())


def test_module_as_written_is_told_from_a_changed_one() -> None:
    text = write_helpers(BOOK, {"median"}, {"sum"})
    assert is_unchanged(text)
    assert not is_unchanged(text + "\nMINE = 1\n")
    assert not is_unchanged(text.replace("return", "return  ", 1))
    assert not is_unchanged("")
    assert not is_unchanged("def median(a): ...\n")


def test_changed_module_is_kept_and_completed() -> None:
    mine = write_helpers(BOOK, {"median"}, ()).replace("def median(", "def median(  ") + "\nMINE = 1\n"
    completed = complete_by_hand(mine, BOOK, {"median", "interp"})
    assert completed.startswith(mine.rstrip("\n"))
    assert "interp" in contents(completed)[0]
    tree = ast.parse(completed)
    defined = [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]
    assert len(defined) == len(set(defined))


def test_complete_module_is_not_touched() -> None:
    mine = write_helpers(BOOK, {"median"}, ()) + "\n\n\nMINE = 1"
    assert complete_by_hand(mine, BOOK, {"median"}) == mine


def test_completed_module_imports_what_it_uses(tmp_path: Path) -> None:
    """What is added may need modules that the old text did not import."""
    plain = write_helpers(BOOK, (), ()) + "\nMINE = 1\n"
    path = tmp_path / "_tnp_helpers.py"
    path.write_text(complete_by_hand(plain, BOOK, BOOK.definitions))
    _lint(path)


@pytest.mark.parametrize("name", ["median", "index_update", "island", "interp", "svd", "einsum", "unique"])
def test_module_of_one_helper_is_sound(name: str, tmp_path: Path) -> None:
    path = tmp_path / "_tnp_helpers.py"
    path.write_text(write_helpers(BOOK, [name] if name in BOOK.definitions else [], ["sum"]))
    compile(path.read_text(), path.name, "exec", dont_inherit=True)
    _lint(path)


def test_module_of_all_helpers_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "_tnp_helpers.py"
    members = [name.rpartition(".")[2] for name in BOOK.rules if name.startswith("numpy.ndarray.")]
    path.write_text(write_helpers(BOOK, BOOK.definitions, members))
    compile(path.read_text(), path.name, "exec", dont_inherit=True)
    _lint(path)
    assert "tnp_rules" not in path.read_text()
    assert "@inline" not in path.read_text()
    assert "@helper" not in path.read_text()


def _lint(path: Path) -> None:
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_changed_module_gets_members_that_it_lacks() -> None:
    mine = write_helpers(BOOK, (), {"sum"}) + "\nMINE = 1\n"
    completed = complete_by_hand(mine, BOOK, (), {"sum", "nbytes"})
    assert contents(completed)[1] == {"sum", "nbytes"}
    assert completed.count("tf.Tensor.sum = ") == 1
    assert complete_by_hand(completed, BOOK, (), {"sum", "nbytes"}) == completed


def test_folders_that_are_no_packages_share_their_helpers(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("one", "two", "package")}
    for folder in folders.values():
        folder.mkdir()
    (folders["package"] / "__init__.py").touch()
    found = shared_between_folders({folder: {name} for name, folder in folders.items()})
    assert {folder.name: names for folder, names in found.items()} == {
        "one": {"one", "two"},
        "two": {"one", "two"},
        "package": {"package"},
    }
