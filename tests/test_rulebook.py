"""Rules read as text: without importing them, complete, and the same as what the decorators note when run."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tnp_migrate.numpy_facts import rulebook
from tnp_migrate.numpy_facts.rulebook import read_rulebook, rules_folder

MODULE = '''
"""A module of rules."""

from __future__ import annotations

import numpy as np

LIMIT: int = 3
SMALL = LARGE = 1


@inline("numpy.degrees", "numpy.rad2deg")
def degrees(x, *, out=None):
    """Why."""
    return tnp.rad2deg(x)


@other
@helper(
    "numpy.median",
    direct="float",
)
def median(a, axis=None, *rest, keepdims=False, **more):
    """Why."""
    return _part(a)


def _part(a):  # a comment
    return a


@helper("numpy.r_")
class RowBuilder:
    """Why."""


def inline_is_a_name(inline):
    return inline
'''


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> rulebook.Rulebook:
    (tmp_path / "module.py").write_text(MODULE)
    (tmp_path / "forms.py").write_text("def inline(): ...\n")
    monkeypatch.setattr(rulebook, "rules_folder", lambda: tmp_path)
    return read_rulebook.__wrapped__()


def test_rules_are_found_under_each_target(book: rulebook.Rulebook) -> None:
    assert sorted(book.rules) == ["numpy.degrees", "numpy.median", "numpy.r_", "numpy.rad2deg"]
    assert book.find("numpy.degrees") is book.find("numpy.rad2deg")
    assert book.find("numpy.sum") is None


def test_rule_tells_form_proof_and_place(book: rulebook.Rulebook) -> None:
    degrees, median = book.rules["numpy.degrees"], book.rules["numpy.median"]
    assert (degrees.name, degrees.form, degrees.direct, degrees.module) == ("degrees", "inline", None, "module")
    assert (median.name, median.form, median.direct, median.module) == ("median", "helper", "float", "module")


def test_rule_tells_its_parameters(book: rulebook.Rulebook) -> None:
    def shown(name: str) -> list[tuple[str, str | None]]:
        return [(one, ast.unparse(default) if default else None) for one, default in book.rules[name].parameters]

    assert shown("numpy.degrees") == [("x", None), ("out", "None")]
    assert shown("numpy.median") == [("a", None), ("axis", "None"), ("keepdims", "False")]
    assert shown("numpy.r_") == []
    assert (book.rules["numpy.median"].variadic, book.rules["numpy.median"].takes_anything) == ("rest", True)
    assert (book.rules["numpy.degrees"].variadic, book.rules["numpy.degrees"].takes_anything) == (None, False)


def test_definitions_are_all_top_level_names(book: rulebook.Rulebook) -> None:
    wanted = {"LIMIT", "SMALL", "LARGE", "degrees", "median", "_part", "RowBuilder", "inline_is_a_name"}
    assert set(book.definitions) == wanted


def test_definition_keeps_its_text_with_decorators_and_comments(book: rulebook.Rulebook) -> None:
    assert book.definitions["_part"].text == "def _part(a):  # a comment\n    return a\n"
    assert book.definitions["median"].text.startswith("@other\n@helper(\n")
    assert book.definitions["LIMIT"].text == "LIMIT: int = 3\n"


def test_reading_the_rules_imports_none_of_them() -> None:
    program = (
        "import sys; from tnp_migrate.numpy_facts.rulebook import read_rulebook; read_rulebook();"
        "print([one for one in sys.modules if one.startswith(('tnp_rules.', 'tensorflow', 'numpy'))])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_every_decorated_function_is_read() -> None:
    """A decorator in a form that is not read as text would drop a rule without a word."""
    found = read_rulebook().rules
    for path in rules_folder().glob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            for decorator in getattr(node, "decorator_list", []):
                if ast.unparse(decorator).startswith(("inline", "helper")):
                    targets = [ast.literal_eval(one) for one in decorator.args]
                    assert targets
                    assert {found[one].name for one in targets} == {node.name}  # type: ignore[attr-defined]


def test_rulebook_is_read_once() -> None:
    assert read_rulebook() is read_rulebook()
