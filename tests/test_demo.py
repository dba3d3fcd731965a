"""The demonstration package: translated as one project, every function agrees with the original."""

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from fixture_cases import FIXTURES, own_members, translate_case

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
