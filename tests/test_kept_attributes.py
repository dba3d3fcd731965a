"""Each part of `kept_attributes.txt`, with random others: who else holds the array sees the write."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from handed_out_runs import judge
from kept_attributes import PARTS, program_with


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, known in PARTS.items() for name in known])
def test_no_write_is_lost(kind: str, name: str, tensorflow: Any) -> None:
    verdict = judge(program_with(Random(name), **{kind: name}))
    assert not verdict.failed, f"{verdict.kind}: {verdict.why}\n{verdict.program.text}"
