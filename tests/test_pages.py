"""The pages that are followed step by step say what happens: each command is run, and prints what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_runs import ROOT, follow, matches, steps_of

PAGES = ("first", "reviewing", "teams", "limits", "working", "rules")


@pytest.mark.parametrize("page", PAGES)
def test_page_can_be_followed(page: str, tmp_path: Path) -> None:
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    assert any(step.kind == "command" for step in steps_of(text))
    wrong = follow(text, tmp_path)
    assert not wrong, "\n\n".join(wrong)


def test_what_a_page_leaves_out_is_no_difference() -> None:
    assert matches("a\n...\nc 1...\n", "a\nb\nb\nc 100 s\n")
    assert not matches("a\nc\n", "a\nb\nc\n")
    assert not matches("a\n", "a\nb\n")
    assert not matches("a.c\n", "abc\n")
