"""Translate random functions with loops, and compare what their compiled forms give with NumPy.

Each form is made with one set of numbers and run with others too, with which other branches are taken and NumPy may
raise. Prints how many are equal, refused (with the reasons), or wrong; wrong ones are printed whole, and are never to
be.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from tool import ENVIRONMENT, ROOT, TOOL

sys.path.insert(0, str(ROOT / "tests"))

from loop_programs import HELPERS, loop_inputs, loop_program

HEAD = "import numpy as np\n\n\n"


def write_programs(work: Path, seeds: list[int]) -> None:
    """Write the functions as one module, and translate it."""
    before = work / "before"
    before.mkdir(parents=True, exist_ok=True)
    texts = [loop_program(seed, f"f{seed}") for seed in seeds]
    (before / "loops.py").write_text(HEAD + "\n\n".join([HELPERS, *texts]), encoding="utf-8")
    command = [
        *TOOL,
        "migrate",
        before,
        "--compile",
        "--out-dir",
        work / "after",
        "--force",
        "--output",
        work / "report",
    ]
    subprocess.run(command, env=ENVIRONMENT, check=False, capture_output=True)


def outcome(function: Any, arguments: list[Any]) -> Any:
    """What a function gives, or the error that it raises."""
    with np.errstate(all="ignore"):
        try:
            return function(*arguments), None
        except Exception as error:  # noqa: BLE001 - whatever it raises is its outcome
            return None, error


def as_tensors(helpers: Any, result: Any) -> Any:
    """Give a result of NumPy's as the forms give it: its numbers as tensors, Python's as they are."""
    return helpers.map_leaves(lambda leaf: helpers.tensors_outwards(leaf, {}), result)


def made(helpers: Any, plan: Any, form: str) -> Any:
    """Make a form; the eager one is given tensors."""
    if form != "eager":
        return helpers.make_form(plan.call, form, plan.specs)
    run = helpers.eager_form(plan.call)
    return lambda arrays: as_tensors(helpers, run([helpers.tensors_outwards(one, {}) for one in arrays]))


def compare(helpers: Any, plan: Any, form: str, original: Any, sets: list[list[Any]]) -> str:
    """Say how a form does: equal, refused, or what is wrong with it."""
    try:
        run = made(helpers, plan, form)
    except Exception as error:  # noqa: BLE001 - the reason is what is looked at
        return f"refused: {type(error).__name__}: {str(error).strip().splitlines()[-1][:100] if str(error) else ''}"
    refused = ""
    for number, arguments in enumerate(sets):
        wanted, raised = outcome(original, [np.array(one) if isinstance(one, np.ndarray) else one for one in arguments])
        arrays = [one for one in arguments if isinstance(one, np.ndarray)]
        given, fault = outcome(run, [arrays])
        if fault is not None:
            if raised is None and type(fault).__name__ != "Faulty":
                refused = f"refused when run: {type(fault).__name__}: {str(fault).strip().splitlines()[0][:100]}"
            elif raised is None and not refused:
                refused = "equal or left to NumPy"
            continue
        if raised is not None:
            return f"WRONG: numbers {number}: NumPy raises {raised!r}"
        sensitive, _ = outcome(original, [*helpers.moved(arrays), arguments[-1]])
        wanted, given, sensitive = (as_tensors(helpers, one) for one in (wanted, given, sensitive))
        reason = helpers.difference(wanted, given, sensitive)
        if reason.startswith("other numbers") and is_within_own(helpers, wanted, given, sensitive):
            refused = "within what one unit in the last place of the arguments makes of NumPy's own numbers"
        elif reason:
            return f"WRONG: numbers {number}: {reason}"
    return refused or "equal"


def is_within_own(helpers: Any, wanted: Any, given: Any, moved: Any) -> bool:
    """Say whether floats are as close to NumPy's as its own are with arguments moved by a unit in the last place."""
    for leaves in zip(*[helpers.leaves_of(each) for each in (wanted, given, moved)], strict=True):
        own, ours, shaken = (np.asarray(leaf) for leaf in leaves)
        if own.dtype.kind not in "fc" or not np.isfinite(own).all():
            if not np.array_equal(own, ours, equal_nan=own.dtype.kind in "fc"):
                return False
            continue
        error, moves = (np.max(np.abs(own - one), initial=0.0) for one in (ours, shaken))
        if error > max(16 * moves, 1e-11 * np.max(np.abs(own), initial=0.0)):
            return False
    return True


def main() -> None:
    """Parse the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "seeds", nargs="*", type=int, help="numbers of single programs; default --count from --first on"
    )
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--forms", default="xla,graph,eager")
    parser.add_argument("--verbose", action="store_true", help="say of each program why it is refused")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "compiled_programs")
    arguments = parser.parse_args()
    seeds = arguments.seeds or list(range(arguments.first, arguments.first + arguments.count))
    write_programs(arguments.work, seeds)
    sys.path.insert(0, str(arguments.work / "after"))
    helpers = importlib.import_module("_tnp_helpers")
    after = importlib.import_module("loops")
    space: dict[str, Any] = {}
    exec((arguments.work / "before" / "loops.py").read_text(encoding="utf-8"), space)  # noqa: S102 - our own text
    counts: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    wrong = 0
    for seed in seeds:
        function = getattr(after, f"f{seed}")
        state = getattr(function, "compiled_state", None)
        if state is None:
            counts["not marked"] += 1
            continue
        sets = [list(loop_inputs(number).values()) for number in range(4)]
        sets.append(list(loop_inputs(4, raising=True).values()))
        raising = [outcome(space[f"f{seed}"], one)[1] for one in sets]
        if raising[0] is not None:
            counts["NumPy raises at once"] += 1
            continue
        arrays: list[Any] = []
        key = state.key_of(sets[0], arrays)
        plan = state.begin(key, sets[0], arrays)
        for form in arguments.forms.split(","):
            found = "not begun"
            with contextlib.suppress(KeyboardInterrupt):
                found = compare(helpers, plan, form, space[f"f{seed}"], sets)
            counts[f"{form} {found.partition(':')[0]}"] += 1
            reasons[f"{form} {found}"] += found.startswith("refused")
            if found != "equal" and (arguments.verbose or found.startswith("WRONG")):
                print(f"f{seed} {form}: {found}")
            if found.startswith("WRONG"):
                wrong += 1
                print(loop_program(seed, f"f{seed}"))
            sys.stdout.flush()
    for reason, count in reasons.most_common(12):
        print(f"{count:>5} {reason}" if count else "", end="\n" if count else "")
    print(dict(counts))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
