"""The results of `compiled_projects.py` as a table."""

from __future__ import annotations

from typing import Any


def print_rows(rows: dict[str, dict[str, Any]]) -> None:
    """Print a table of Markdown: a line for each program."""
    print("| program | NumPy, ms | eager | chosen | forms | numbers |")
    print("|---|---:|---:|---:|---|---|")
    for name, row in rows.items():
        if "trouble" in row:
            print(f"| {name} | - | - | - | {row['trouble']} | - |")
            continue
        own = row["numpy seconds"]
        times = " | ".join(f"{row[form] / own:.2f}" for form in ("eager", "chosen"))
        print(f"| {name} | {1e3 * own:.2f} | {times} | {row['forms']} | {'equal' if row['equal'] else 'DIFFER'} |")
