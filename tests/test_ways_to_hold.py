"""An array is got by each way there is to hold one, and written to by each form: who else has it sees that.

The ways were written before the analysis was looked at: a new one needs no more than a line in `ways_to_hold.py`.
"""

from __future__ import annotations

from typing import Any

import pytest
from handed_out_programs import Program
from handed_out_runs import judge
from ways_to_hold import WAYS

WRITES = {
    "store": "b[0] = 5.0",
    "augmented": "b += 1",
    "out": "np.add(b, 1, out=b)",
    "method": "b.fill(2)",
    "slice": "b[1:] *= 3",
}
HEAD = """\
import asyncio, bisect, collections, concurrent.futures, contextlib, contextvars, copy, dataclasses, enum, functools
import heapq, itertools, operator, queue, sys, types, weakref
import numpy as np


def run():
    n = 1
    a = np.ones(3)
"""


def program(way: str, write: str) -> Program:
    body = [*WAYS[way].strip().splitlines(), WRITES[write], "return (a,)"]
    return Program({"main.py": HEAD + "".join(f"    {line}\n" for line in body)}, ())


@pytest.mark.parametrize("way", WAYS)
def test_no_write_is_lost(way: str, tensorflow: Any) -> None:
    verdicts = {write: judge(program(way, write)) for write in WRITES}
    assert {write: one.kind for write, one in verdicts.items() if one.failed} == {}
