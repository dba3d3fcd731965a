"""Random programs of objects with several arrays: no write to one of them is lost on who has it as well."""

from __future__ import annotations

from typing import Any

import pytest
from handed_out_runs import judge
from object_states import random_program


@pytest.mark.parametrize("number", range(60))
def test_no_write_is_lost(number: int, tensorflow: Any) -> None:
    verdict = judge(random_program(0, number))
    assert not verdict.failed, f"{verdict.kind}: {verdict.why}\n{verdict.program.text}"
