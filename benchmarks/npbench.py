"""Translate the kernels of NPBench, compare their numbers with NumPy's, and time them.

Takes a checkout of NPBench. Each `*_numpy.py` is translated, then run on tensors with the chosen preset, in a process
of its own. Prints for each kernel whether it is native, an island or unchanged, the relative error, and the time over
NumPy's.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

from npbench_files import kernels, returned_parameters, translate
from tool import ENVIRONMENT, ROOT

WORKER = Path(__file__).with_name("npbench_kernel.py")
# The norm of the difference over the norm: 32-bit kernels add up in another order.
LIMITS = {"float32": 1e-4, "complex64": 1e-4}


def run(
    name: str, place: tuple[Path, Path], work: Path, arguments: argparse.Namespace, returned: list[str]
) -> dict[str, Any]:
    """Run one kernel in its own process."""
    translated = next((work / "after").rglob(f"{name}_numpy.py"), None)
    if translated is None:
        return {"trouble": "no translation was written"}
    command: list[str | Path] = [sys.executable, WORKER, *place, work / "before" / f"{name}_numpy.py", translated]
    command += ["--preset", arguments.preset, "--repeat", str(arguments.repeat), "--returns", ",".join(returned)]
    try:
        done = subprocess.run(
            command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=arguments.limit
        )
    except subprocess.TimeoutExpired:
        return {"trouble": f"took longer than {arguments.limit} s"}
    line = done.stdout.strip().rpartition("\n")[2]
    if done.returncode or not line.startswith("{"):
        return {"trouble": f"exit code {done.returncode}: {done.stderr.strip().rpartition(chr(10))[2]}"}
    return dict(json.loads(line))


def equal(result: dict[str, Any]) -> bool:
    """Whether the numbers are NumPy's within the rounding of the dtype."""
    if "error" not in result:
        return False
    limits = [LIMITS.get(dtype, 1e-9) for dtype in result["dtypes"]]
    return bool(result["error"] <= max([*limits, result.get("limit", 0.0)], default=0.0))


def kind_of(file: dict[str, Any]) -> str:
    """Say what runs: TensorFlow, NumPy on an island, or the file as it was, which names nothing of NumPy."""
    if file.get("islands"):
        return f"island ({len(file['islands'])})"
    return "native" if file["status"] == "translated" else "unchanged"


def print_row(name: str, kind: str, result: dict[str, Any]) -> None:
    """Print one kernel."""
    if "error" in result:
        verdict = "equal" if equal(result) else "DIFFERS"
        ratio = result["tensorflow"] / result["numpy"]
        print(f"{name:<28}{kind:<14}{verdict:<9}{result['error']:>10.1e}{result['numpy']:>10.4f}{ratio:>9.2f}")
    else:
        print(f"{name:<28}{kind:<14}FAILED   {result['trouble']}")


def main() -> None:
    """Translate, run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of NPBench")
    parser.add_argument("kernels", nargs="*", help="names of kernels, such as jacobi_2d; default all")
    parser.add_argument("--preset", default="S", choices=["S", "M", "L", "paper"])
    parser.add_argument("--repeat", type=int, default=3, help="timed calls of each kernel; the median counts")
    parser.add_argument("--limit", type=int, default=300, help="seconds for one kernel")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "npbench", help="where the copies go")
    arguments = parser.parse_args()
    found = kernels(arguments.checkout.resolve(), arguments.kernels)
    if not found:
        sys.exit("no kernel found: is this a checkout of NPBench?")
    work = arguments.work.resolve()
    report = translate(found, work)
    kinds = {Path(file["path"]).stem.removesuffix("_numpy"): kind_of(file) for file in report["files"]}
    returned = returned_parameters(report)
    print(f"{'kernel':<28}{'kind':<14}{'numbers':<9}{'error':>10}{'NumPy s':>10}{'ratio':>9}")
    results = {}
    for name, place in found.items():
        results[name] = run(name, place, work, arguments, returned.get(name, []))
        print_row(name, kinds.get(name, "unchanged"), results[name])
        sys.stdout.flush()
    good = [name for name, result in results.items() if equal(result)]
    print(f"{len(found)} kernels, {len(good)} equal")
    for kind in ("native", "island", "unchanged"):
        names = [name for name in good if kinds.get(name, "unchanged").startswith(kind)]
        ratios = [math.log(results[name]["tensorflow"] / results[name]["numpy"]) for name in names]
        if ratios:
            print(f"{kind}: {len(names)}, time over NumPy's (geometric mean) {math.exp(sum(ratios) / len(ratios)):.2f}")
    sys.exit(0 if len(good) == len(found) else 1)


if __name__ == "__main__":
    main()
