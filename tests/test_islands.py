"""What stays on NumPy: the reasons stand on the `def` lines of `tests/analysis/islands_*.py`."""
# ruff: noqa: E501  # a case a line reads best

from __future__ import annotations

from pathlib import Path

import pytest
from analysis_cases import analyse, answers, cases, island_answers, islands_of

from tnp_migrate.analysis.effects import find_effects
from tnp_migrate.islands.kept_functions import find_islands


@pytest.mark.parametrize("path", cases("islands"), ids=lambda path: path.stem)
def test_islands_are_those_on_the_lines(path: Path) -> None:
    text = path.read_text()
    assert island_answers(text) == answers(text, "#=")


def test_nodes_know_their_island() -> None:
    index = analyse(
        case="import numpy as np\n\n\ndef f(a: np.ndarray):\n    a[0] = np.pi\n\n\ndef g(a: np.ndarray):\n    return np.sin(a)\n"
    )
    islands = find_islands(index, find_effects(index), {})
    module = index.modules["case"]
    held = {
        reference.name: islands.holds(module, reference.node) is not None
        for reference in module.names.references
        if reference.context != "annotation"
    }
    assert held == {"numpy.pi": True, "numpy.sin": False}


def test_what_a_call_has_an_island_write_to_goes_by_its_constants(tmp_path: Path) -> None:
    scaled = (
        "def scaled(x, inplace=False):\n    units = np.array(['m', 'km'])\n    if inplace and len(units):\n"
        "        x *= 2.0\n        return x\n    return x * 2.0\n\n\n"
    )
    called = (
        "def {}(a: np.ndarray):\n    a = a + 1.0\n    a[0] = 5.0\n    b = scaled(a{})\n    return a, np.sum(b)\n\n\n"
    )
    text = "import numpy as np\n\n\n" + scaled + called.format("left", "") + called.format("changed", ", inplace=True")
    assert islands_of(text, tmp_path) == {"scaled", "changed"}
