"""Calls that hypothesis draws for every rule and every direct name: what the translator makes of each, against NumPy.

A drawn call becomes the text of a function, the translator translates the text, and the result is run on tensors, on
ndarrays and under `tf.function`. So each name is judged as users meet it: written out, as a helper, or as plain tnp
where that is what comes out. Arguments are drawn by the kind of their parameter (`call_strategies`, `call_kinds`), and
compared as written samples are (`rule_runs`). What is known to differ stands in `known_differences`.

By default a few examples for each name, always the same. Many, and others each time, on one name or all:

    python -m pytest tests/test_generated_calls.py --hypothesis-profile thorough -n 2 -k median
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import hypothesis
import numpy as np
import pytest
from call_kinds import NOT_GENERATED, calls, parameters, short
from generated_programs import helper_module
from known_differences import KNOWN
from known_dtypes import Difference
from rule_samples import is_in_numpy

from tnp_migrate.numpy_facts.limits import LIMITS
from tnp_migrate.reports.coverage import rows

pytestmark = pytest.mark.skipif(
    np.__version__ < "2.4", reason="known differences are those of the newest NumPy and TensorFlow"
)
NAMES = sorted({row.name for row in rows() if row.answer.kind in ("direct", "rule", "helper")})
GENERATED = [name for name in NAMES if short(name) not in NOT_GENERATED and is_in_numpy(name)]
THOROUGH = 300
EAGER = 6
TRACED = 2


@pytest.fixture(scope="module", autouse=True)
def helpers(tensorflow: Any) -> Iterator[None]:
    """Give tensors the members that translated projects give them, for these tests only."""
    assert tensorflow is not None
    with helper_module():
        yield


def drawn(name: str, ways: tuple[str, ...], device: str, examples: int) -> Counter[str]:
    """Judge drawn calls of a name; say how many did as NumPy, and how many were not run and why."""
    from generated_runs import judge

    became: Counter[str] = Counter()
    thorough = hypothesis.settings.get_current_profile_name() == "thorough"

    @hypothesis.settings(
        max_examples=THOROUGH if thorough else examples,
        derandomize=not thorough,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(call=calls(name))
    def check(call: Any) -> None:
        became[judge(call, ways, device)] += 1

    check()
    return became


@pytest.mark.parametrize("name", GENERATED)
def test_translated_call_does_as_numpy(name: str, device: str) -> None:
    """Value, dtype, shape, structure and errors, on tensors and on ndarrays."""
    became = drawn(name, ("tensors", "ndarrays"), device, EAGER)
    assert became["same"], f"no call of {name} was compared: {dict(became)}"


@pytest.mark.parametrize("name", GENERATED)
def test_traced_call_does_as_numpy(name: str, device: str) -> None:
    """The same under `tf.function`."""
    drawn(name, ("graph",), device, TRACED)


def test_every_rule_and_direct_name_has_calls_or_a_reason() -> None:
    assert [name for name in GENERATED if not parameters(name)] == []
    known = {short(name) for name in NAMES}
    assert [name for name in NOT_GENERATED if name not in known] == []


def test_users_are_told_of_each_known_difference() -> None:
    assert {one.reason for one in KNOWN} == set(LIMITS)


@pytest.mark.parametrize("difference", [pytest.param(one, id=one.reason) for one in KNOWN])
def test_known_difference_is_still_there(difference: Difference, device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call that shows an entry falls under it, and does not do as NumPy: else the entry has to go."""
    import generated_runs

    monkeypatch.setattr(generated_runs, "known_difference", lambda *_, **__: None)
    assert difference.shown_by
    assert difference.names <= set(NAMES)
    gone = []
    for call in difference.shown_by:
        assert call.name in difference.names
        assert difference.when(call), call
        try:
            generated_runs.judge(call, ("graph",) if difference.traced else ("tensors",), device)
        except AssertionError:
            continue
        gone.append(call)
    assert gone == [], "translated, these do as NumPy"
