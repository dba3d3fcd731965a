"""`tnp-migrate rule --test`: a job for the process that compares rules with what they stand for, and what it said."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_MODULE = "tnp_migrate.proof.inside.rule_test"


class CannotTest(Exception):
    """The process in which rules run did not come to an end; what it said is the message."""


@dataclass(frozen=True)
class Tested:
    """How a rule or a declaration of one target has done; `made` by the signature are calls that nobody has given."""

    target: str
    kind: str
    problems: tuple[str, ...]
    calls: int
    made: bool = False
    untraced: str = ""

    def lines(self, most: int = 5) -> Iterator[str]:
        """What there is to say, at most some problems of each."""
        what = "" if self.kind == "rule" else " (declaration)"
        calls = f"{self.calls} {'made ' if self.made else ''}call{'s' if self.calls != 1 else ''}"
        if not self.problems:
            traced = f"; no graph can run it ({self.untraced})" if self.untraced else ""
            yield f"{self.target}{what}: {calls}, {'the same' if self.kind == 'rule' else 'as declared'}{traced}"
            return
        yield f"{self.target}{what}: {calls}, differs"
        yield from (f"    {one}" for one in self.problems[:most])
        if len(self.problems) > most:
            yield f"    and {len(self.problems) - most} more"


def run_tests(
    file: Path,
    helpers: str,
    rules: Sequence[tuple[str, str]],
    effects: Sequence[tuple[str, str, Mapping[str, Sequence[str]]]],
    python: str = sys.executable,
) -> list[Tested]:
    """Compare in a process of its own; `helpers` is the text of the helper module, `rules` targets and names in it.

    `effects` are targets, the names of what declares them in the file, and the parameters that are declared.
    """
    with tempfile.TemporaryDirectory() as folder:
        job, module = Path(folder, "job.json"), Path(folder, "_tnp_helpers.py")
        module.write_text(helpers, encoding="utf-8")
        told = {"file": str(file.resolve()), "helpers": str(module), "rules": rules, "effects": effects}
        job.write_text(json.dumps(told), encoding="utf-8")
        command = [python, "-m", _MODULE, str(job)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # Python itself
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"target"')]
    if done.returncode:
        raise CannotTest((done.stderr.strip().splitlines() or ["it gave no reason"])[-1])
    return [Tested(**{**row, "problems": tuple(row["problems"])}) for row in rows]
