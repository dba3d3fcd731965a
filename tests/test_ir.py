"""The lowering: pieces of Python beside the instructions that they become."""

import ast
import textwrap

import pytest

from tnp_migrate.ir.dump import dump
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.ir.lowering import lower_module
from tnp_migrate.program.scopes import collect_scopes

CASES = {
    "store_into_an_item": (
        "def f(a):\n    a[0] = 1\n",
        """
        f(a)
          block 0
            %0 = parameter a
            %1 = copy %0 a
            %2 = constant 1
            %3 = constant 0
            %4 = set_item %1 %3 %2 0
        """,
    ),
    "operator_in_place_reads_and_binds": (
        "def f(a, b):\n    a += b\n    return a\n",
        """
        f(a, b)
          block 0
            %0 = parameter a
            %1 = copy %0 a
            %2 = parameter b
            %3 = copy %2 b
            %4 = augmented %1 %3 Add
            %5 = copy %4 a
            %6 = return %5
        """,
    ),
    "branches_join_in_a_phi": (
        "def f(a, b):\n    if a:\n        x = a\n    else:\n        x = b\n    return x\n",
        """
        f(a, b)
          block 0 -> 1, 2
            %0 = parameter a
            %1 = copy %0 a
            %2 = parameter b
            %3 = copy %2 b
            %4 = asked %1
          block 1 -> 3
            %5 = copy %1 x
          block 2 -> 3
            %6 = copy %3 x
          block 3
            %7 = phi %5 %6 x
            %8 = return %7
        """,
    ),
    "what_is_asked_for_its_truth_its_text_or_its_hash_may_run_methods": (
        'def f(a, b):\n    while not a and f"{b}":\n        a = {b: 1}\n',
        """
        f(a, b)
          block 0 -> 1
            %0 = parameter a
            %1 = copy %0 a
            %2 = parameter b
            %3 = copy %2 b
          block 1 -> 2, 3
            %7 = phi %3 %12 b
            %4 = phi %1 %16 a
            %5 = asked %4
            %6 = operator %4 Not
          block 2 -> 3
            %8 = asked %7
            %9 = constant
          block 3 -> 5, 4
            %12 = phi %7 %7 b
            %10 = either %6 %9
            %11 = asked %10
          block 4
          block 5 -> 1
            %13 = asked %12
            %14 = constant 1
            %15 = display %14 dict
            %16 = copy %15 a
        """,
    ),
    "patterns_read_attributes_and_items": (
        (
            "def f(a):\n    match a:\n        case C(m=w) | C(w):\n            return w\n"
            "        case [x, *_]:\n            return x\n"
        ),
        """
        f(a)
          block 0 -> 1
            %0 = parameter a
            %1 = copy %0 a
            %2 = asked %1
          block 1 -> 2, 3
          block 2 -> 4
            %3 = global C
            %4 = attribute %1 m
            %5 = copy %4 w
          block 3 -> 4
            %6 = global C
            %7 = attribute %1
            %8 = copy %7 w
          block 4 -> 5, 6
            %9 = phi %5 %8 w
          block 5
            %10 = return %9
          block 6 -> 7, 8
            %11 = constant 0
            %12 = item %1 %11 0
            %13 = copy %12 x
          block 7
            %14 = return %13
          block 8
        """,
    ),
    "what_inner_functions_use_is_a_cell": (
        "def f(a):\n    def g():\n        return a\n    return g\n",
        """
        f(a)
          block 0
            %0 = parameter a
            %1 = set_cell %0 a
            %2 = function g
            %3 = copy %2 g
            %4 = return %3
        """,
    ),
    "method_call_reads_the_attribute_first": (
        "def f(m, x):\n    return m.get(x, k=1)\n",
        """
        f(m, x)
          block 0
            %0 = parameter m
            %1 = copy %0 m
            %2 = parameter x
            %3 = copy %2 x
            %4 = attribute %1 get
            %5 = constant 1
            %6 = call %4 %3 %5 k=
            %7 = return %6
        """,
    ),
}


def bodies_of(text: str):
    tree = ast.parse(text)
    return lower_module(tree, collect_scopes(tree))


@pytest.mark.parametrize("name", CASES)
def test_function_becomes_instructions(name: str) -> None:
    text, expected = CASES[name]
    assert dump(bodies_of(text).bodies[1]) == textwrap.dedent(expected).strip()


@pytest.mark.parametrize(
    ("test", "runs"),
    [
        ("flag", "b"), ("not flag", "c"), ("flag is None", "c"), ("out is None", "b"), ("mode == 'same'", "b"),
        ("flag or a", "b"), ("a and flag", "bc"), ("flag and out", "c"), ("a is None", "bc"), ("n > 2", "bc"),
    ],
)  # fmt: skip
def test_constants_of_a_call_decide_what_runs(test: str, runs: str) -> None:
    text = f"def f(a, flag, out, mode, n):\n    if {test}:\n        return a.b()\n    a.c()\n"
    tree = ast.parse(text)
    lowered = lower_module(tree, collect_scopes(tree))
    constants = {"flag": True, "out": None, "mode": "same", "n": 3}
    body = lowered.add_for(lowered.bodies[1], constants)
    assert "".join(str(one.detail) for one in body.instructions if one.operation == "attribute") == runs


def test_constant_says_nothing_of_what_is_bound_anew() -> None:
    tree = ast.parse(
        "def f(a, flag):\n    for _ in a:\n        if flag:\n            a.b()\n        flag = False\n    a.c()\n"
    )
    lowered = lower_module(tree, collect_scopes(tree))
    body = lowered.add_for(lowered.bodies[1], {"flag": False})
    assert [one.detail for one in body.instructions if one.operation == "attribute"] == ["b", "c"]


def test_long_sums_need_no_recursion() -> None:
    lowered = bodies_of("def f(a):\n    return " + " + ".join(["a"] * 300) + "\n")
    assert not lowered.failed
    assert sum(one.operation == "operator" for one in lowered.bodies[1].instructions) == 299


def test_function_that_is_nested_too_deeply_is_named_and_costs_no_other() -> None:
    deep = "".join("    " * level + "if a:\n" for level in range(1, 90)) + "    " * 90 + "pass\n"
    call = "f(" * 180 + "a" + ")" * 180
    lowered = bodies_of(f"def f(a):\n{deep}\ndef g(a):\n    return a\n\ndef h(a):\n    return {call}\n")
    assert [one.name for one in lowered.bodies] == ["<module>", "f", "g", "h"]
    assert all(one.instructions for one in lowered.bodies if one.node not in lowered.failed)


def test_every_statement_and_expression_has_a_lowering() -> None:
    from tnp_migrate.ir import expressions, statements

    known = {ast.FormattedValue, ast.Interpolation} if hasattr(ast, "Interpolation") else {ast.FormattedValue}
    templates = {getattr(ast, "TemplateStr", ast.FormattedValue)}
    concrete = {one for one in ast.expr.__subclasses__() if one.__module__ == "ast"}  # gast derives from them
    old = {one for one in concrete if one.__name__ in ("Num", "Str", "Bytes", "NameConstant", "Ellipsis")}
    assert concrete - known - templates - old <= set(expressions.LOWERED)
    assert {one for one in ast.stmt.__subclasses__() if one.__module__ == "ast"} <= set(statements.LOWERED)


def test_register_is_live_while_some_way_reads_it() -> None:
    body = bodies_of(
        "def f(a, m):\n    x = m.get()\n    while a:\n        m.step()\n        a = x\n    return 1\n"
    ).bodies[1]
    live = Liveness(body)
    held, step = (one for one in body.instructions if one.operation == "call")
    assert live.is_live_after(held.result, held)
    in_loop = next(one for one in body.instructions if one.operation == "phi" and one.detail == "x")
    assert live.is_live_after(in_loop.result, step)
    assert not live.is_live_after(step.result, step)
