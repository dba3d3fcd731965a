"""Calls bound to NumPy's signatures as Python binds them, from their text alone."""

from __future__ import annotations

import ast
import inspect

import numpy as np
import pytest

from tnp_migrate.numpy_facts.signatures import Bound, Parameter, Unbindable, bind_call, signature_table


def call(text: str) -> ast.Call:
    (statement,) = ast.parse(text).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    return statement.value


def bound(text: str) -> Bound:
    parsed = call(text)
    return bind_call(parsed, signature_table().numpy["numpy." + ast.unparse(parsed.func).partition(".")[2]])


def given(text: str) -> dict[str, str]:
    return {name: ast.unparse(node) for name, node in bound(text).given.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("np.sum(a)", {"a": "a"}, id="one"),
        pytest.param("np.sum(a, 0)", {"a": "a", "axis": "0"}, id="by position"),
        pytest.param("np.sum(axis=0, a=b)", {"axis": "0", "a": "b"}, id="keywords out of order keep the text's order"),
        pytest.param("np.sum(a, None, keepdims=True)", {"a": "a", "axis": "None", "keepdims": "True"}, id="both"),
        pytest.param("np.add(a, b, c)", {"x1": "a", "x2": "b", "out": "c"}, id="positional-only and out"),
        pytest.param("np.add(a, b, where=m)", {"x1": "a", "x2": "b", "where": "m"}, id="keyword-only"),
        pytest.param("np.clip(a, 0, None)", {"a": "a", "a_min": "0", "a_max": "None"}, id="None is given"),
        pytest.param("np.zeros((n, 2), 'f4')", {"shape": "(n, 2)", "dtype": "'f4'"}, id="expressions"),
        pytest.param("np.zeros((yield))", {"shape": "(yield)"}, id="yield"),
    ],
)
def test_call_is_bound(text: str, expected: dict[str, str]) -> None:
    found = given(text)
    assert found == expected
    assert list(found) == list(expected)


def test_variadic_parameters_take_the_rest() -> None:
    found = bound("np.einsum('ij,j', a, f(b), optimize=True)")
    assert [ast.unparse(one) for one in found.variadic] == ["'ij,j'", "a", "f(b)"]
    assert list(found.given) == ["optimize"]


@pytest.mark.parametrize(
    ("text", "reason", "parameter", "starred"),
    [
        pytest.param("np.sum(*a)", "the call has star arguments", "", True, id="star"),
        pytest.param("np.sum(a, **k)", "the call has star arguments", "", True, id="double star"),
        pytest.param("np.sum(a, 0, *rest)", "the call has star arguments", "", True, id="star behind"),
        pytest.param("np.sum(a, axes=0)", "NumPy has no parameter `axes` here", "axes", False, id="unknown keyword"),
        pytest.param("np.sum(a, a=b)", "NumPy has no parameter `a` here", "a", False, id="given twice"),
        pytest.param("np.zeros(1, 2, 3, 4)", "the call has more than 3 positional arguments", "", False, id="too many"),
    ],
)
def test_call_that_its_text_does_not_decide_says_why(text: str, reason: str, parameter: str, starred: bool) -> None:
    with pytest.raises(Unbindable) as raised:
        bound(text)
    found = raised.value
    assert (found.reason, found.parameter, found.starred) == (reason, parameter, starred)


_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "normal",
    inspect.Parameter.VAR_POSITIONAL: "variadic",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "keywords",
}


@pytest.mark.parametrize("name", "sum mean concatenate median linspace meshgrid linalg.norm fft.fft pad where".split())
def test_table_is_the_installed_numpys(name: str) -> None:
    function = np
    for part in name.split("."):
        function = getattr(function, part)
    try:
        real = inspect.signature(function)  # type: ignore[arg-type]
    except ValueError:
        pytest.skip("this NumPy does not tell the signature of a compiled function")
    table = signature_table().numpy[f"numpy.{name}"]
    names = {one.name for one in table}
    assert names >= set(real.parameters)
    for one in table:
        if one.name in real.parameters and _KINDS[real.parameters[one.name].kind] in ("variadic", "keywords"):
            assert one.kind == _KINDS[real.parameters[one.name].kind]


def test_every_signature_is_one_that_python_takes() -> None:
    order = ["positional", "normal", "variadic", "keyword", "keywords"]
    for table in (signature_table().numpy, signature_table().tnp):
        for name, signature in table.items():
            kinds = [order.index(one.kind) for one in signature or ()]
            assert kinds == sorted(kinds), name
            assert len({one.name for one in signature or ()}) == len(signature or ()), name


def test_defaults_can_be_told_from_no_default() -> None:
    a, axis, *_ = signature_table().numpy["numpy.sum"]
    assert a == Parameter("a", "normal", None)
    assert axis == Parameter("axis", "normal", "None")
