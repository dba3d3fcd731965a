"""The pytest plugin of `numpy_tests.py`: binds the rules, and writes one line of JSON for each test.

`NUMPY_TESTS_OUT` is the file written to, `NUMPY_TESTS_RULES` says whether the rules are bound, `NUMPY_TESTS_DONE` names
a file of tests that an earlier process, which died, has left behind.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

_OUT = Path(os.environ["NUMPY_TESTS_OUT"])
_RULES = os.environ.get("NUMPY_TESTS_RULES") == "1"


def _write(line: dict[str, Any]) -> None:
    with _OUT.open("a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    """Bind the rules before any test module is imported."""
    if not _RULES:
        return
    import numpy_tests_names
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.experimental.numpy.experimental_enable_numpy_behavior()
    judged = {str(Path(one).resolve()) for one in config.args}
    numpy_tests_names.install(lambda file: file in judged)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what is done, and give each test a name that does not depend on the process."""
    seen: Counter[str] = Counter()
    done = {json.loads(line)["test"] for line in _OUT.read_text(encoding="utf-8").splitlines()} if _OUT.exists() else ()
    left = []
    for item in items:
        stem = item.nodeid.split("[")[0].split("::", 1)[-1]
        seen[stem] += 1
        item.stash[_NAME] = f"{stem}#{seen[stem]}"
        if item.stash[_NAME] not in done:
            left.append(item)
    items[:] = left


_NAME: pytest.StashKey[str] = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Say which test begins, so that a crash can be laid at its door."""
    Path(f"{_OUT}.now").write_text(item.stash[_NAME], encoding="utf-8")
    if _RULES:
        from numpy_tests_calls import start

        start()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Write the outcome of a test, and what its calls were."""
    report = yield
    if report.when == "call" or (report.when == "setup" and not report.passed):
        outcome = "xfailed" if hasattr(report, "wasxfail") and report.skipped else report.outcome
        line: dict[str, Any] = {"test": item.stash[_NAME], "id": item.nodeid, "outcome": outcome}
        if call.excinfo is not None and report.failed:
            line["error"] = f"{call.excinfo.typename}: {call.excinfo.value}"[:600]
        if _RULES:
            from numpy_tests_calls import RECORD

            line["calls"] = RECORD.calls
            line["left"] = sorted(set(RECORD.left))
            line["events"] = [[one.name, one.kind, one.detail] for one in RECORD.events[:20]]
        _write(line)
    return report
