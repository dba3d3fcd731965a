"""Every rule and every direct name compiled by XLA: `tf.function(jit_compile=True)` has to give what NumPy gives.

Two samples of each name are compiled, as unlike each other as there are, and what its limits need; with `--thorough`
all. What XLA has compiled stays in the process, and after some 3,000 functions Linux has no mappings left for more:
`pytest --thorough -n 4` divides them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from direct_names import direct_body, direct_samples
from rule_limits import NOT_COMPILED, check_within
from rule_samples import Sample, all_samples, is_in_numpy

SAMPLES = all_samples()
DIRECT = direct_samples()
_COMPILED = 2
_SLOW = re.compile(r"numpy\.linalg\.|.*fit$|.*1d$")  # to compile singular values or a sort takes seconds: one sample

Check = Callable[[str, Any, list[Sample]], None]


@pytest.fixture
def check_compiled(tensorflow: Any, device: str, request: pytest.FixtureRequest) -> Check:
    """Compile some samples of a target, the most unlike ones first."""
    from rule_runs import check, numpy_outcome

    def run(target: str, body: Any, samples: list[Sample]) -> None:
        if not is_in_numpy(target):
            pytest.skip(f"NumPy {np.__version__} has no {target}")
        traced = [one for one in samples if not one.graph_obstacle and numpy_outcome(target, one)[1] is None]
        ordered = unlike_first(traced)
        few = 1 if _SLOW.match(target) else _COMPILED
        first = len(ordered) if request.config.getoption("--thorough") else few

        def compiled(sample: Sample) -> bool:
            check(target, sample, body, device, ("jit",))
            return True

        check_within(NOT_COMPILED, target, compiled, ordered, first=first, strict=device.startswith("/CPU"))

    return run


@pytest.mark.parametrize("target", sorted(SAMPLES))
def test_rule_compiles(target: str, rules: dict[str, Any], check_compiled: Check) -> None:
    if target in rules and target == rules[target].targets[0]:  # one function under two names is compiled once
        check_compiled(target, rules[target].body, SAMPLES[target])


@pytest.mark.parametrize("target", sorted(DIRECT))
def test_direct_name_compiles(target: str, check_compiled: Check) -> None:
    check_compiled(target, direct_body(target), DIRECT[target])


def unlike_first(samples: list[Sample]) -> list[Sample]:
    """Order samples so that each has the most that none before it has: parameters, dtypes, ranks."""
    rest = [(features_of(sample), sample) for sample in samples]
    ordered = []
    seen: set[Any] = set()
    while rest:
        best = max(range(len(rest)), key=lambda place: len(rest[place][0] - seen))
        features, sample = rest.pop(best)
        seen |= features
        ordered.append(sample)
    return ordered


def features_of(sample: Sample) -> set[Any]:
    """Tell what each argument is."""
    return {(name, kind_of(value)) for name, value in [*enumerate(sample.args), *sample.kwargs.items()]}


def kind_of(value: Any) -> str:
    """Tell an array by dtype, rank and emptiness, what is no container by its type, and a container by its items."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.ndim} {value.size > 0}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__} {sorted({kind_of(item) for item in value})}"
    return repr(value) if isinstance(value, str | bool | None) else type(value).__name__


def test_unlike_samples_come_first() -> None:
    array, other = np.zeros(2), np.zeros((2, 2), np.float32)
    samples = [Sample((array,)), Sample((array + 1,)), Sample((array, 1)), Sample((other,), {"axis": None})]
    assert [len(one.args) + len(one.kwargs) for one in unlike_first(samples)] == [2, 2, 1, 1]
