"""An array is reached by each way of `ways_to_reach.txt` and written to: none of its names loses the write."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from handed_out_runs import judge
from ways_to_reach import WAYS, program_of

# What is not right yet, `wrong` or `raises` where no finding says so. The test is strict: what gets better has to go.
NOT_YET: dict[str, str] = {}


@pytest.mark.parametrize("name", WAYS)
def test_no_write_is_lost(name: str, tensorflow: Any) -> None:
    verdict = judge(program_of(WAYS[name], Random(name)))
    if name in NOT_YET:
        assert verdict.kind == NOT_YET[name], f"{verdict.kind}: take it off the list"
    else:
        assert not verdict.failed, f"{verdict.kind}: {verdict.why}\n{verdict.program.text}"
