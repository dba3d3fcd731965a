"""Loops in functions with effects become functions that are compiled, and the program does what it did; or stay."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import outlined_functions as before
import pytest
from compiled_modules import compiled_module

STAYS = {
    "collected": "`collected` changes `losses` in its loop, which is no array",
    "views": "`views` has a loop that writes to arrays which have several names",
    "caught": "`caught` uses after an error what its loop has computed",
    "unbound": "`unbound` may not have a value of `last` before its loop",
    "closure": "`closure` has a function in it that reads `s`",
    "early": "`early` leaves its loop by more than `break` (line 82)",
    "table": "`table` has a loop that gives nothing",
    "Walker.uses_method": "`Walker.uses_method` uses `self` in its loop for more than attributes",
    "Walker.uses_property": "`Walker.uses_property` uses `self` in its loop for more than attributes",
}
MOVED = ["tried", "epochs", "converged", "noisy", "solved", "walk"]
COMPILED = [*MOVED[:-1], "walked"]


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The functions, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("outlined"), "outlined_loops") as module:
        yield module


@pytest.mark.parametrize(
    ("name", "form"),
    [*((name, form) for name in before.CALLS for form in ("numpy", "eager")), *((name, "xla") for name in COMPILED)],
)
def test_program_does_what_it_did(
    after: Any, name: str, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    expected = leaves(getattr(before, name)(*copy.deepcopy(before.CALLS[name])))
    printed = capsys.readouterr().out
    given = [sys.modules["_tnp_helpers"].tensors_outwards(one, {}) for one in before.CALLS[name]]
    actual = leaves(getattr(after, name)(*given))
    assert len(expected) == len(actual)
    for one, other in zip(expected, actual, strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(other, one, rtol=1e-5 if np.asarray(one).dtype == np.float32 else 1e-12)
    if name not in ("closure", "noisy"):  # which print numbers of NumPy's in full
        assert capsys.readouterr().out.split()[:1] == printed.split()[:1]


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return leaves(list(value.values()))
    return [leaf for one in value for leaf in leaves(one)] if isinstance(value, tuple | list) else [value]


def test_loops_that_moved_are_compiled(after: Any) -> None:
    assert [name for name in MOVED if not hasattr(getattr(after, f"_{name}_loop", None), "compiled_state")] == []


@pytest.mark.parametrize("name", STAYS)
def test_loop_that_stays_is_named_with_its_reason(after: Any, name: str) -> None:
    report = (Path(after.__file__).parent / "report").read_text(encoding="utf-8")
    assert f"TNP506 this loop is not compiled: {STAYS[name]}" in report
    assert not hasattr(after, f"_{name.rpartition('.')[2]}_loop")


def test_loop_around_one_that_moved_is_named_with_it(after: Any) -> None:
    report = (Path(after.__file__).parent / "report").read_text(encoding="utf-8")
    assert "TNP506 this loop is not compiled, though `_epochs_loop` in it is: `epochs` calls print (line 74);" in report


def test_text_of_a_moved_loop_is_the_users(after: Any) -> None:
    text = Path(after.__file__).read_text(encoding="utf-8")
    assert "    total, y = _noisy_loop(n, total, x, y)\n" in text
    assert "            total = total + y[i]  # in single precision\n    return total, y\n" in text
    assert "self.count, self.pos = _walk_loop(moves, self.count, self.pos, self.step_size)\n" in text


def test_second_run_moves_nothing(after: Any) -> None:
    folder = Path(after.__file__).parent
    kept = {path: path.read_bytes() for path in folder.glob("*.py")}
    subprocess.run(
        [sys.executable, "-m", "tnp_migrate", "migrate", str(folder), "--compile"], check=False, capture_output=True
    )
    assert {path: path.read_bytes() for path in folder.glob("*.py")} == kept


def test_augmented_names_are_bound_anew_where_nothing_else_changes(tmp_path: Path) -> None:
    text = (
        "import numpy as np\n\n\ndef spread(x, n):\n    print(n)\n    total = np.zeros(3)\n    for _ in range(n):\n"
        "        total += len(x) * np.sin(total - x)\n        total -= (x + 1)\n    return total\n"
    )
    (tmp_path / "spread.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tnp_migrate", "migrate", str(tmp_path), "--compile"]
    subprocess.run(command, check=False, capture_output=True)
    assert "        total = total + (len(x) * tnp.sin(total - x))\n" in (tmp_path / "spread.py").read_text()
    assert "        total = total - (x + 1)\n" in (tmp_path / "spread.py").read_text()
    assert "        total += len(x) * np.sin(total - x)\n" in (tmp_path / "_numpy_spread.py").read_text()
