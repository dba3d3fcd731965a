"""Translate random programs that write to arrays in place, and compare the results with NumPy's.

`--kind aliasing`: one function that aliases, views and mutates arrays. `--kind handed-out`: getters, caches, pools,
closures, several modules, and writes to what they hand out; a program is translated as a project of its own.
`--kind unseen`: a few of the forms of tests/unseen_calls.txt, in which no text names what a call runs.
`--kind ways`: one of the ways of tests/ways_to_reach.txt to reach an array, a write to it, and where that stands.
`--kind attributes`: an attribute whose array something else has, and a method that writes to it: kept_attributes.txt.
`--kind layers`: classes whose methods make arrays, keep them, hand them on or write to them: tests/layered_calls.py.
`--kind states`: objects with several arrays, which methods bind, share, move and write to: tests/object_states.py.
`--kind pairs`: objects that hold two others, which may be one, read by the one and written by the other: object_pairs.

Every second program shows copies of its arrays, or one of them alone: tests/shown_copies.py.

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
from collections.abc import Iterator
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from tool import ROOT

sys.path[:0] = [str(ROOT / folder) for folder in ("tests", "migrator", "rules")]
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

if TYPE_CHECKING:
    import handed_out_runs
    import program_runs

    Verdict = program_runs.Verdict | handed_out_runs.Verdict

# Of the kinds whose programs are translated one by one: the module that makes them, and its function.
KINDS = {
    "handed-out": ("handed_out_programs", "generate"),
    "unseen": ("unseen_calls", "random_program"),
    "ways": ("ways_to_reach", "random_program"),
    "attributes": ("kept_attributes", "random_program"),
    "layers": ("layered_calls", "random_program"),
    "states": ("object_states", "random_program"),
    "pairs": ("object_pairs", "random_program"),
}
BATCH = 200
CHUNK = 20


def main() -> int:
    """Run the programs; report as they go."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=["aliasing", *KINDS], default="aliasing", help="which programs")
    parser.add_argument("--count", type=int, default=10_000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same programs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--show", type=int, default=1, help="how many failing programs to shrink and print")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes (not for aliasing)")
    parser.add_argument("--out", type=Path, help="folder for the wrong programs, the first --show of them shrunk")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.count)
    kinds: Counter[str] = Counter()
    reading: Counter[str] = Counter()
    failed: list[tuple[int, Verdict]] = []
    start = time.perf_counter()
    for done, (number, verdict) in enumerate(verdicts(options, numbers), 1):
        kinds[verdict.kind] += 1
        reading[verdict.kind] += options.kind == "handed-out" and verdict.program.reads_only
        failed += [(number, verdict)] if verdict.failed else []
        if sys.stderr.isatty() and done % CHUNK == 0:
            print(f"\r{done} programs, {len(failed)} failed", end="", file=sys.stderr, flush=True)
    print(f"\n{options.count} programs of seed {options.seed} in {time.perf_counter() - start:.0f} s")
    for kind in ("native", "island", "said", "crash", "raises", "wrong"):
        print(f"  {kind:8}{kinds[kind]:7}  {kinds[kind] / max(options.count, 1):6.1%}")
    if reading.total():
        shares = ", ".join(f"{count} {kind}" for kind, count in reading.most_common() if count)
        print(f"  of {reading.total()} that only read: {shares}")
    if options.kind != "aliasing":
        show_handed_out(failed, options)
    else:
        show_aliasing(failed, options)
    return 1 if failed else 0


def verdicts(options: argparse.Namespace, numbers: range) -> Iterator[tuple[int, Verdict]]:
    """What became of each program, by its number; programs of one file are translated together."""
    if options.kind != "aliasing":
        chunks = [(options.kind, options.seed, numbers[at : at + CHUNK]) for at in range(0, len(numbers), CHUNK)]
        if options.jobs == 1:
            yield from (one for chunk in chunks for one in judge_chunk(chunk))
            return
        with get_context("spawn").Pool(options.jobs) as pool:
            yield from (one for made in pool.imap(judge_chunk, chunks) for one in made)
        return
    from program_generator import generate
    from program_runs import judge_programs

    for at in range(0, len(numbers), BATCH):
        some = numbers[at : at + BATCH]
        yield from zip(some, judge_programs([generate(options.seed, number) for number in some]), strict=True)


def judge_chunk(chunk: tuple[str, int, range]) -> list[tuple[int, handed_out_runs.Verdict]]:
    """Judge some programs of files of their own, in whichever process."""
    from handed_out_runs import judge
    from shown_copies import with_copies

    kind, seed, numbers = chunk
    module, name = KINDS[kind]
    generate = getattr(import_module(module), name)
    made = ((number, generate(seed, number)) for number in numbers)
    return [(number, judge(with_copies(one, f"{seed} {number}") if number % 2 else one)) for number, one in made]


def show_aliasing(failed: list[tuple[int, program_runs.Verdict]], options: argparse.Namespace) -> None:
    """Print what failed, and the smallest, shrunk."""
    from program_runs import shrink

    for number, verdict in failed:
        print(f"  program {number} {verdict.kind}: {verdict.why[:90]}", flush=True)
    shown = sorted((one for _, one in failed), key=lambda verdict: (verdict.kind != "wrong", len(verdict.source)))
    for verdict in shown[: options.show]:
        smallest = shrink(verdict)
        print(f"\n=== {smallest.kind}: {smallest.why}\n\n{smallest.source}\n--- became\n\n{smallest.translated}")


def show_handed_out(failed: list[tuple[int, handed_out_runs.Verdict]], options: argparse.Namespace) -> None:
    """Print what failed by kind of holder, write the wrong ones to the folder, and print some, shrunk."""
    from handed_out_runs import shrink

    for kind in sorted({one.kind for _, one in failed}):
        holders = Counter(name for _, one in failed if one.kind == kind for name in set(one.program.holders))
        print(f"  {kind} by holder: {', '.join(f'{name} {count}' for name, count in holders.most_common())}")
        print(f"  {kind} programs: {' '.join(str(number) for number, one in failed if one.kind == kind)}", flush=True)
    shown = sorted(failed, key=lambda pair: (pair[1].kind != "wrong", len(pair[1].program.text)))
    for position, (number, verdict) in enumerate(shown):
        smallest = shrink(verdict) if position < options.show else verdict
        if position < options.show:
            print(f"\n=== {number} {smallest.kind}: {smallest.why}\n\n{smallest.program.text}", flush=True)
        if options.out and smallest.kind == "wrong":
            for name, text in smallest.program.files.items():
                path = options.out / f"{options.seed}_{number}" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
