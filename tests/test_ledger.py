"""Every reference is in one bin, and sums say so."""

from __future__ import annotations

import pytest

from tnp_migrate.diagnostics.findings import Finding
from tnp_migrate.diagnostics.ledger import BINS, FileReport, Ledger, Report, tally


def test_empty_ledger_balances() -> None:
    assert Ledger().balanced()
    assert tally(0, []) == Ledger()


def test_tally_counts_each_bin() -> None:
    ledger = tally(8, [*BINS, "kept"])
    assert ledger == Ledger(8, *(2 if name == "kept" else 1 for name in BINS))
    assert ledger.balanced()


@pytest.mark.parametrize("references", [0, 1, 3])
def test_lost_or_invented_references_do_not_balance(references: int) -> None:
    assert not tally(references, ["kept", "renamed"]).balanced()


def test_ledgers_add_up() -> None:
    one, other = tally(2, ["kept", "flagged"]), tally(1, ["kept"])
    assert one + other == tally(3, ["kept", "flagged", "kept"])
    assert (one + other).balanced()


def test_fields_stand_in_the_order_of_the_bins() -> None:
    assert Ledger(*range(8)).counts() == tuple(range(8))
    assert [getattr(Ledger(*range(8)), name) for name in BINS] == list(range(1, 8))


def test_report_sums_its_files() -> None:
    finding = Finding("TNP201", "a.py", 1, 1, 1, 2, "why")
    files = (
        FileReport("a.py", "translated", tally(2, ["kept", "flagged"]), (finding,)),
        FileReport("b.py", "unchanged", tally(1, ["kept"]), ()),
    )
    report = Report("1", files)
    assert report.ledger == tally(3, ["kept", "kept", "flagged"])
    assert report.findings == (finding,)
