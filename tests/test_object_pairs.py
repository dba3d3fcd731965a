"""Random programs of objects that hold two others: no write by the one is lost on what the other had."""

from __future__ import annotations

from typing import Any

import pytest
from handed_out_runs import judge
from object_pairs import random_program


@pytest.mark.parametrize("number", range(50))
def test_no_write_is_lost(number: int, tensorflow: Any) -> None:
    verdict = judge(random_program(0, number))
    assert not verdict.failed, f"{verdict.kind}: {verdict.why}\n{verdict.program.text}"
