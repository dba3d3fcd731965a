"""Every rule against the NumPy function it stands for, on its samples."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from older_versions import difference
from rule_samples import Sample, all_samples, is_in_numpy

from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.rewriting.helpers import write_helpers

if TYPE_CHECKING:
    from tnp_rules.forms import Rule

SAMPLES = all_samples()


@pytest.mark.parametrize(
    ("target", "sample"),
    [
        pytest.param(target, sample, id=f"{target}-{index}")
        for target, samples in SAMPLES.items()
        for index, sample in enumerate(samples)
    ],
)
def test_rule_gives_what_numpy_gives(
    target: str, sample: Sample, rules: dict[str, Rule], tensorflow: Any, device: str
) -> None:
    """Value, dtype, shape, structure and errors, on tensors, on ndarrays and under `tf.function`."""
    from rule_runs import check

    from tnp_rules.forms import OLDER

    assert target in rules or target in OLDER, f"samples of {target}, which has no rule"
    body = rules[target].body if target in rules else plain_tnp(target)
    if not is_in_numpy(target):
        pytest.skip(f"NumPy {np.__version__} has no {target}")
    different = difference(target, tensorflow=tensorflow.__version__, numpy=np.__version__)
    try:
        check(target, sample, body, device)
    except AssertionError:
        if different is None:
            raise
        pytest.xfail(different)


def shape(name: str, sample: Sample) -> str:
    """How migrated code that calls a helper as a sample does would be seen to call it."""
    given = sorted(sample.kwargs.items())
    said = [f"{key}={value!r}" for key, value in given if value is None or type(value) in (bool, str)]
    open_ones = [key for key, value in given if not (value is None or type(value) in (bool, str))]
    return f"{name}({', '.join([str(len(sample.args)), *open_ones, *said])})"


def fitted_cases() -> list[tuple[str, str, str, list[Sample]]]:
    """The samples of each rule by how they call it."""
    found: dict[tuple[str, str, str], list[Sample]] = {}
    for target, samples in SAMPLES.items():
        rule = read_rulebook().find(target)
        if rule is not None and is_in_numpy(target) and not isinstance(rule.node, ast.ClassDef):
            for sample in samples:
                found.setdefault((target, rule.name, shape(rule.name, sample)), []).append(sample)
    return [(*key, samples) for key, samples in found.items()]


def fitted(name: str, called: str) -> Any:
    """A rule as a helper module has it whose calls are all of one shape; nothing of TensorFlow is changed by it."""
    tree = ast.parse(write_helpers(read_rulebook(), {called}, {"()"}))
    tree.body = [one for one in tree.body if not isinstance(one, ast.Expr)]
    namespace: dict[str, Any] = {"__name__": "fitted"}
    exec(compile(tree, "fitted", "exec", dont_inherit=True), namespace)
    return namespace[name]


@pytest.mark.parametrize(
    ("target", "name", "called", "samples"), [pytest.param(*one, id=f"{one[0]}-{one[2]}") for one in fitted_cases()]
)
def test_rule_cut_to_its_call_gives_what_numpy_gives(
    target: str, name: str, called: str, samples: list[Sample], tensorflow: Any, device: str
) -> None:
    """What the branches that a call does not reach are left out of is as right as the whole rule."""
    from rule_runs import check

    body = fitted(name, called)
    for sample in samples:
        try:
            check(target, sample, body, device)
        except AssertionError:
            if difference(target, tensorflow=tensorflow.__version__, numpy=np.__version__) is None:
                raise


def test_every_rule_has_samples(rules: dict[str, Rule]) -> None:
    """A rule that nothing is compared on is not known to be right."""
    missing = sorted(target for target in rules if not SAMPLES.get(target))
    assert not missing, f"no samples for {missing}"


def test_direct_stands_only_on_names_of_tnp(rules: dict[str, Rule]) -> None:
    """`direct` promises that plain tnp is right for some arguments, so tnp has to have the name."""
    wrong = [target for target, rule in rules.items() if rule.direct and plain_tnp(target) is None]
    assert not wrong, f"not in tnp: {wrong}"


@pytest.mark.parametrize("target", sorted(SAMPLES))
def test_plain_tnp_would_not_do(target: str, rules: dict[str, Rule], device: str) -> None:
    """A rule that plain tnp satisfies on all of its samples, compiled and with its gradient as well, is not needed."""
    from gradients import check_gradient
    from rule_runs import WAYS, check

    plain = plain_tnp(target)
    if plain is None or target not in rules or np.__version__ < "2.4":  # the newest is what rules are written for
        return
    for ask in (
        lambda sample: check(target, sample, plain, device, WAYS),
        lambda sample: check_gradient(target, sample, plain, device),
        lambda sample: check(target, sample, plain, device, ("jit",)),
    ):
        for sample in SAMPLES[target]:
            try:
                ask(sample)
            except AssertionError:
                return
    pytest.fail(f"plain tnp is right on all {len(SAMPLES[target])} samples of {target}")


def plain_tnp(target: str) -> Any:
    """Return what tnp has under the NumPy name, None if it has nothing."""
    import tensorflow.experimental.numpy as tnp

    found: Any = tnp
    for name in target.split(".")[1:]:
        found = getattr(found, name, None)
    return found
