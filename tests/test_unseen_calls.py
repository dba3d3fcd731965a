"""What a call keeps, writes to or gives back is followed where no text names what it runs."""

from __future__ import annotations

from typing import Any

import pytest
from handed_out_programs import evaluate
from handed_out_runs import judge
from unseen_calls import FORMS, Form, program_of

# What raises where no finding stands. The test is strict: what gets better has to go.
RAISING = {
    "f = b.cumsum\nf(0, None, A)",
    'for m in ("fill",):\n    getattr(np.ndarray, m)(b, 3)',
    "p = P(b)\np.fill(5)",
    "np.concatenate([A, P()])",
}


@pytest.mark.parametrize("form", FORMS, ids=[one.name for one in FORMS])
def test_no_write_is_lost(form: Form, tensorflow: Any) -> None:
    program = program_of([form])
    assert evaluate(program.files) is not None
    verdict = judge(program)
    assert verdict.kind == "raises" if form.inside.strip() in RAISING else not verdict.failed, verdict.why
