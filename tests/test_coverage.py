"""`tnp-migrate coverage`: every public name of the installed NumPy has one answer, and it is what the passes do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from public_names import SNAPSHOT, public_names

from tnp_migrate.cli import main
from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.numpy_facts.traits import UFUNCS_AT
from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate_text, report_of
from tnp_migrate.reports.answers import IN_PLACE, KINDS, UPDATED, answer_of
from tnp_migrate.reports.coverage import OLD, Row, counts, measured_on, rows
from tnp_migrate.reports.docs_pages import coverage_page

ROOT = Path(__file__).parent.parent
ALL = rows()
# How the passes count a name that is read as a value: a rule that is no plain function has to be the helper then.
BINS = {
    "direct": {"renamed"},
    "rule": {"helper", "rewritten"},
    "helper": {"helper"},
    "kept": {"kept"},
    "flagged": {"flagged"},
}


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["coverage", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_public_name_of_numpy_has_an_answer() -> None:
    names = [(home, name) for home, found in public_names().items() for name in found]
    unanswered = [
        f"{home}.{name}" for home, name in names if answer_of(f"{home.removesuffix('.ufunc')}.{name}") is None
    ]
    assert unanswered == []  # NumPy has gained a name, or a rule is gone: decide what becomes of it


def test_snapshot_lists_the_installed_numpy() -> None:
    recorded = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    for namespace, names in public_names().items():
        listed = set(recorded["names"][namespace].split())
        assert set(names) <= listed, "run: python tests/public_names.py"
        assert recorded["numpy"] != np.__version__ or set(names) == listed, "run: python tests/public_names.py"


def test_each_name_stands_once() -> None:
    assert len({(row.namespace, row.name) for row in ALL}) == len(ALL)
    assert {row.answer.kind for row in ALL} == set(KINDS)


def test_parameters_are_either_supported_or_not() -> None:
    for row in ALL:
        assert not set(row.answer.supported) & set(row.answer.missing), row.name


def test_flagged_names_have_a_code_and_others_have_none() -> None:
    assert [row.name for row in ALL if bool(row.answer.code) != (row.answer.kind == "flagged")] == []
    assert [row.name for row in ALL if not row.answer.text or not row.answer.source] == []


def used(found: list[Row]) -> str:
    """A program that reads each name once, in a function of its own."""
    functions = [f"def use_{n}():\n    return np{row.name[5:]}\n" for n, row in enumerate(found)]
    return "\n\n".join(["import numpy as np\n", *functions])


@pytest.mark.parametrize("kind", KINDS)
def test_class_is_the_bin_that_the_passes_count(kind: str) -> None:
    in_program = [
        row
        for row in ALL
        if row.answer.kind == kind
        and row.namespace != "numpy.ndarray"
        and row.answer.text != IN_PLACE
        and row.name not in UPDATED
        and row.name != "numpy.ndarray"  # which stays only where nothing can ask for an array by it
    ]
    project = migrate_text(used(in_program).encode(), Config(), rewrite=False)
    ledger = report_of(project).files[0].ledger
    counted = sum(getattr(ledger, one) for one in BINS[kind])
    assert counted == len(in_program), ledger


def writing(name: str) -> bytes:
    """A program that writes to an array with a call of one name."""
    given = ", ".join("v" for _ in (answer_of(name) or pytest.fail(name)).supported)
    if name.startswith("numpy.ndarray."):
        call = f"x.{name[14:]}({'v, v' if name.endswith('.put') else 'v' if given else ''})"
    elif name[6:-3] in UFUNCS_AT[1]:
        call = f"np{name[5:]}(x, v)"
    else:
        call = f"np{name[5:]}({given.replace('v', 'x', 1) if given else 'x, v, v'})"
    return f"import numpy as np\n\n\ndef write(v):\n    x = np.zeros(3)\n    {call}\n    return x\n".encode()


@pytest.mark.parametrize("name", [row.name for row in ALL if row.answer.text == IN_PLACE])
def test_call_without_functional_form_is_on_an_island(name: str) -> None:
    file = report_of(migrate_text(writing(name), Config(), rewrite=False)).files[0]
    assert file.ledger.island == file.ledger.references > 0


@pytest.mark.parametrize("name", UPDATED)
def test_call_with_functional_form_becomes_it(name: str) -> None:
    project = migrate_text(writing(name), Config())
    (text,) = (data.decode() for path, data in project.outputs.items() if path == Path("-"))
    assert f"tnh.{UPDATED[name][0]}(" in text
    assert "@tnh.island" not in text


def test_text_has_versions_and_counts_at_its_head() -> None:
    text = shown("linalg")
    assert text.startswith(f"NumPy's public names, measured on {measured_on()}")
    kinds = counts(rows("linalg"))["numpy.linalg"]
    line = next(line for line in text.splitlines() if line.startswith("numpy.linalg "))
    assert line.split()[1:] == [str(kinds.total()), *(str(kinds[kind]) for kind in KINDS)]
    assert "  inv " in text
    assert "median" not in text


@pytest.mark.parametrize(
    ("namespace", "found"),
    [
        ("np.fft", {"numpy.fft"}),
        ("numpy", {"numpy"}),
        ("np", {"numpy"}),
        ("ndarray", {"numpy.ndarray"}),
        (OLD, {OLD}),
        ("random", {"numpy.random", "numpy.random.Generator", "numpy.random.RandomState"}),
    ],
)
def test_namespace_chooses_its_names_and_those_below(namespace: str, found: set[str]) -> None:
    assert {row.namespace for row in rows(namespace)} == found


def test_unknown_namespace_is_an_error() -> None:
    result = CliRunner().invoke(main, ["coverage", "nosuch"])
    assert result.exit_code == 2
    assert "no namespace 'nosuch'; there are numpy, numpy.linalg" in result.stderr


def test_json_has_every_name_with_its_parameters() -> None:
    data = json.loads(shown("--format", "json"))
    assert data["schema"] == 1
    assert data["measured_on"] == dict(signature_table().versions)
    assert sum(sum(one.values()) for one in data["counts"].values()) == len(data["names"]) == len(ALL)
    fft = next(one for one in data["names"] if one["name"] == "numpy.fft.fft")
    assert (fft["class"], fft["source"]) == ("helper", "rules/tnp_rules/fft.py")
    assert fft["supported"] == ["a", "n", "axis", "norm"]
    assert fft["unsupported"] == ["out"]


def test_markdown_table_has_seven_cells_a_line() -> None:
    lines = [line for line in shown("numpy", "--format", "markdown").splitlines() if line.startswith("| `")]
    assert len(lines) > 100
    assert {line.count(" | ") for line in lines} == {6}


def test_docs_page_is_fresh() -> None:
    written = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    assert written == coverage_page(), "run: python -m tnp_migrate.reports.docs_pages docs"


def test_coverage_imports_neither_numpy_nor_tensorflow() -> None:
    code = (
        "import sys, tnp_migrate.reports.coverage as c; c.rows(); "
        "print({'numpy', 'tensorflow', 'libcst'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("numpy.random.normal", "drawn by tf.random.Generator under the same name"),
        ("numpy.random.multivariate_normal", "under the same name, without check_valid, tol"),
        ("numpy.random.Generator.integers", "drawn by tf.random.Generator under the same name"),
        ("numpy.random.Generator.rand", None),
        ("numpy.random.Generator.bit_generator", "there is no counterpart"),
        ("numpy.random.default_rng", "`tnh.default_rng`, on a tf.random.Generator"),
        ("numpy.random.PCG64", "seeded from it"),
        ("numpy.random.RandomState.vonmises", "TensorFlow cannot draw it"),
        ("numpy.savetxt", None),
    ],
)
def test_kept_draws_say_what_random_tensorflow_does(name: str, said: str | None) -> None:
    answer = answer_of(name)
    assert answer is not None
    assert answer.kind == "kept"
    assert said in answer.text if said is not None else "same name" not in answer.text
