"""Each program under fixtures/: golden translation, golden report, nothing left for a second run, NumPy's results."""

import ast
import shutil
from pathlib import Path
from typing import Any

import pytest
from fixture_cases import (
    Translation,
    assert_same,
    case_id,
    find_cases,
    run_case,
    slack_of,
    translate_again,
    translation,
)

CASES = find_cases()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test id per case; GPU forms of a program have no `run.py` and are not run."""
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("case", [case for case in CASES if (case / "run.py").exists()], ids=case_id)
    elif "case" in metafunc.fixturenames:
        metafunc.parametrize("case", CASES, ids=case_id)


@pytest.fixture
def translated(case: Path, tmp_path_factory: pytest.TempPathFactory) -> Translation:
    """The case's translation, made once."""
    return translation(case, tmp_path_factory.getbasetemp() / "fixtures" / case.parent.name / case.name)


def test_translation_is_the_golden_one(case: Path, translated: Translation, request: pytest.FixtureRequest) -> None:
    """Compare with `after.py` or `after/`; a `no_change` case must give back its own bytes."""
    if case.parent.name == "no_change":
        assert translated.programs == read_programs(case, "before")
    elif request.config.getoption("--accept"):
        write_golden(case, translated)
    else:
        assert decoded(translated.programs) == decoded(read_programs(case, "after"))


def test_report_is_the_golden_one(case: Path, translated: Translation, request: pytest.FixtureRequest) -> None:
    """Findings are part of the expected result."""
    golden = case / "report.txt"
    if request.config.getoption("--accept"):
        golden.write_text(translated.report, "utf-8")
    assert translated.report == golden.read_text("utf-8")


def test_helpers_that_are_named_are_written(translated: Translation) -> None:
    """Each `tnh.name` of the translation is in a helper module, also where one form alone asks for it."""
    modules = [text for name, text in translated.files.items() if Path(name).name == "_tnp_helpers.py"]
    written = {name for text in modules for name in names_bound(text)}
    named = {name for text in translated.programs.values() for name in helpers_named(text)}
    assert named <= written


def names_bound(text: bytes) -> set[str]:
    """What a module binds at its top."""
    body = ast.parse(text).body
    imported = {alias.asname or alias.name for one in body if isinstance(one, ast.ImportFrom) for alias in one.names}
    assigned = [one for one in body if isinstance(one, ast.Assign | ast.AnnAssign)]
    names = {node.id for one in assigned for node in ast.walk(one) if isinstance(node, ast.Name)}
    return imported | names | {one.name for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef)}


def helpers_named(text: bytes) -> set[str]:
    """The names that a module takes of its helper module."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError):  # a file of another kind, or one that is left as it was
        return set()
    imports = [one for one in nodes if isinstance(one, ast.Import | ast.ImportFrom)]
    names = [(alias, alias.name.rpartition(".")[2]) for one in imports for alias in one.names]
    aliases = {alias.asname or name for alias, name in names if name == "_tnp_helpers"}
    attributes = [one for one in nodes if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)]
    return {one.attr for one in attributes if one.value.id in aliases}  # type: ignore[attr-defined]


def test_second_translation_changes_nothing(translated: Translation, tmp_path: Path) -> None:
    """A translated tree is a fixed point, helper module included."""
    assert decoded(translate_again(translated, tmp_path)) == decoded(translated.files)


def test_results_are_numpys(case: Path, translated: Translation, device: str, tensorflow: Any) -> None:
    """The program's functions give the same values, dtypes, shapes and output before and after."""
    expected = run_case(case, translated.source)
    assert expected.error is None, "the fixture itself must run on NumPy"
    with tensorflow.device(device):
        actual = run_case(case, translated.out)
    if actual.error is not None:
        raise actual.error
    assert_same(expected.result, actual.result, slack=slack_of(device))
    assert actual.stdout == expected.stdout


def read_programs(case: Path, stem: str) -> dict[str, bytes]:
    """Return the files of `before` or `after` under the names a translation gives them."""
    if (case / f"{stem}.py").exists():
        return {"before.py": (case / f"{stem}.py").read_bytes()}
    folder = case / stem
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def write_golden(case: Path, translated: Translation) -> None:
    """Replace the golden files of a case."""
    if (case / "before.py").exists():
        (case / "after.py").write_bytes(translated.programs["before.py"])
        return
    shutil.rmtree(case / "after", ignore_errors=True)
    for name, text in translated.programs.items():
        path = case / "after" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def decoded(files: dict[str, bytes]) -> dict[str, str]:
    """Bytes as text, for a difference that can be read; latin-1 keeps every byte apart."""
    return {name: text.decode("latin-1") for name, text in files.items()}
