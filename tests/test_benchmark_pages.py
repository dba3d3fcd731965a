"""Pages of measurements are what benchmarks print of their results: what is changed in them by hand would be lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_times_of_compiled_functions_are_printed_from_their_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import npbench_table

    results = json.loads((ROOT / "benchmarks/results/npbench_forms.json").read_text(encoding="utf-8"))
    assert (ROOT / "docs/compiled-times.md").read_text(encoding="utf-8") == npbench_table.table(results)
