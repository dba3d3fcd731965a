"""Expressions that write to arrays by other ways than a plain assignment are translated, or stay on NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from handed_out_programs import Program, evaluate
from handed_out_runs import judge

TEXT = Path(__file__).with_name("ways_to_write.txt").read_text("utf-8")
PROGRAMS = dict(one.split("\n", 1) for one in TEXT.removeprefix("# ").split("\n\n# "))
# Those that have to be translated: they write to nothing, or in a way that has a functional form.
TRANSLATED = (
    "popped dtype_kwargs own_real own_flat_prop namespace_shape class_shape starred_target setattr_real out_none"
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_write_is_lost(name: str, tensorflow: Any) -> None:
    files = {"main.py": PROGRAMS[name]}
    assert evaluate(files) is not None
    verdict = judge(Program(files, ()))
    assert not verdict.failed, verdict.why
    assert verdict.kind == "native" or name not in TRANSLATED.split()
