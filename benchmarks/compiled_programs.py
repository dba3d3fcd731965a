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

from loop_programs import loop_inputs, loop_program

HEAD = "import numpy as np\n\n\n"


def write_programs(work: Path, first: int, count: int) -> None:
    """Write the functions as one module, and translate it."""
    before = work / "before"
    before.mkdir(parents=True, exist_ok=True)
    texts = [loop_program(seed, f"f{seed}") for seed in range(first, first + count)]
    (before / "loops.py").write_text(HEAD + "\n\n".join(texts), encoding="utf-8")
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


def as_tensors(helpers: Any, result: Any, *, alike: bool = False) -> Any:
    """Give a result of NumPy's as the forms give it; `alike` with Python's numbers as NumPy's, which a loop may mix."""

    def convert(leaf: Any) -> Any:
        return helpers.tensors_outwards(np.asarray(leaf)[()] if alike else leaf, {})

    return helpers.map_leaves(convert, result)


def compare(helpers: Any, plan: Any, form: str, original: Any, sets: list[list[Any]]) -> str:
    """Say how a form does: equal, refused, or what is wrong with it."""
    try:
        run = helpers.make_form(plan.call, form, plan.specs)
    except Exception as error:  # noqa: BLE001 - the reason is what is looked at
        return f"refused: {type(error).__name__}: {str(error).strip().splitlines()[-1][:100] if str(error) else ''}"
    for number, arguments in enumerate(sets):
        wanted, raised = outcome(original, [np.array(one) if isinstance(one, np.ndarray) else one for one in arguments])
        arrays = [one for one in arguments if isinstance(one, np.ndarray)]
        if not number and raised is None:
        given, fault = outcome(run, [arrays])
        if fault is not None:
            kind = type(fault).__name__
            if kind in ("Faulty", "InvalidArgumentError") and (raised is not None or number):
                continue
            if kind == "Faulty" or raised is not None:
                return f"refused when run: {kind}"
            return f"refused when run: {kind}: {str(fault).strip().splitlines()[0][:100]}"
        if raised is not None:
            return f"WRONG: numbers {number}: NumPy raises {raised!r}"
        sensitive, _ = outcome(original, [*helpers.moved(arrays), arguments[-1]])
        if not number and helpers.structure_of(as_tensors(helpers, wanted)) != helpers.structure_of(given):
            return "refused: numbers of Python and of NumPy in other places"
        wanted, given, sensitive = (as_tensors(helpers, one, alike=True) for one in (wanted, given, sensitive))
        reason = helpers.difference(wanted, given, sensitive)
        if reason:
            return f"WRONG: numbers {number}: {reason}"
    return "equal"


def main() -> None:
    """Parse the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--forms", default="xla,graph")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "compiled_programs")
    arguments = parser.parse_args()
    write_programs(arguments.work, arguments.first, arguments.count)
    sys.path.insert(0, str(arguments.work / "after"))
    helpers = importlib.import_module("_tnp_helpers")
    after = importlib.import_module("loops")
    space: dict[str, Any] = {}
    exec((arguments.work / "before" / "loops.py").read_text(encoding="utf-8"), space)  # noqa: S102 - our own text
    counts: collections.Counter[str] = collections.Counter()
    wrong = 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        function = getattr(after, f"f{seed}")
        state = getattr(function, "compiled_state", None)
        if state is None:
            counts["not marked"] += 1
            continue
        sets = [list(loop_inputs(number).values()) for number in range(4)]
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
            if found != "equal":
                print(f"f{seed} {form}: {found}")
            if found.startswith("WRONG"):
                wrong += 1
                print(loop_program(seed, f"f{seed}"))
            sys.stdout.flush()
    print(dict(counts))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
