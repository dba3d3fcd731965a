"""Programs that write to memory which calls hand out: NumPy's numbers, or an error that a finding announces."""

from typing import Any

import pytest
from handed_out_programs import Program
from handed_out_runs import judge
from oracle_programs import files_of, handed_out


@pytest.mark.parametrize("name", [path.stem for path in handed_out()])
def test_no_write_is_lost(name: str, tensorflow: Any) -> None:
    verdict = judge(Program(files_of(f"handed_out/{name}"), ()))
    assert verdict.kind in {"native", "island", "said"}, f"{verdict.kind}: {verdict.why}"
    assert verdict.kind == "native" or not name.startswith("read_"), "what is only read costs nobody an island"
