"""`tnp-migrate rule NAME`: one test for each class of name."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tnp_migrate.cli import main
from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.reports.translations import explain_name

NAMES = [
    pytest.param("np.power", "np.power: the same name in tnp\n\n    tnp.power(x1, x2)", id="direct"),
    pytest.param("np.pi", "np.pi: the same name in tnp", id="direct constant"),
    pytest.param("np.degrees", "np.degrees: written out at the call", id="inline rule"),
    pytest.param("degrees", "np.degrees: written out at the call", id="without np"),
    pytest.param("numpy.median", "np.median: a helper in the module _tnp_helpers.py", id="helper"),
    pytest.param("ndarray.sum", "np.ndarray.sum: written out at the call", id="method"),
    pytest.param("np.ndarray.flags", "np.ndarray.flags: flagged (TNP408)", id="member that tensors lack"),
    pytest.param("np.save", "np.save: kept on NumPy on purpose", id="kept"),
    pytest.param("np.random.rand", "np.random.rand: kept on NumPy on purpose: NumPy's stream", id="random stream"),
    pytest.param("np.lib.stride_tricks.as_strided", "np.lib.stride_tricks.as_strided: flagged (TNP408)", id="flagged"),
    pytest.param("np.cast", "np.cast: flagged (TNP201). NumPy 2 has removed this name", id="removed in NumPy 2"),
    pytest.param("np.alltrue", "np.all: written out at the call", id="removed, under its name of today"),
    pytest.param("np.float", "np.float: becomes Python's own `float`", id="removed type"),
    pytest.param("np.NINF", "np.NINF: becomes -np.inf", id="removed constant"),
    pytest.param("np.subtract.reduce", "np.subtract.reduce: flagged (TNP201)", id="method of a ufunc, without a rule"),
    pytest.param("np.ndarray.reshape", "np.ndarray.reshape: a tensor's own reshape", id="member of tensors"),
    pytest.param("np.linalg", "np.linalg: a module; ask for one of its names, such as np.linalg.", id="module"),
    pytest.param("np.multiply.at", "np.multiply.at: becomes `x = tnh.ufunc_at(x, ...)`", id="method of a ufunc"),
    pytest.param("np.add.at", "np.add.at: becomes `x = tnh.add_at(x, ...)`", id="call in place"),
]


@pytest.mark.parametrize(("name", "expected"), NAMES)
def test_name_is_explained(name: str, expected: str) -> None:
    result = CliRunner().invoke(main, ["rule", name])
    assert result.exit_code == 0
    assert result.stdout.startswith(expected)


@pytest.mark.parametrize("name", ["np.nosuch", "np.linalg.nosuch", "np.nosuch.at", "np.ndarray.nosuch"])
def test_unknown_name_is_an_error(name: str) -> None:
    result = CliRunner().invoke(main, ["rule", name])
    assert result.exit_code == 2
    assert f"NumPy has no public name {name}" in result.stderr


def test_rule_is_shown_with_its_text() -> None:
    assert read_rulebook().definitions["median"].text.strip() in str(explain_name("np.median"))


def test_direct_rule_says_when_it_is_not_needed() -> None:
    direct = next(name for name, rule in read_rulebook().rules.items() if rule.direct == "float")
    assert "Plain tnp is used where the first argument is proven an array of float32, float64." in str(
        explain_name(direct)
    )


def test_every_name_of_numpy_is_explained() -> None:
    assert [name for name in signature_table().numpy if explain_name(name) is None] == []


@pytest.mark.parametrize("code", ["TNP203", "tnp901"])
def test_code_is_explained(code: str) -> None:
    result = CliRunner().invoke(main, ["rule", code])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"# {code.upper()}: ")
