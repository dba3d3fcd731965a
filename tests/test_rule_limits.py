"""The tables of what does not compile and has no gradient: what they forgive, and the page that shows them."""

from __future__ import annotations

import pytest
from direct_names import direct_samples
from rule_limits import NO_GRADIENT, NO_SLOPE, NOT_COMPILED, PAGE, Limit, check_within, page
from rule_samples import Sample, all_samples, call

LIMIT = Limit("one is too little", "too little", frozenset({"numpy.add"}), lambda sample: sample.args[0] < 3)


def check(sample: Sample) -> bool:
    """Fail for 1 as a limit says, for 3 and more as none does."""
    assert sample.args[0] != 1, "too little"
    assert sample.args[0] < 3, "too much"
    return sample.args[0] == 2


def within(*numbers: int, first: int = 9, strict: bool = True) -> bool:
    return check_within([LIMIT], "numpy.add", check, [call(number) for number in numbers], first=first, strict=strict)


def test_failure_that_a_limit_explains_is_forgiven() -> None:
    assert within(0, 1)
    assert within(1, 2)


@pytest.mark.parametrize("number", [3, 4])
def test_failure_that_no_limit_explains_is_raised(number: int) -> None:
    with pytest.raises(AssertionError, match=rf"numpy\.add\({number},\) .*: too much"):
        within(1, number)


def test_limit_that_nothing_meets_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"no longer limited: .'one is too little'"):
        within(0, 2)
    assert within(0, 2, strict=False)


def test_more_than_the_first_is_run_until_the_limit_is_met() -> None:
    assert within(0, 9, 1, 9, first=1)
    assert not within(0, 9, 1, first=1, strict=False)


def test_tables_name_rules_and_direct_names() -> None:
    named = {target for limit in (*NOT_COMPILED, *NO_GRADIENT) for target in limit.targets}
    assert named | set(NO_SLOPE) <= {*all_samples(), *direct_samples()}


def test_docs_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python tests/rule_limits.py"
