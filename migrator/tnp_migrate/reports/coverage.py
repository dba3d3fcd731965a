"""The table of `tnp-migrate coverage`: every public NumPy name, its class and its parameters."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import groupby

from tnp_migrate.numpy_facts.names_table import FLAGGED, MEMBERS, REMOVED_CONSTANTS, RENAMED_IN_NUMPY2
from tnp_migrate.numpy_facts.rulebook import read_rulebook
from tnp_migrate.numpy_facts.signatures import signature_table
from tnp_migrate.reports.answers import KINDS, Answer, answer_of

OLD = "numpy 1"
MEANINGS = {
    "direct": "the same name in tnp equals NumPy for the parameters listed",
    "rule": "an expression of TensorFlow's is written out at the call",
    "helper": "a function of the helper module, which the project owns",
    "kept": "stays on NumPy on purpose",
    "flagged": "no equivalent: the call stays on NumPy and is reported",
}
_DIFFERS = (
    "What *differs* does so where the dtypes are not known: for those that are proven the call is rewritten, or stays "
    "on NumPy. What goes by values and shapes stays different."
)
_HARMLESS = "Values that say what is so anyway (`out=None`, `where=True`, `order='C'`) are dropped wherever they stand."


@dataclass(frozen=True)
class Row:
    """A public name, the namespace it is listed under, and its answer."""

    name: str
    namespace: str
    answer: Answer

    @property
    def short(self) -> str:
        """The name below its namespace: `reduce` methods keep their ufunc's name."""
        module = "numpy" if self.namespace in (OLD, "numpy.ufunc") else self.namespace
        return self.name.removeprefix(f"{module}.")


@cache
def _namespaces() -> dict[str, list[str]]:
    """Qualified names by namespace: the installed NumPy's as recorded, and what NumPy 2 removed."""
    text = resources.files("tnp_migrate").joinpath("numpy_facts/data/public_names.json").read_text(encoding="utf-8")
    found = {}
    for namespace, names in json.loads(text)["names"].items():
        above = "numpy" if namespace == "numpy.ufunc" else namespace
        found[namespace] = [f"{above}.{name}" for name in names.split()]
    members = {name for name in read_rulebook().rules if name.startswith("numpy.ndarray.")}
    members |= {f"numpy.ndarray.{name}" for name in MEMBERS if not name.startswith("_")}
    found["numpy.ndarray"] = sorted({*found["numpy.ndarray"], *members})
    present = {name for names in found.values() for name in names}
    old = {name for name in (*RENAMED_IN_NUMPY2, *REMOVED_CONSTANTS, *FLAGGED) if name.count(".") == 1}
    old |= {name for name in read_rulebook().rules if name.count(".") == 1}
    return {**found, OLD: sorted(old - present)}


def rows(namespace: str | None = None) -> list[Row]:
    """Give the rows of a namespace and of what is below it, or all; `ValueError` names the namespaces there are."""
    tables = _namespaces()
    if namespace is not None:
        wanted = _qualified(namespace)
        tables = {
            name: names
            for name, names in tables.items()
            if name == wanted or (wanted != "numpy" and name.startswith(f"{wanted}."))
        }
        if not tables:
            raise ValueError(f"no namespace {namespace!r}; there are {', '.join(_namespaces())}")
    found = [(name, home, answer_of(name)) for home, names in tables.items() for name in names]
    return [Row(name, home, answer) for name, home, answer in found if answer is not None]


def _qualified(namespace: str) -> str:
    if namespace in ("np", "numpy", OLD):
        return namespace.replace("np", "numpy") if namespace == "np" else namespace
    bare = namespace.removeprefix("numpy.").removeprefix("np.")
    return f"numpy.{bare}"


def render(found: Sequence[Row], format_: str) -> str:
    """Write rows as text, Markdown or JSON, counts first."""
    return {"text": _text, "markdown": markdown, "json": _json}[format_](found)


def measured_on() -> str:
    """The versions that the data was measured on."""
    versions = signature_table().versions
    return f"TensorFlow {versions['tensorflow']} and NumPy {versions['numpy']}"


def counts(found: Iterable[Row]) -> dict[str, Counter[str]]:
    """Count names by namespace and class."""
    counted: dict[str, Counter[str]] = {}
    for row in found:
        counted.setdefault(row.namespace, Counter())[row.answer.kind] += 1
    return counted


def _count_lines(found: Sequence[Row]) -> list[tuple[str, ...]]:
    counted = counts(found)
    total: Counter[str] = Counter({kind: sum(one[kind] for one in counted.values()) for kind in KINDS})
    lines = list(counted.items())
    if len(counted) > 1:
        lines.append(("total", total))
    return [(name, str(sum(one.values())), *(str(one[kind]) for kind in KINDS)) for name, one in lines]


def _text(found: Sequence[Row]) -> str:
    lines = [f"NumPy's public names, measured on {measured_on()}", ""]
    lines += [f"{kind:8} {meaning}" for kind, meaning in MEANINGS.items()]
    lines += ["", f"{'namespace':32} {'names':>6}" + "".join(f"{kind:>9}" for kind in KINDS)]
    for name, total, *cells in _count_lines(found):
        lines.append(f"{name:32} {total:>6}" + "".join(f"{cell:>9}" for cell in cells))
    for namespace, members in groupby(found, lambda row: row.namespace):
        lines += ["", namespace]
        for row in members:
            code = f"{row.answer.code} " if row.answer.code else ""
            lines.append(f"  {row.short:28} {row.answer.kind:8} {code}{row.answer.text}{_parameters(row.answer)}")
            lines += [f"{'':39}{one}" for one in row.answer.limits]
    return "\n".join(lines) + "\n"


def _parameters(answer: Answer) -> str:
    """Say which of NumPy's parameters can be given and which cannot."""
    takes = f"takes {', '.join(answer.supported)}" if answer.supported else ""
    without = f"without {', '.join(answer.missing)}" if answer.missing else ""
    return f" [{'; '.join(filter(None, (takes, without)))}]" if takes or without else ""


def _json(found: Sequence[Row]) -> str:
    counted = counts(found)
    data = {
        "schema": 1,
        "measured_on": dict(signature_table().versions),
        "counts": {name: {kind: one[kind] for kind in KINDS} for name, one in counted.items()},
        "names": [
            {
                "name": row.name,
                "namespace": row.namespace,
                "class": row.answer.kind,
                "public_name": row.answer.target,
                "answer": row.answer.text,
                "source": row.answer.source,
                "code": row.answer.code,
                "supported": list(row.answer.supported),
                "unsupported": list(row.answer.missing),
                "differs": list(row.answer.limits),
            }
            for row in found
        ],
    }
    return json.dumps(data, indent=1) + "\n"


def markdown(found: Sequence[Row], level: int = 1) -> str:
    """Write a page whose headings start at `level`; names with one and the same answer share a line."""
    head = "#" * level
    parts = [f"{head} NumPy's names", "", f"Measured on {measured_on()}. {_HARMLESS} {_DIFFERS}", ""]
    parts += [f"* **{kind}**: {meaning}" for kind, meaning in MEANINGS.items()]
    parts += ["", _line("namespace", "names", *KINDS), _line("---", *["---:"] * (len(KINDS) + 1))]
    parts += [_line(*cells) for cells in _count_lines(found)]
    for namespace, members in groupby(found, lambda row: row.namespace):
        parts += ["", f"{head}# {namespace}", ""]
        parts += [_line("name", "class", "answer", "parameters", "without", "differs", "from"), _line(*["---"] * 7)]
        parts += [_line(*cells) for cells in _shared(members)]
    return "\n".join(parts) + "\n"


def _shared(members: Iterable[Row]) -> list[tuple[str, ...]]:
    """Join the names of one namespace that have the same cells."""
    named: dict[tuple[str, ...], list[str]] = {}
    for row in members:
        one = row.answer
        text = f"{one.code}: {one.text}" if one.code else one.text
        parameters = (", ".join(one.supported), ", ".join(one.missing))
        cells = (one.kind, text, *parameters, "; ".join(one.limits), one.source.rpartition("/")[2])
        named.setdefault(cells, []).append(row.short)
    return [(", ".join(f"`{name}`" for name in names), *cells) for cells, names in named.items()]


def _line(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
