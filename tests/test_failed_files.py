"""What goes wrong on one file or function costs that one and no other, and is said: deep nesting, mistakes of ours."""

from __future__ import annotations

import importlib
from pathlib import Path

import crafted
import pytest
from crafted import counted, project

from tnp_migrate.functional.stage import _Stage
from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate_text


def test_what_is_too_deep_is_blamed_on_its_file_and_analysed_never(tmp_path: Path) -> None:
    deep = crafted.HEAD + "x = np.e" + ".real" * 600 + "\n"
    good = crafted.functions(5)
    alone = counted(lambda: project(tmp_path / "alone", {"good.py": good, "other.py": good}))[1]
    made, calls = counted(lambda: project(tmp_path / "both", {"deep.py": deep, "good.py": good, "other.py": good}))
    found = {Path(one.path).name: [finding.code for finding in one.findings] for one in made.reports}
    assert found["deep.py"] == ["TNP908"]
    assert "TNP908" not in found["good.py"] + found["other.py"]
    assert calls["evaluate"] == alone["evaluate"]


def test_recursion_without_end_in_one_body_is_blamed_on_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tnp_migrate.analysis import arrays

    whole = arrays._function

    def endless(function: object, around: object) -> None:
        if function.node.name == "f3":
            endless(function, around)
        whole(function, around)

    monkeypatch.setattr(arrays, "_function", endless)
    files = {"bad.py": crafted.functions(5), "good.py": f"{crafted.HEAD}def g(x):\n    return np.sum(x)\n"}
    made = project(tmp_path, files)
    found = {Path(one.path).name: [finding.code for finding in one.findings] for one in made.reports}
    assert found == {"bad.py": ["TNP908"], "good.py": []}
    assert {path.name for path in made.outputs} >= {"good.py"}
    assert "bad.py" not in {path.name for path in made.outputs}


def test_recursion_without_end_in_the_functional_stage_costs_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _Stage.analyse

    def endless(self: _Stage, body: object) -> None:
        if getattr(body, "name", "") == "bad":
            endless(self, body)
        whole(self, body)

    monkeypatch.setattr(_Stage, "analyse", endless)
    text = "".join(f"def {name}(x):\n    x[0] = np.sum(x)\n    return x\n" for name in ("good", "bad"))
    report = migrate_text((crafted.HEAD + text).encode(), Config()).reports[0]
    assert report.islands == ("bad",)
    assert [one.symbol for one in report.findings if "deeply" in one.message] == ["bad"]


_STEPS = [  # of the analysis, each with an argument by which a test can tell whose turn it is
    ("tnp_migrate.program.references", "_references"),
    ("tnp_migrate.analysis.arrays", "_function"),
    ("tnp_migrate.analysis.effects", "note_aliases"),
    ("tnp_migrate.analysis.solver", "_note_picked"),
    ("tnp_migrate.rewriting.translated_file", "planned"),
]


@pytest.mark.parametrize(("module", "step"), _STEPS, ids=[step for _, step in _STEPS])
def test_mistake_of_ours_costs_the_file_and_no_other(
    module: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = importlib.import_module(module)
    whole = getattr(home, step)

    def mistaken(*given: object, **words: object) -> object:
        if any("bad.py" in shown for shown in map(_path_in, given)):
            raise AttributeError("'Constant' object has no attribute 'lineno'")
        return whole(*given, **words)

    monkeypatch.setattr(home, step, mistaken)
    text = f"{crafted.HEAD}def g(x):\n    y = np.sum(x)\n    y[0] = 1\n    return y\n"
    made = project(tmp_path, {"bad.py": text, "good.py": text, "using.py": f"import bad\n{text}"})
    found = {Path(one.path).name: [finding.code for finding in one.findings] for one in made.reports}
    assert found["bad.py"] == ["TNP910"]
    assert found["good.py"] == found["using.py"] == []
    assert {path.name for path in made.outputs} >= {"good.py", "using.py"}
    assert "bad.py" not in {path.name for path in made.outputs}


def test_mistake_of_ours_in_the_functional_stage_costs_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _Stage.analyse

    def mistaken(self: _Stage, body: object) -> None:
        if getattr(body, "name", "") == "bad":
            raise KeyError("x")
        whole(self, body)

    monkeypatch.setattr(_Stage, "analyse", mistaken)
    text = "".join(f"def {name}(x):\n    x[0] = np.sum(x)\n    return x\n" for name in ("good", "bad"))
    report = migrate_text((crafted.HEAD + text).encode(), Config()).reports[0]
    assert report.islands == ("bad",)
    said = "internal error, please report it: KeyError: 'x' (test_failed_files.py:"
    assert [one.symbol for one in report.findings if said in one.message] == ["bad"]


def _path_in(given: object) -> str:
    """The path of the file that an argument of ours belongs to."""
    for name in ("path", "source", "module", "graph", "function"):
        held = getattr(given, name, None)
        if held is not None and not callable(held):
            return str(held) if name == "path" else _path_in(held)
    return ""
