"""How long `tf.function` takes to trace translated programs, beside the same programs with helpers that it converts.

Usage: python benchmarks/tracing.py NAME..., of programs in fixtures/mutation. Each is traced for the first time, in the
same process, with helpers as they are written and then with helpers that AutoGraph may convert.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

from tool import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from fixture_cases import outcome, translation
from traced_runs import run_traced


def main(names: list[str]) -> None:
    """Print the seconds of each program."""
    for name in names:
        seconds: list[float] = []
        for is_converted in (False, True):
            with tempfile.TemporaryDirectory() as scratch:
                found = translation(ROOT / "fixtures" / "mutation" / f"{name}.py", Path(scratch) / name)
                came_out = outcome(found.out, name, lambda one, own=is_converted: timed(one, is_converted=own))
            if came_out.error is not None:
                print(f"{name}: {type(came_out.error).__name__} in a graph")
                break
            seconds.append(came_out.result)
        else:
            first, second = seconds
            print(
                f"{name}: {first:.1f} s, {second:.1f} s where helpers are converted: {second / first:.1f} times as long"
            )


def timed(program: ModuleType, *, is_converted: bool) -> float:
    """Return the seconds that tracing `program.run()` takes, as it is or without the marks of its helpers."""
    helpers = [one for name, one in sys.modules.items() if name.endswith("_tnp_helpers")]
    for function in [one for module in helpers for one in vars(module).values() if inspect.isfunction(one)]:
        if is_converted and hasattr(function, "autograph_info__"):
            del function.autograph_info__
    start = time.perf_counter()
    run_traced(program)
    return time.perf_counter() - start


if __name__ == "__main__":
    main(sys.argv[1:])
