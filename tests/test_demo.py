"""The demonstration package: translated as one project, every function agrees with the original."""

import json
import runpy
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from fixture_cases import FIXTURES, own_members, translate_case

from tnp_migrate.proof.verdicts import FormResult, FunctionProof, Verification

DEMO = FIXTURES / "demo"


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The demo's comparison script as a module."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    specification = spec_from_file_location("demo_compare", DEMO / "compare.py")
    assert specification is not None
    assert specification.loader is not None
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    with own_members():
        yield module


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_translated_demo_agrees_with_the_original(
    compare: Any, tensorflow: Any, device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], compiled: bool
) -> None:
    """Mutation across functions and classes, helpers and linear algebra in one package."""
    translate_case(DEMO, tmp_path, "backend", compiled=compiled)
    with tensorflow.device(device):
        code = compare.main(DEMO / "before", tmp_path / "out")
    assert code == 0, capsys.readouterr().out


def test_table_has_the_verdict_and_both_times_of_each_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The form is the one that the translation is decorated with; what differs is said below."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "m.py").write_text("class A:\n    @tnh.compiled\n    def f(self): ...\ndef g(): ...\n")
    eager = FormResult("eager", "verified", 2, 2, seconds=0.002, numpy_seconds=0.001)
    whole = FormResult("compiled", "differs", 1, 0, "2 with NumPy, 3 here")
    functions = (
        FunctionProof("m.py", 3, "A.f", "differs", 2, 2, "compiled: 2 with NumPy, 3 here", None, (eager, whole)),
        FunctionProof("m.py", 4, "g", "not exercised"),
    )
    proof = {"verification": asdict(Verification(functions, ("cpu",)))}
    (tmp_path / "proof.json").write_text(json.dumps({"evidence": proof}))
    runpy.run_path(str(DEMO / "table.py"))["main"](tmp_path / "proof.json", tmp_path / "out")
    said = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert said[1:3] == [["A.f", "differs", "1.000", "compiled", "2.000"], ["g", "not", "exercised", "-", "eager", "-"]]
    assert " ".join(said[3]).endswith("3 here; the form of the table is the same")


def test_comparison_sees_a_difference(compare: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A changed number, dtype or shape is reported with exit code 1."""
    for path in (DEMO / "before").rglob("*.py"):
        target = tmp_path / path.relative_to(DEMO / "before")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8").replace("np.polyfit(t, signal, 1)", "np.polyfit(t, signal, 1) * 1.001")
        target.write_text(text.replace('mode="edge")', 'mode="edge").astype(np.float32)'), "utf-8")
    assert compare.main(DEMO / "before", tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    differ = [line.split()[0] for line in lines if line.endswith("NO")]
    assert differ == ["spectral.detrend", "spectral.envelope"]
