"""The results of `compiled_projects.py` as a table."""

from __future__ import annotations

from typing import Any

HEAD = """# Compiled programs

<!-- Generated: python benchmarks/compiled_projects.py CHECKOUTS > docs/compiled-programs.md -->

The demo, the examples of the guide, and programs as their authors published them: the translation over NumPy's own
code, run eagerly as it stands, and with `--compile` after the forms were chosen (*forms*: which, for how many kinds of
calls; `numpy` is NumPy's own code between tensors; *none chosen yet*: nothing compiled, or not worth a choice). Seconds
of the processor with one thread; the machine had other work. Where loops print, draw or keep objects, the report says
why they are not compiled (TNP506), and what is around the compiled functions is eager.
"""


def print_rows(rows: dict[str, dict[str, Any]]) -> None:
    """Print a page of Markdown: a line for each program."""
    print(HEAD)
    print("| program | NumPy, ms | eager | chosen | forms | numbers |")
    print("|---|---:|---:|---:|---|---|")
    for name, row in rows.items():
        if "trouble" in row:
            print(f"| {name} | - | - | - | {row['trouble']} | - |")
            continue
        own = row["numpy seconds"]
        given = [row[form] for form in ("eager", "chosen")]
        times = " | ".join("longer than a minute" if one is None else f"{one / own:.2f}" for one in given)
        print(f"| {name} | {1e3 * own:.2f} | {times} | {row['forms']} | {'equal' if row['equal'] else 'DIFFER'} |")
