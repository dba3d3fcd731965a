"""Random programs whose loops draw: with `--compile` they give NumPy's numbers, and leave the streams as it does."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixture_cases import imported
from loop_programs import HELPERS, loop_inputs, loop_program

SEEDS = range(24)


@pytest.fixture(scope="module")
def modules(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    """The programs, and what the command makes of them."""
    assert tensorflow is not None
    work = tmp_path_factory.mktemp("drawing")
    programs = [loop_program(seed, f"f{seed}", draws=True) for seed in SEEDS]
    text = "import numpy as np\n\n\n" + "\n\n".join([HELPERS, *programs])
    (work / "as_it_was.py").write_text(text, encoding="utf-8")
    (work / "src").mkdir()
    (work / "src" / "drawing_loops.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tnp_migrate", "migrate", str(work / "src"), "--compile"]
    subprocess.run(command, check=False, capture_output=True)
    spec = importlib.util.spec_from_file_location("as_it_was", work / "as_it_was.py")
    assert spec is not None
    assert spec.loader is not None
    before = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(before)
    with imported(work / "src", "drawing_loops") as after:
        yield before, after


def outcome(function: Any, arguments: dict[str, Any]) -> Any:
    """What a function gives, or the class of what it raises."""
    with np.errstate(all="ignore"):
        try:
            return function(**arguments)
        except (ArithmeticError, IndexError, ValueError) as error:
            return type(error)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["numpy", "xla"])
@pytest.mark.parametrize("seed", SEEDS)
def test_program_gives_numpys_numbers(modules: Any, seed: int, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    before, after = modules
    helpers = sys.modules["_tnp_helpers"]
    expected = outcome(getattr(before, f"f{seed}"), loop_inputs(seed))
    given = {name: helpers.tensors_outwards(value, {}) for name, value in loop_inputs(seed).items()}
    actual = outcome(getattr(after, f"f{seed}"), given)
    if isinstance(expected, type):
        assert isinstance(actual, type)
        return
    for one, other in zip(leaves(expected), leaves(actual), strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-9)


def leaves(value: Any) -> list[Any]:
    return [leaf for one in value for leaf in leaves(one)] if isinstance(value, tuple | list) else [value]


def test_some_draws_are_made_before_their_loops(modules: Any) -> None:
    text = Path(modules[1].__file__).read_text(encoding="utf-8")
    assert text.count("tnh.drawn(") > 3
    assert text.count("_loop(") > 10
