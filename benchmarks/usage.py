"""Count the NumPy names that source trees use by the class of each name: how much of real use has a native answer.

The class is the one of `tnp-migrate coverage`: a function of tnp, a rule, a helper, kept on NumPy on purpose, or
flagged. What a use becomes in its program is another matter (writes in place, arguments): `corpus.py` counts that.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tool import ROOT

sys.path[:0] = [str(ROOT / "migrator"), str(ROOT / "rules")]

from tnp_migrate.program.references import resolve_names  # noqa: E402
from tnp_migrate.program.scopes import collect_scopes  # noqa: E402
from tnp_migrate.reports.answers import KINDS, answer_of  # noqa: E402
from tnp_migrate.text.discovery import discover, module_name  # noqa: E402
from tnp_migrate.text.source import Source, SourceError  # noqa: E402

NATIVE = ("direct", "rule", "helper")


def names_in(path: Path) -> Iterator[str]:
    """Give the qualified name of every reference in the Python files below a folder; annotations name types only."""
    for found in discover([path]):
        if not found.is_python:
            continue
        source = Source(found.shown, found.location.read_bytes(), found.location)
        if b"numpy" not in source.data:
            continue
        try:
            is_package = found.location.name == "__init__.py"
            scopes = collect_scopes(source.tree)
            names = resolve_names(source, scopes, module_name(found.location)[0], {}, is_package=is_package)
        except (SourceError, RecursionError) as error:
            print(f"left out: {found.shown}: {error}", file=sys.stderr)
            continue
        yield from (one.name for one in names.references if one.context != "annotation")


def main() -> None:
    """Count, print the share and the names without a native answer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="folders with Python code")
    warnings.simplefilter("ignore")  # escapes in the strings of the sources
    kinds: Counter[str] = Counter()
    by_name: dict[str, Counter[str]] = {"kept": Counter(), "flagged": Counter(), "unknown": Counter()}
    for path in parser.parse_args().paths:
        for name, count in Counter(names_in(path)).items():
            answer = answer_of(name)
            kind = answer.kind if answer is not None else "unknown"
            kinds[kind] += count
            if kind in by_name:
                by_name[kind][name] += count
    print(f"{kinds.total()} uses")
    for kind in (*KINDS, "unknown"):
        print(f"  {kind:<9}{kinds[kind]:>8}{100 * kinds[kind] / max(kinds.total(), 1):>7.1f} %")
    native = sum(kinds[kind] for kind in NATIVE)
    print(f"native, of what is not kept: {100 * native / max(kinds.total() - kinds['kept'], 1):.1f} %")
    for kind, names in by_name.items():
        print(f"{kind}: " + ", ".join(f"{name} {count}" for name, count in names.most_common(40)))


if __name__ == "__main__":
    main()
