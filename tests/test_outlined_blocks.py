"""Blocks of array operations in methods that store attributes, and in loops that stay, become functions; or stay."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import storing_methods as before
from compiled_modules import compiled_module

MOVED = {
    "predict_body": "self.P, self.x, self.x_prior = _predict_body(F, self.P, self.Q, self.x)\n",
    "update_body": "PHT, y, self.S = _update_body(z, self.H, self.P, self.R, self.x)\n        SI = self.inv(self.S)\n",
    "update_body_2": "        self.P, self.x = _update_body_2(PHT, SI, y, self.H, self.P, self.x)\n",
    "step_body": "_step_body(dt, self.damping, self.force, self.place, self.speed)\n",
    "descended_body": "        loss, x = _descended_body(A, b, x)\n        history.append(float(loss))\n",
    "cool_body": "_cool_body(self.max, self.tf, self._x, self.x)\n",
    "speak_body": "        y = _speak_body(self.x)\n",
    "speak_body_2": '        print("half")\n        self.y = _speak_body_2(self.x)\n',
}
STAYS = ["tick", "advance", "shrink", "heat", "halve", "nudge", "attempt", "by_counter"]


@pytest.fixture(scope="module")
def after(tensorflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The classes, translated by the command."""
    assert tensorflow is not None
    with compiled_module(before, tmp_path_factory.mktemp("blocks"), "outlined_blocks") as module:
        yield module


@pytest.mark.parametrize("form", ["numpy", "eager", "graph", "xla"])
@pytest.mark.parametrize("name", before.CALLS)
def test_objects_hold_what_they_held(after: Any, name: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", form)
    expected = getattr(before, name)(*copy.deepcopy(before.CALLS[name]))
    given = [sys.modules["_tnp_helpers"].tensors_outwards(one, {}) for one in before.CALLS[name]]
    actual = getattr(after, name)(*given)
    for one, other in zip(expected, actual, strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(other, one, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", MOVED)
def test_blocks_are_compiled(after: Any, name: str) -> None:
    assert MOVED[name] in Path(after.__file__).read_text(encoding="utf-8")
    assert hasattr(getattr(after, f"_{name}"), "compiled_state")


@pytest.mark.parametrize("name", STAYS)
def test_other_blocks_stay(after: Any, name: str) -> None:
    assert not hasattr(after, f"_{name}_body")


def test_numpy_form_is_the_users_text(after: Any) -> None:
    text = Path(after.__file__).with_name("_numpy_outlined_blocks.py").read_text(encoding="utf-8")
    assert "    force(place, out=own_force)\n    own_force -= damping * speed\n    speed += dt * own_force\n" in text
    assert "    y = z - H @ x  # the residual\n    PHT = P @ H.T\n" in text


def test_attributes_are_as_before_where_a_block_raises(after: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TNP_COMPILED", "numpy")
    one = after.Filter(4)
    one.predict()
    held = (one.x, one.P, one.S)
    with pytest.raises(ValueError, match="operands"):
        one.update(np.zeros(3))
    assert (one.x, one.P, one.S) == held


def test_second_run_changes_nothing(after: Any) -> None:
    folder = Path(after.__file__).parent
    kept = {path: path.read_bytes() for path in folder.glob("*.py")}
    command = [sys.executable, "-m", "tnp_migrate", "migrate", str(folder), "--compile"]
    subprocess.run(command, check=False, capture_output=True)
    assert {path: path.read_bytes() for path in folder.glob("*.py")} == kept
