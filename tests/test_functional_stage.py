"""`--stage functional`: still NumPy, bit for bit; each write is bound again; the backend stage goes on from there."""

import ast
import re
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixture_cases import Outcome, Translation, find_traps, migrate, outcome, run_trap, translation

from tnp_migrate.numpy_facts.rulebook import read_numpy_stage, read_rulebook

PROGRAMS = find_traps("mutation")
HELPERS = "_tnp_helpers.py"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "program" in metafunc.fixturenames:
        metafunc.parametrize("program", PROGRAMS, ids=lambda program: program.stem)


@pytest.fixture
def translated(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Translation:
    return translation(program, tmp_path_factory.getbasetemp() / "functional" / program.stem, "functional")


def test_results_are_bit_identical(program: Path, translated: Translation) -> None:
    expected, actual = run_trap(program, translated.source), run_trap(program, translated.out)
    assert_identical(expected, actual)


def test_results_do_not_depend_on_stores_that_others_see(program: Path, translated: Translation) -> None:
    """With helpers that copy, a holder that is not bound again keeps the old numbers."""
    if "TNP301" in translated.report:
        pytest.skip("a function was left with writes in place, which takes helpers that do")
    expected = run_trap(program, translated.source)

    def run(module: types.ModuleType) -> Any:
        with copying(module):
            return module.run()

    assert_identical(expected, outcome(translated.out, program.stem, run))


def test_output_needs_no_tensorflow(translated: Translation) -> None:
    assert not [name for name, text in translated.files.items() if b"tensorflow" in text]
    assert all(name in {"renamed", "rewritten", "kept"} for name in bins_in_use(translated.report))


def test_helpers_have_the_names_of_the_backend_stage() -> None:
    between = {name for name in read_numpy_stage().definitions if not name.startswith("_")}
    assert between <= set(read_rulebook().definitions)
    assert not read_numpy_stage().rules


def test_only_what_is_used_is_vendored(tmp_path: Path) -> None:
    files, _ = translated_text(
        "import numpy as np\n\n\ndef run():\n    a = np.ones(3)\n    a[0] = 2\n    return a\n", tmp_path
    )
    tree = ast.parse(files[HELPERS])
    assert [one.name for one in tree.body if isinstance(one, ast.FunctionDef)] == ["index_update"]
    assert b"import numpy" not in files[HELPERS]


def test_package_imports_its_helpers_relatively(tmp_path: Path) -> None:
    inner = tmp_path / "source" / "pkg" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "source" / "pkg" / "__init__.py").write_text("")
    (inner / "__init__.py").write_text("")
    (inner / "m.py").write_text("import numpy as np\n\n\ndef f():\n    a = np.ones(3)\n    a[0] = 2\n    return a\n")
    files, _ = migrate(".", tmp_path, "functional")
    assert b"from .. import _tnp_helpers as tnh\n" in files["pkg/inner/m.py"]
    assert "pkg/" + HELPERS in files


def test_import_that_nothing_reads_any_more_goes(tmp_path: Path) -> None:
    source = "from numpy import fill_diagonal, ones\n\n\ndef run():\n    a = ones((2, 2))\n    fill_diagonal(a, 5)\n"
    files, _ = translated_text(source, tmp_path)
    assert b"from numpy import ones\n" in files["program.py"]


def test_ledger_counts_what_the_stage_rewrote_and_keeps_the_rest(tmp_path: Path) -> None:
    source = "import numpy as np\n\n\ndef run():\n    a = np.ones((2, 2))\n    np.fill_diagonal(a, 5)\n    return a\n"
    _, report = translated_text(source, tmp_path)
    assert "references 2 = renamed 0 + rewritten 1 + helper 0 + kept 1 +" in report


def test_report_names_refusals_with_both_lines_and_nothing_of_the_backend_stage(tmp_path: Path) -> None:
    source = (
        "import numpy as np\n\n\ndef run(m):\n    m = np.array(m)\n    rows = [m] * len(m)\n    row = rows[0]\n"
        "    row[0] = 1\n    return rows, m\n\n\ndef order(a):\n    return np.asfortranarray(a)\n\n\nrun([1.0])\n"
    )
    files, report = translated_text(source, tmp_path)
    assert files["program.py"].decode() == source
    found = [line for line in report.splitlines() if " TNP" in line]
    assert [line.split()[1] for line in found] == ["TNP301"]
    assert "lines 8 and" in found[0]


def test_suppressed_finding_is_quiet_and_comments_for_the_next_stage_are_not_idle(tmp_path: Path) -> None:
    source = (
        "import numpy as np\n\n\ndef scale(a):  # tnp: ignore[TNP310] no caller elsewhere\n    a *= 2\n\n\n"
        "def run():\n    a = np.ones(3)\n    scale(a)\n    return np.asfortranarray(a)  # tnp: ignore[TNP203] small\n"
    )
    _, report = translated_text(source, tmp_path)
    assert not [line for line in report.splitlines() if "TNP310" in line or "TNP210" in line]


def test_check_writes_nothing_and_standard_input_goes_to_standard_output() -> None:
    from click.testing import CliRunner

    from tnp_migrate.cli import main

    source = "import numpy as np\n\n\ndef f():\n    a = np.ones(3)\n    a[0] = 2\n    return a\n"
    shown = CliRunner().invoke(main, ["migrate", "--stage", "functional", "-"], input=source).stdout
    assert "import _tnp_helpers as tnh\n" in shown
    assert "    a = tnh.index_update(a, 0, 2)\n" in shown


def test_setting_in_pyproject_chooses_the_stage(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from tnp_migrate.cli import main

    (tmp_path / "pyproject.toml").write_text('[tool.tnp-migrate]\nstage = "functional"\n')
    (tmp_path / "m.py").write_text("import numpy as np\n\n\ndef f():\n    a = np.ones(3)\n    a[0] = 2\n    return a\n")
    arguments = ["migrate", str(tmp_path / "m.py"), "--diff"]
    assert "tensorflow" not in CliRunner().invoke(main, arguments).stdout
    assert "tensorflow" in CliRunner().invoke(main, [*arguments, "--stage", "backend"]).stdout


ADDED = "import numpy as np\n\n\ndef run():\n    a = np.ones(3)\n    a[1:] += np.arange(2)\n    return a * np.pi\n"


def test_backend_stage_takes_over_from_the_functional_stage(tmp_path: Path, tensorflow: Any) -> None:
    between = tmp_path / "between"
    translated_text(ADDED, between)
    (tmp_path / "source").mkdir()
    for name in ("program.py", HELPERS):
        (tmp_path / "source" / name).write_bytes((between / "out" / name).read_bytes())
    files, _ = migrate(".", tmp_path)
    assert b"import tensorflow as tf" in files[HELPERS]
    expected, actual = run_program(between / "source"), run_program(tmp_path / "out")
    assert actual.error is None
    assert isinstance(actual.result, tensorflow.Tensor)
    np.testing.assert_array_equal(actual.result.numpy(), expected.result)
    again, _ = migrate_again(tmp_path, tmp_path / "again", "functional")
    assert again == files, "a project on TensorFlow keeps its helpers, whatever stage is asked for"


def test_backend_stage_replaces_helpers_beside_those_changed_by_hand(tmp_path: Path, tensorflow: Any) -> None:
    between = tmp_path / "between"
    translated_text(ADDED, between)
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "program.py").write_bytes((between / "out" / "program.py").read_bytes())
    text = (between / "out" / HELPERS).read_text() + "\n\ndef mine(x):\n    return x\n"
    (tmp_path / "source" / HELPERS).write_text(text)
    files, report = migrate(".", tmp_path)
    assert b"def mine(x):" in files[HELPERS]
    assert "TNP108" in report
    actual = run_program(tmp_path / "out")
    assert actual.error is None
    assert isinstance(actual.result, tensorflow.Tensor)
    np.testing.assert_array_equal(actual.result.numpy(), run_program(between / "source").result)


def translated_text(source: str, scratch: Path) -> tuple[dict[str, bytes], str]:
    (scratch / "source").mkdir(parents=True)
    (scratch / "source" / "program.py").write_text(source)
    return migrate(".", scratch, "functional")


def migrate_again(before: Path, scratch: Path, stage: str) -> tuple[dict[str, bytes], str]:
    (scratch / "source").mkdir(parents=True)
    for path in (before / "out").glob("*.py"):
        (scratch / "source" / path.name).write_bytes(path.read_bytes())
    return migrate(".", scratch, stage)


def run_program(folder: Path) -> Outcome:
    return outcome(folder, "program", lambda module: module.run())


def bins_in_use(report: str) -> set[str]:
    line = next(line for line in report.splitlines() if line.startswith("references "))
    counts = [part.split() for part in line.partition("= ")[2].split(" + ")]
    return {name for name, count in counts if count != "0"}


@contextmanager
def copying(module: types.ModuleType) -> Iterator[None]:
    """Let the helpers that a program imports copy an array before they write to it."""
    helpers = next((one for one in vars(module).values() if getattr(one, "__name__", "") == "_tnp_helpers"), None)
    kept = dict(vars(helpers)) if helpers is not None else {}

    def wrapped(function: Any) -> Any:
        return lambda x, *rest, **words: function(x.copy() if isinstance(x, np.ndarray) else x, *rest, **words)

    for name, value in kept.items():
        if isinstance(value, types.FunctionType):
            setattr(helpers, name, wrapped(value))
    try:
        yield
    finally:
        vars(helpers).update(kept) if helpers is not None else None


def assert_identical(expected: Outcome, actual: Outcome) -> None:
    assert expected.error is None, "the program itself must run on NumPy"
    if actual.error is not None:
        raise actual.error
    assert described(actual.result) == described(expected.result)
    assert actual.stdout == expected.stdout


def described(value: Any) -> Any:
    """Values by type, dtype, shape and bytes; objects by their attributes, and what they share left out."""
    if isinstance(value, np.ndarray | np.generic):
        contents = [described(one) for one in value.ravel()] if value.dtype == object else value.tobytes()
        return type(value).__name__, str(value.dtype), value.shape, contents
    if isinstance(value, dict):
        return "dict", [(described(key), described(one)) for key, one in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return type(value).__name__, [described(one) for one in value]
    if type(value).__repr__ is object.__repr__ and hasattr(value, "__dict__"):
        return type(value).__name__, described(vars(value))
    return type(value).__name__, repr(value)


ORDER = """import numpy as np


def take(x, i):
    value = float(x[i])
    x[i] = -1
    return value


def first(x):
    found = [take(x, i) for i in range(2)]  # both
    return found, x[0] + take(x, 0)


def second(x):
    return any(take(x, i) < 0 for i in range(2))


def run():
    return first(np.arange(3))


def other():
    return second(np.arange(3))
"""


def test_statement_becomes_several_ones_and_reports_name_the_users_lines(tmp_path: Path) -> None:
    files, report = translated_text(ORDER, tmp_path)
    text = re.sub(r"result\d", "result", files["program.py"].decode())
    assert "    found = []  # both\n    for i in range(2):\n        result, x = take(x, i)\n" in text
    assert "    value = x[0]\n    result, x = take(x, 0)\n    return (found, value + result), x\n" in text
    assert "    return any(take(x, i)[0] < 0 for i in range(2))\n" in text
    assert "program.py:16:16: TNP301 " in report
    assert "(line 16)" in report


@pytest.mark.parametrize(
    ("newline", "indent"), [("\r\n", "    "), ("\n", "\t"), ("\n", "  ")], ids=["crlf", "tab", "two"]
)
def test_new_lines_stand_as_the_users_do(newline: str, indent: str, tmp_path: Path) -> None:
    source = ORDER.replace("    ", indent).replace("\n", newline)
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "program.py").write_bytes(source.encode())
    files, _ = migrate("program.py", tmp_path, "functional")
    expected = f"{indent}for i in range(2):{newline}{indent}{indent}result, x = take(x, i){newline}"
    assert expected.encode() in re.sub(rb"result\d", b"result", files["program.py"])


def test_function_that_is_refused_after_all_keeps_its_statements(tmp_path: Path) -> None:
    source = ORDER.replace("    return found, x[0]", "    later = lambda: take(x, 1)\n    return found, later(), x[0]")
    files, _ = translated_text(source, tmp_path)
    assert b"    found = [take(x, i)[0] for i in range(2)]  # both\n" in files["program.py"]


def test_variable_of_another_module_is_read_before_a_call_that_binds_it(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    state = "total = 1\n\n\ndef take(x, i):\n    global total\n    total += 1\n    x[i] = total\n    return total\n"
    (tmp_path / "source" / "state.py").write_text(f"import numpy as np\n\n{state}")
    value = "[state.total * state.take(a, 1), state.take(a, 2) * state.total]"
    program = f"import numpy as np\nimport state\n\n\ndef run():\n    a = np.zeros(3)\n    return {value}, a\n"
    (tmp_path / "source" / "program.py").write_text(program)
    files, _ = migrate(".", tmp_path, "functional")
    text = re.sub(r"result\d", "result", files["program.py"].decode())
    assert "    total = state.total\n    result, a = state.take(a, 1)\n    result, a = state.take(a, 2)\n" in text
    assert "    return [total * result, result * state.total], a\n" in text
