"""Random programs of layers: what a body stores into an array of its own is lost on nobody, nor any other write."""

from __future__ import annotations

from typing import Any

import pytest
from handed_out_runs import judge
from layered_calls import random_program


@pytest.mark.parametrize("number", range(60))
def test_no_write_is_lost(number: int, tensorflow: Any) -> None:
    verdict = judge(random_program(0, number))
    assert not verdict.failed, f"{verdict.kind}: {verdict.why}\n{verdict.program.text}"
