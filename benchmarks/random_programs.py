"""Translate random programs that alias, view and mutate arrays, and compare the results with NumPy's.

Prints how many became native, how many have an island, how many crash the translator, raise or are
wrong, the numbers of those that fail (`--first NUMBER --count 1` runs one again), and the first of them, shrunk. Exit
code 1 if there is one.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from tool import ROOT

sys.path[:0] = [str(ROOT / folder) for folder in ("tests", "migrator", "rules")]
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

if TYPE_CHECKING:
    from program_runs import Verdict

BATCH = 200


def main() -> int:
    """Run the batches; report as they go."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same programs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--show", type=int, default=1, help="how many failing programs to shrink and print")
    options = parser.parse_args()
    from program_generator import generate
    from program_runs import judge_programs, shrink

    kinds: Counter[str] = Counter()
    failed: list[tuple[int, Verdict]] = []
    start = time.perf_counter()
    end = options.first + options.count
    for first in range(options.first, end, BATCH):
        numbers = range(first, min(first + BATCH, end))
        verdicts = judge_programs([generate(options.seed, number) for number in numbers])
        kinds.update(verdict.kind for verdict in verdicts)
        failed += [(number, one) for number, one in zip(numbers, verdicts, strict=True) if one.failed]
        if sys.stderr.isatty():
            print(
                f"\r{first + len(verdicts) - options.first} programs, {len(failed)} failed",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print(f"\n{options.count} programs of seed {options.seed} in {time.perf_counter() - start:.0f} s")
    for kind in ("native", "island", "crash", "raises", "wrong"):
        print(f"  {kind:8}{kinds[kind]:7}  {kinds[kind] / max(options.count, 1):6.1%}")
    for number, verdict in failed:
        print(f"  program {number} {verdict.kind}: {verdict.why[:90]}", flush=True)
    shown = sorted((one for _, one in failed), key=lambda verdict: (verdict.kind != "wrong", len(verdict.source)))
    for verdict in shown[: options.show]:
        smallest = shrink(verdict)
        print(f"\n=== {smallest.kind}: {smallest.why}\n\n{smallest.source}\n--- became\n\n{smallest.translated}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
