"""What a program costs grows as the program does: counted in calls of the tool's own functions.

What is said of a project does not hang on the order in which its files are given, nor on that of any set or dict.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import SupportsIndex

import crafted
import pytest
from crafted import calls_on, counted, exponent, project

from tnp_migrate import rounds
from tnp_migrate.analysis.heap import FRAME, OBJECT, Node, field, find, unify
from tnp_migrate.analysis.late_calls import Late
from tnp_migrate.analysis.lending import _with_items
from tnp_migrate.analysis.members import hold_member
from tnp_migrate.analysis.suspended import hold_frames_of
from tnp_migrate.ir.instructions import Block
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.ir.lowering import lower_module
from tnp_migrate.program.config import Config
from tnp_migrate.program.nodes import walk
from tnp_migrate.program.scopes import collect_scopes

FIXTURES = Path(__file__).parent.parent / "fixtures"
TIMES, MOST = 4, 1.2
# In `classes` each object on which something unknown is called may be of each class: facts, not calls, grow faster.
GROWING = [
    (crafted.functions, 20, MOST),
    (crafted.methods, 30, MOST),
    (crafted.heirs, 10, MOST),
    (crafted.branches, 10, MOST),
    (crafted.bindings, 10, MOST),
    (crafted.classes, 10, 1.4),
    (crafted.estimators, 8, MOST),
    (crafted.handed_out, 10, MOST),
]


@pytest.mark.parametrize(("program", "number", "most"), GROWING)
def test_calls_grow_as_the_program(program: Callable[[int], str], number: int, most: float) -> None:
    few, many = calls_on(program(number)), calls_on(program(TIMES * number))
    assert exponent(few.total(), many.total(), TIMES) <= most
    for name in ("evaluate", "analyse", "_run_at", "_run_by", "_follow", "_own"):
        assert exponent(few[name] + 1, many[name] + 1, TIMES) <= MOST, name


def test_methods_of_one_name_are_analysed_in_the_first_place() -> None:
    calls = calls_on(crafted.methods(20))
    assert calls["analyse"] > 0
    assert calls["_run_by"] > 0


def test_holds_are_looked_for_once_it_is_known_what_variables_hold() -> None:
    calls = calls_on(crafted.handed_out(10))
    assert calls["find_holds"] > 10
    assert calls["end_cells"] >= 2 * calls["find_holds"]  # of each body, in each round


def test_what_a_call_is_given_is_looked_at_once_whatever_it_may_run() -> None:
    few, many = calls_on(crafted.keepers(10)), calls_on(crafted.keepers(20))
    assert 0 < many["_arrays_given"] - few["_arrays_given"] <= 3 * 10  # three stores of each class


def test_who_touches_memory_that_all_share_is_objected_to_once() -> None:
    few, many = calls_on(crafted.sharers(6)), calls_on(crafted.sharers(24))
    assert few["_objection"] >= 6
    for name in ("_objection", "_hold_in", "_down"):
        assert exponent(few[name], many[name], TIMES) <= MOST, name


def test_what_asks_an_object_is_found_once_and_no_caller_goes_through_it() -> None:
    few, many = calls_on(crafted.asked(10)), calls_on(crafted.asked(40))
    for name in ("lend", "_has_methods"):
        assert few[name] >= 10, name
        assert exponent(few[name], many[name], TIMES) <= MOST, name


def test_who_reads_an_array_is_found_once_however_many_bodies_a_call_runs() -> None:
    few, many = calls_on(crafted.steps(2)), calls_on(crafted.steps(2 * TIMES))
    for name in ("_behind", "is_live_after"):
        assert few[name] >= 10, name
        assert exponent(few[name], many[name], TIMES) <= 0.6, name


def test_functions_are_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    walked: Counter[ast.AST] = Counter()
    kept: list[ast.AST] = []  # alive, so that no other node is taken for one

    def noted(node: ast.AST) -> list[ast.AST]:
        walked[node] += 1
        kept.append(node)
        return walk(node)

    monkeypatch.setattr("tnp_migrate.program.scopes.walk", noted)
    calls_on(crafted.methods(10))
    functions = [times for node, times in walked.items() if isinstance(node, ast.FunctionDef)]
    assert len(functions) >= 10
    assert set(functions) == {1}


def test_arguments_are_bound_once_for_methods_that_take_the_same() -> None:
    few, many = calls_on(crafted.estimators(8)), calls_on(crafted.estimators(32))
    assert few["passed"] > 100
    assert few["is_run_in_place"] > 10
    for name in ("passed", "_kept", "_says_in_place", "is_run_in_place"):
        assert exponent(few[name] + 1, many[name] + 1, TIMES) <= MOST, name


def test_blocks_are_searched_once_for_each_register() -> None:
    lines = "".join(f"        a{i} = b\n" for i in range(60))  # each begins a block: the handler may follow it
    tree = ast.parse(f"def f(b):\n    try:\n{lines}    except ValueError:\n        pass\n")
    body = lower_module(tree, collect_scopes(tree)).bodies[1]
    body.blocks = visited = _Counted(body.blocks)
    live = Liveness(body)
    variable = next(one.result for one in body.instructions if (one.operation, one.detail) == ("copy", "b"))
    for instruction in body.instructions:
        live.is_live_after(variable, instruction)
    assert len(body.blocks) > 50
    assert len(body.blocks) / 2 < visited.times <= 3 * len(body.blocks)


class _Counted(list[Block]):
    """A list that counts how often one of it is looked up."""

    times = 0

    def __getitem__(self, position: SupportsIndex) -> Block:  # type: ignore[override]
        self.times += 1
        return super().__getitem__(position)


def test_loops_deep_inside_others_are_gone_through_once_each_time() -> None:
    shallow, deep = calls_on(crafted.loops(8)), calls_on(crafted.loops(16))
    assert shallow["evaluate"] > 500
    assert deep["evaluate"] < 3 * shallow["evaluate"]


def test_functions_in_loops_of_functions_count_as_deep() -> None:
    shallow, deep = calls_on(crafted.nest(3)), calls_on(crafted.nest(6))
    assert deep["evaluate"] < 5 * shallow["evaluate"]


def circular(number: int) -> dict[str, str]:
    """Modules that take all names of their package, which takes all of theirs."""
    names = [f"m{i}" for i in range(number)]
    inside = {
        f"pkg/{name}.py": f"from . import *\nimport numpy as np\n\n\ndef f{i}(x):\n    return np.sum(pkg.f0(x))\n"
        for i, name in enumerate(names)
    }
    package = "".join(f"from .{name} import *\n" for name in names)
    return {
        "pkg/__init__.py": package,
        **inside,
        "use.py": f"{crafted.HEAD}import pkg\n\n\ndef g(y):\n    return pkg.none(np.sum(y)), pkg.f0(y)\n",
    }


def test_circular_star_imports_cost_no_file(tmp_path: Path) -> None:
    made = project(tmp_path, circular(3))
    assert sorted(one.status for one in made.reports) == [*["translated"] * 4, "unchanged"]  # that is the package


def test_names_are_looked_up_once_in_circles(tmp_path: Path) -> None:
    few = counted(lambda: project(tmp_path / "few", circular(6)))[1]
    many = counted(lambda: project(tmp_path / "many", circular(24)))[1]
    assert few["find"] > 0
    assert exponent(few["_follow"] + 1, many["_follow"] + 1, TIMES) <= MOST
    assert exponent(few.total(), many.total(), TIMES) <= MOST


def test_classes_that_derive_from_each_other_in_a_circle_are_analysed(tmp_path: Path) -> None:
    files = {
        "a.py": f"{crafted.HEAD}from b import B\n\n\nclass A(B):\n    def f(self, x):\n        return np.sum(x)\n",
        "b.py": f"{crafted.HEAD}from a import A\n\n\nclass B(A):\n    def f(self, x):\n        return super().f(x)\n",
    }
    assert not [one for report in project(tmp_path, files).reports for one in report.findings if one.code[:4] == "TNP9"]


# ---- the order of files, sets and dicts

SHUFFLED = """
import random, sys
from pathlib import Path
from tnp_migrate.program.config import Config
from tnp_migrate.text.discovery import discover
from tnp_migrate.project import migrate, report_of
from tnp_migrate.reports.json import render
for path in map(Path, sys.argv[2:]):
    found = discover([path])
    random.Random(sys.argv[1]).shuffle(found)
    made = migrate(found, Config())
    print(render(report_of(made)))
    for path in sorted(made.outputs):
        print(path, made.outputs[path])
"""


def shuffled(seed: str, paths: list[Path]) -> str:
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SHUFFLED, seed, *map(str, paths)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_nothing_hangs_on_the_order_of_files_or_on_hashes() -> None:
    several = [one for one in sorted(FIXTURES.rglob("before")) if one.is_dir()]
    paths = [*several, *sorted(FIXTURES.rglob("before.py"))[::8]]
    assert len(several) > 5
    first = shuffled("1", paths)
    assert shuffled("2", paths) == first
    assert shuffled("3", paths) == first


def test_a_list_of_half_a_million_numbers_is_left_and_said() -> None:
    from tnp_migrate.project import migrate_text

    made, calls = counted(lambda: migrate_text(f"{crafted.HEAD}x = np.array([{'1, ' * 500_000}])\n".encode(), Config()))
    assert [(one.code, one.message) for one in made.reports[0].findings] == [("TNP908", "is too large to be analysed")]
    assert calls["evaluate"] == 0


def test_what_is_lent_by_two_names_of_it_is_lent_once() -> None:
    item, container = Node(), Node(OBJECT)
    field(container, "[]")
    unify(item, field(container, "[]"))
    assert len(_with_items([item, container])) == 2


def test_what_asks_suspended_calls_for_items_holds_each_thing_once() -> None:
    rows, call = Node(), ast.parse("zip(rows, rows)", mode="eval").body
    assert isinstance(call, ast.Call)
    field(rows, f"{FRAME}table")
    for _ in range(10):
        zipped = Node()
        hold_frames_of(call, "zip", [rows, rows], zipped)
        assert len(zipped.fields) == 1
        unify(rows, zipped)
    assert len(find(rows).fields) <= 3


def test_texts_of_the_last_analysis_are_not_analysed_again(tmp_path: Path) -> None:
    made = project(tmp_path, {"a.py": crafted.functions(3)})
    known: rounds.ByTexts = {}
    first = rounds._settled(made, {}, known)
    module = made.files[0].module
    made.files[0].module = None
    assert rounds._settled(made, {}, known).index is first.index
    assert made.files[0].module is module
    made.files[0].source, made.files[0].module = replace(made.files[0].source), None
    assert rounds._settled(made, {}, known).index is not first.index
    assert len(known) == 1


def test_members_of_members_are_not_noted_again_by_each_way_to_them() -> None:
    """Where each object may be a member of each, there are as many ways to one as there are to walk through all."""
    number = 12
    objects = [Node() for _ in range(number)]
    for holder in objects:
        for one in objects:
            hold_member(holder, one, holder, ".*")
    _, calls = counted(lambda: Late().note(objects[0]))
    assert calls["note"] == number + 1
