"""The helper module: what is needed and no more, in one order, marked as ours, never taken from the user."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tnp_migrate.numpy_facts.rulebook import Definition, Rulebook, read_rulebook
from tnp_migrate.rewriting.call_shapes import read_shapes, shapes_in, written_shapes
from tnp_migrate.rewriting.fitted_rules import fitted_definitions
from tnp_migrate.rewriting.helpers import (
    complete_by_hand,
    contents,
    is_unchanged,
    kept_uses,
    members_in,
    needed_definitions,
    shared_between_folders,
    write_helpers,
)

BOOK = read_rulebook()
ALWAYS = (
    "hash_numbers", "keep_masks", "leave_helpers_as_written", "let_bools_compute", "let_lists_compute",
    "raise_index_errors",
)  # fmt: skip


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


def test_packages_whose_files_are_found_on_the_path_share_the_helpers_of_folders(tmp_path: Path) -> None:
    around, script, package = tmp_path / "around", tmp_path / "around" / "script", tmp_path / "package"
    apart = tmp_path / "apart"
    for folder in (around, script, package, apart):
        folder.mkdir()
    for folder in (around, package, apart):
        (folder / "__init__.py").touch()
    helpers = {folder: {folder.name} for folder in (around, script, package, apart)}
    found = shared_between_folders(helpers, alone={package})
    shared = {"around", "script", "package"}
    assert found == {around: shared, script: shared, package: shared, apart: {"apart"}}


def fitted(text: str, *shapes: str) -> dict[str, str]:
    """The definitions of a text, cut to these ways to call them."""
    definitions = {}
    for node in ast.parse(dedent(text)).body:
        segment = ast.get_source_segment(dedent(text), node)
        assert segment is not None
        name = node.targets[0].id if isinstance(node, ast.Assign) else node.name  # type: ignore[attr-defined]
        own = ast.parse(f"{segment}\n")
        definitions[name] = Definition(name, own.body[0], f"{segment}\n", own, "m")
    return {one.name: one.text for one in fitted_definitions(definitions.values(), shapes)}


AXIS = """
def f(x, axis=None, *, keep=False):
    if axis is None:
        return g(x, keep)
    return x[axis]

def g(x, keep):
    # of all
    if keep:
        x = [x]
    elif len(x) > 2:
        x = x[:2]
    else:
        x = list(x)
    return x
"""


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        (["f"], AXIS),
        (
            ["f(2)", "g"],
            AXIS.replace(", *, keep=False", "").replace("return g(x, keep)", "return g(x, False)"),
        ),
        (
            ["f(1)"],
            """
            def f(x):
                return g(x)

            def g(x):
                # of all
                if len(x) > 2:
                    x = x[:2]
                else:
                    x = list(x)
                return x
            """,
        ),
        (
            ["f(1, keep)"],
            """
            def f(x, *, keep=False):
                return g(x, keep)

            def g(x, keep):
                # of all
                if keep:
                    x = [x]
                elif len(x) > 2:
                    x = x[:2]
                else:
                    x = list(x)
                return x
            """,
        ),
        (
            ["f(1, keep=True)"],
            """
            def f(x, *, keep=False):
                if keep is not True:
                    raise NotImplementedError("f has only keep=True here: run tnp-migrate again to have others")
                return g(x)

            def g(x):
                # of all
                x = [x]
                return x
            """,
        ),
        (["f(1, keep=True)", "f(1)", "f(2)"], AXIS),
    ],
)
def test_helpers_hold_what_calls_reach(shapes: list[str], expected: str) -> None:
    wanted = {ast.parse(dedent(expected)).body[at].name for at in range(2)}  # type: ignore[attr-defined]
    made = fitted(AXIS, *shapes)
    assert made.keys() == wanted
    assert [ast.unparse(ast.parse(made[name])) for name in "fg"] == [
        ast.unparse(node) for node in ast.parse(dedent(expected)).body
    ]
    assert ("# of all" in made["g"]) == ("# of all" in AXIS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "def f(x, a=None):\n    if a is None:\n        a = len(x)\n    return a\n",
            "def f(x):\n    a = len(x)\n    return a\n",
        ),
        ("def f(x, a=None):\n    if x:\n        a = 1\n    return a\n", None),
        ("def f(x, a=None):\n    for one in x:\n        if a is None:\n            a = one\n    return a\n", None),
        ("def f(x, a=0):\n    a += x\n    return a\n", None),
        ("def f(x, a=None):\n    return f'{x} {a}'\n", None),
        ("def f(x, a=None):\n    return lambda: a is None\n", "def f(x):\n    return lambda: True\n"),
        ("def f(x, a=None):\n    def g():\n        return a\n    a = x\n    return g\n", None),
        ("def f(x, a=None):\n    while (a := x):\n        x = a\n    return a\n", None),
        ("def f(x, a=0):\n    def g():\n        nonlocal a\n        a = x\n    g()\n    return a\n", None),
        ("def f(x, a=False):\n    del a\n    return x\n", "def f(x):\n    return x\n"),
        ("def f(x, a=False):\n    return x and (a or x)\n", "def f(x):\n    return x and (x)\n"),
        (
            "def f(x, a=None):\n    if x and (a is None or x) and len(x):\n        return 1\n",
            "def f(x):\n    if x and len(x):\n        return 1\n",
        ),
        (
            "def f(x, a=None):\n    while (a is None) and (x or (a is x)):\n        x = 1\n",
            "def f(x):\n    while x or (None is x):\n        x = 1\n",
        ),
        (
            "def f(x, a=None):\n    with x:\n        return a\n    return len(x)\n",
            "def f(x):\n    with x:\n        return None\n    return len(x)\n",
        ),
        (
            "def f(x, a=None):\n    b = 1\n    for one in x:\n        one(b)\n        b = a\n    return x\n",
            "def f(x):\n    b = 1\n    for one in x:\n        one(b)\n        b = None\n    return x\n",
        ),
        ("def f(x, a=None):\n    with x:\n        a = x()\n    return a\n", None),
        (
            "def f(x, a=None):\n    try:\n        return x(a)\n    except ValueError:\n        x = a\n    return x\n",
            "def f(x):\n    try:\n        return x(None)\n    except ValueError:\n        x = None\n    return x\n",
        ),
        ("def f(x, a=None):\n    try:\n        a = x()\n    except ValueError:\n        pass\n    return a\n", None),
        ("def f(x, a=None):\n    return x and (a is None)\n", "def f(x):\n    return x and (True)\n"),
        ("def f(x, a=True):\n    return bool(a), bool(x)\n", "def f(x):\n    return True, bool(x)\n"),
        ("def f(x, a=None):\n    return [a for a in x], a\n", "def f(x):\n    return [a for a in x], None\n"),
        ("def f(x, a=-1):\n    return x.sum(\n        a,\n    )\n", "def f(x):\n    return x.sum(-1)\n"),
        ("def f(x, a=None):\n    return (x if a is None else a)(1)\n", "def f(x):\n    return x(1)\n"),
        (
            "def f(x, a=None):\n    if a:\n        x = a\n    if a is not None:\n        return a\n",
            "def f(x):\n    pass\n",
        ),
        (
            "def f(x, a=None):\n    b = a if not a else len(a)\n    return x[b]\n",
            "def f(x):\n    return x[None]\n",
        ),
        (
            "def f(x, a=None):\n    b = a\n    if x:\n        b = 1\n    return b\n",
            "def f(x):\n    b = None\n    if x:\n        b = 1\n    return b\n",
        ),
        ("def f(x, a='b'):\n    return 1 if a in ('b', 'c') else 2\n", "def f(x):\n    return 1\n"),
        ("def f(x, a=1):\n    return 1 if a is True else 2\n", "def f(x):\n    return 2\n"),
        ("def f(x, a=None):\n    return f if x is a else f(x, *a)\n", None),
        ("def f(x, *, a=None, b=2):\n    return x if isinstance(a, tuple) else b\n", "def f(x):\n    return 2\n"),
    ],
)
def test_parameters_that_no_call_gives_are_told_apart(before: str, after: str | None) -> None:
    made = fitted(before, "f(1)")["f"]
    assert ast.unparse(ast.parse(made)) == ast.unparse(ast.parse(before if after is None else after))


def test_what_is_passed_on_or_called_otherwise_keeps_its_parameters() -> None:
    text = """
    def f(x, a=None): return x if a is None else a
    def g(x, a=None): return x if a is None else a
    def h(x, a=None): return x if a is None else a
    TABLE = {"f": f}
    def user(x): return TABLE["f"](x), g(*x), list(map(h, x))
    """
    made = fitted(text, "user(1)")
    assert all("a=None" in made[name] for name in "fgh")


def test_next_run_keeps_what_an_earlier_one_needed(tmp_path: Path) -> None:
    """Each of two runs gives some files: the module is for the calls of both."""
    one = write_helpers(BOOK, {"norm(1)"}, ())
    assert "_matrix_norm" not in contents(one)[0]
    assert kept_uses(one) >= {"norm(1)"}
    both = write_helpers(BOOK, {*kept_uses(one), "norm(1, axis)"}, ())
    assert "_matrix_norm" in contents(both)[0]
    assert write_helpers(BOOK, kept_uses(both), ()) == both
    mine = f"{one}\nMINE = 1\n"
    completed = complete_by_hand(mine, BOOK, {"norm(1, axis)"})
    assert completed.startswith(mine.rstrip("\n"))
    path = tmp_path / "_tnp_helpers.py"
    path.write_text(completed)
    definitions = [one for one in ast.parse(completed).body if getattr(one, "name", "") == "norm"]
    assert [len(one.args.args) for one in definitions] == [1, 2]  # type: ignore[attr-defined]
    assert complete_by_hand(completed, BOOK, {"norm(1)", "norm(1, axis)"}) == completed


def test_methods_of_a_changed_module_are_widened() -> None:
    """What is bound to tensors is bound anew; what a person has changed stays."""
    mine = write_helpers(BOOK, (), members_in(b"x.max(axis=0)")) + "\nMINE = 1\n"
    completed = complete_by_hand(mine, BOOK, (), members_in(b"x.max(axis=0, initial=1)"))
    assert completed.count("tf.Tensor.max = ") == 2
    assert completed.index("*, initial: Any = None") < completed.rindex("tf.Tensor.max = ")
    changed = mine.replace("def ndarray_max(a", "def ndarray_max( a")
    assert complete_by_hand(changed, BOOK, (), members_in(b"x.max(axis=0, initial=1)")).count("def ndarray_max(") == 1


def test_ways_to_call_are_read_from_the_text() -> None:
    text = b"""
from . import _tnp_helpers as tnh
import _tnp_helpers
x = tnh.a(1, tnh.b, c=None, *y) + tnh.d(1, e=2, f="g", h=None) + _tnp_helpers.d() + np.d(1, 2)
@tnh.marked
def f(**kw): return tnh.k(**kw), "tnh.m(1)"
"""
    names = ["a", "b", "d", "k", "m", "marked", "other"]
    assert sorted(shapes_in(names, [text])) == [
        *("a", "b", "d(0)", 'd(1, e, f="g", h=None)', "k", "m", "marked(1)", "other"),
    ]
    assert read_shapes(written_shapes({"a", 'd(1, e, f="g", h=None)'})) == {"a", 'd(1, e, f="g", h=None)'}
    assert read_shapes("") is None


def test_methods_keep_the_parameters_that_some_call_names() -> None:
    """NumPy itself calls them with `out`, and then computes itself."""
    given = members_in(b"x.max(axis=0) + y.std(0, keepdims=True)")
    text = write_helpers(BOOK, (), given)
    heads = [line for line in text.splitlines() if line.startswith(("def ndarray_max", "def ndarray_std"))]
    assert heads == [
        "def ndarray_max(a: Any, axis: Any = None, *, keepdims: Any = False) -> tf.Tensor:",
        "def ndarray_std(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> tf.Tensor:",
    ]
    anything = write_helpers(BOOK, (), members_in(b"x.max(**given)"))
    assert "initial: Any = None" in anything


@pytest.mark.parametrize(
    ("text", "called"),
    [
        (b"import numpy as np\nfrom .a import b\nx = np.zeros(2, dtype=float)", set()),
        (b"import os.path\nfrom math import sqrt\n# from pandas\n", set()),
        (b"x.dtype.kind == 'f'", {"give_dtypes_numpy_attributes"}),
        (b"getattr(x, 'dtype')", {"give_dtypes_numpy_attributes"}),
        (b"dtype == float", {"give_dtypes_numpy_attributes"}),
        (b"np.finfo(x)", {"give_dtypes_numpy_attributes"}),
        (b"__array_ufunc__ = None", {"let_others_compare"}),
        (b"def f():\n    import pandas", {"give_dtypes_numpy_attributes", "let_others_compare"}),
        (b"import os, pandas", {"give_dtypes_numpy_attributes", "let_others_compare"}),
        (b"import importlib", {"give_dtypes_numpy_attributes", "let_others_compare"}),
        (b"from pytest import approx", {"give_dtypes_numpy_attributes", "let_others_compare"}),
    ],
)
def test_what_only_other_libraries_ask_of_tensors_is_there_with_them(text: bytes, called: set[str]) -> None:
    made = contents(write_helpers(BOOK, (), members_in(text)))[0]
    assert made & {"give_dtypes_numpy_attributes", "let_others_compare"} == called


def test_compiled_functions_bring_what_their_loops_and_stores_mean() -> None:
    """A meaning is there for what the migrated code calls; loops where a compiled function has one."""
    plain = contents(write_helpers(BOOK, {"compiled(1)", "index_add(3)"}, ()))[0]
    loops = contents(write_helpers(BOOK, {"compiled(1)", "ROLLED_LOOPS", "index_add(3)", "index_operate(4)"}, ()))[0]
    assert plain >= {"compiled", "index_add", "traced_read"}
    assert not plain & {"roll_for", "Steps", "index_operate", "Stores"}
    assert loops >= {"roll_for", "Steps", "index_operate"}
    assert contents(write_helpers(BOOK, {"compiled"}, ()))[0] >= {"roll_for", "index_operate", "Stores"}
