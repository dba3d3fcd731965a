"""What a run has found, as bytes: JSON and a checksum, with no more of the texts than the run has made.

Reading builds reports, findings and texts, and nothing else; what is no such thing raises `ValueError`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any

from tnp_migrate.diagnostics.findings import Finding, InCell
from tnp_migrate.diagnostics.ledger import FileReport, Ledger
from tnp_migrate.rewriting.files import File, Translated

_LARGEST = 1 << 30  # bytes of one entry when it is unpacked


@dataclass(frozen=True)
class Results:
    """What became of each file of a run, the files that failed, and what is said of files that were not given."""

    made: Mapping[Path, Translated]
    failed: tuple[FileReport, ...] = ()
    neighbours: Mapping[Path, Finding] = field(default_factory=dict)


def pack(results: Results, known: Mapping[str, bytes]) -> bytes:
    """Give results as bytes. Texts that are `known` are named only, as whoever reads the results has them."""
    new: dict[str, str] = {}

    def named(data: bytes) -> str:
        name = _digest(data)
        if name not in known:
            new[name] = base64.b85encode(data).decode()
        return name

    tree = {
        "made": [[str(place), _translated(one, named)] for place, one in results.made.items()],
        "failed": [_report(one, named) for one in results.failed],
        "neighbours": [[str(place), astuple(one)] for place, one in results.neighbours.items()],
        "texts": new,
    }
    packed = zlib.compress(json.dumps(tree).encode("utf-8", "surrogatepass"), 1)
    return hashlib.sha256(packed).digest() + packed


def unpack(data: bytes, known: Mapping[str, bytes]) -> Results:
    """Read results. Raises `ValueError` for anything that `pack` has not made."""
    if hashlib.sha256(data[32:]).digest() != data[:32]:
        raise ValueError("the checksum is another")
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data[32:], _LARGEST)
        if not unpacker.eof:
            raise ValueError("too large, or cut off")
        tree = json.loads(text.decode("utf-8", "surrogatepass"))
        texts = {**known} | {name: base64.b85decode(one) for name, one in tree["texts"].items()}
        return Results(
            {Path(place): _read_translated(one, texts) for place, one in tree["made"]},
            tuple(_read_report(one, texts) for one in tree["failed"]),
            {Path(place): _read_finding(one) for place, one in tree["neighbours"]},
        )
    except (zlib.error, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no results: {error}") from error


def texts_of(files: Iterable[File]) -> dict[str, bytes]:
    """The texts of files as they are read, by their digests; of a notebook that of its module, too."""
    found = {}
    for file in files:
        texts = [file.source.data]
        if file.cells is not None:
            texts += [file.cells.shown, file.cells.notebook.text.encode("utf-8", "surrogatepass")]
        found.update({_digest(one): one for one in texts})
    return found


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _translated(one: Translated, named: Callable[[bytes], str]) -> list[Any]:
    contents = None if one.contents is None else [named(data) for data in one.contents]
    form = None if one.numpy_form is None else named(one.numpy_form)
    return [_report(one.report, named), None if one.helpers is None else sorted(one.helpers), contents, form]


def _read_translated(tree: list[Any], texts: Mapping[str, bytes]) -> Translated:
    report, helpers, contents, form = tree
    before, after = (texts[name] for name in contents) if contents is not None else (b"", b"")
    return Translated(
        _read_report(report, texts),
        None if helpers is None else frozenset(helpers),
        None if contents is None else (before, after),
        None if form is None else texts[form],
    )


def _report(one: FileReport, named: Callable[[bytes], str]) -> list[Any]:
    findings = [astuple(finding) for finding in one.findings]
    return [one.path, one.status, one.ledger.counts(), findings, one.islands, named(one.before), named(one.after)]


def _read_report(tree: list[Any], texts: Mapping[str, bytes]) -> FileReport:
    path, status, counts, findings, islands, before, after = tree
    found = tuple(_read_finding(one) for one in findings)
    return FileReport(path, status, Ledger(*counts), found, tuple(islands), texts[before], texts[after])


def _read_finding(tree: list[Any]) -> Finding:
    given = dict(zip((one.name for one in fields(Finding)), tree, strict=True))
    if given["in_cell"] is not None:
        number, here, there = given["in_cell"]
        given["in_cell"] = InCell(number, tuple(here), tuple(there))
    return Finding(**given)
