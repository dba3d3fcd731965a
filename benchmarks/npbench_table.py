"""The results of `npbench_forms.py` as text: a line while it runs, a page at the end."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import math
import os
import platform
import sys
from pathlib import Path
from typing import Any

HEAD = """# Times of compiled functions

<!-- Generated: python benchmarks/npbench_forms.py CHECKOUT --table > docs/compiled-times.md -->

The kernels of NPBench, translated with `--compile`: the time of each form over that of NumPy's own function, both in
one process, in turn, the least of at most 20 calls. *Chosen* is the fastest that agrees with NumPy, the NumPy form
where it is as fast within 5 %. JAX and Numba are the ports of NPBench, written by hand for them. A form that takes
longer than a limit is none (`TooLong`). What is not marked for compiling runs as it was translated (*eager*), as an
island on NumPy where it is one.

Times are seconds of the processor with one thread for each library, not those of a clock on the wall: the machine had
other work, which makes ratios of the wall wrong by factors. *Made in* are seconds on the wall.

JAX's port of channel_flow does less than the kernel: what its pressure solver gives is not used, and its time is not to
be compared."""
FORMS = ("numpy", "eager", "graph", "xla", "xla on the CPU")  # the last one on a machine with a GPU only
PORTS = ("jax", "numba")


def machine() -> dict[str, str]:
    """Say when, on what, and with which versions."""
    found = {"date": dt.datetime.now(tz=dt.timezone.utc).date().isoformat()}
    found["CPU"] = f"{os.cpu_count()} cores of {_processor()}"
    found["Python"] = platform.python_version()
    for name in ("tensorflow", "numpy", "jax", "numba"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not run"
    return found


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        named = []
    return named[0] if named else platform.processor()


def print_row(name: str, result: dict[str, Any]) -> None:
    """Print one kernel."""
    shown = "".join(f"{result['ratios'].get(form, math.nan):>9.3f}" for form in (*FORMS, *PORTS))
    marks = "" if result["marked"] else " (not marked)"
    why = "; ".join(f"not {form}: {reason}" for form, reason in result["reasons"].items())
    print(f"{name:<27}{1e3 * result['numpy seconds']:>9.2f}{shown}  {result['chosen'] + marks:<20}", end="")
    print(f"{result['compile seconds']:>6.1f}  {why}")
    sys.stdout.flush()


def mean_of(ratios: list[float]) -> str:
    """Show a geometric mean, and of how many."""
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f} ({len(ratios)})" if ratios else "-"


def chosen_ratio(row: dict[str, Any]) -> float:
    """The ratio of the form that is chosen."""
    return float(row["ratios"].get(row["chosen"], math.nan))


def table(results: dict[str, Any]) -> str:
    """Give the page of a results file."""
    told = ", ".join(f"{name} {value}" for name, value in sorted(results["machine"].items()))
    lines = [*HEAD.splitlines(), "", f"Measured on: {told}."]
    lines += ["", results["note"]] if "note" in results else []  # written by hand beside the results
    for preset in [one for one in ("S", "M", "L", "paper") if one in results]:
        rows = results[preset]
        forms = [one for one in (*FORMS, *PORTS) if any(one in row["ratios"] for row in rows.values())]
        lines += ["", f"## Preset {preset}", ""]
        lines.append(f"| kernel | NumPy, ms | {' | '.join(forms)} | chosen | made in, s |")
        lines.append("|---|" + "---:|" * (len(forms) + 1) + "---|---:|")
        for name, row in sorted(rows.items()):
            cells = [_cell(row, form) for form in forms]
            chosen = f"{row['chosen']} {chosen_ratio(row):.2f}{'' if row['marked'] else ', not marked'}"
            times = f"{1e3 * row['numpy seconds']:.2f}"
            lines.append(f"| {name} | {times} | {' | '.join(cells)} | {chosen} | {row['compile seconds']:.1f} |")
        means = [mean_of([row["ratios"][form] for row in rows.values() if form in row["ratios"]]) for form in forms]
        chosen = mean_of([chosen_ratio(row) for row in rows.values() if not math.isnan(chosen_ratio(row))])
        lines.append(f"| **geometric mean (of)** | | {' | '.join(means)} | {chosen} | |")
        above = [f"{name} {chosen_ratio(row):.2f}" for name, row in sorted(rows.items()) if chosen_ratio(row) > 1.1]
        lines += ["", f"Chosen forms above 1.1: {', '.join(above) or 'none'}.", "", *_against(rows)]
        refused = [
            f"* {name}, {form}: {reason}"
            for name, row in sorted(rows.items())
            for form, reason in row["reasons"].items()
        ]
        lines += ["", "What was not run, or refused:", "", *refused] if refused else []
    return "\n".join(lines) + "\n"


def _cell(row: dict[str, Any], form: str) -> str:
    return f"{row['ratios'][form]:.2f}" if form in row["ratios"] else "-"


def _against(rows: dict[str, Any]) -> list[str]:
    lines = []
    for port in PORTS:
        common = [row for row in rows.values() if port in row["ratios"] and not math.isnan(chosen_ratio(row))]
        if common:
            ours, theirs = (
                mean_of([chosen_ratio(row) for row in common]),
                mean_of([row["ratios"][port] for row in common]),
            )
            lines.append(f"On the {len(common)} kernels that {port} has too: chosen {ours}, {port} {theirs}.")
            behind = {name: chosen_ratio(row) / row["ratios"].get(port, math.inf) for name, row in sorted(rows.items())}
            shown = [f"{name} {factor:.1f}" for name, factor in behind.items() if factor > 1.5]
            lines.append(f"Where {port} is faster by more than 1.5, and how much: {', '.join(shown) or 'nowhere'}.")
    return lines
