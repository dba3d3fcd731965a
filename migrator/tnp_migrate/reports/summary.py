"""What all reports say about a project as a whole: the ledger's sum, rates by evidence, effort, verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from tnp_migrate.diagnostics.findings import CODES, Effort, Finding
from tnp_migrate.diagnostics.ledger import BINS, Ledger, Report

if TYPE_CHECKING:
    from tnp_migrate.proof.verdicts import Verification

Verdict = Literal["ready", "light", "significant", "not recommended"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)
EFFORT_MEANS: dict[Effort, str] = {"low": "minutes", "medium": "hours", "high": "a redesign"}
WEIGHTS: dict[Effort, int] = {"low": 1, "medium": 4, "high": 16}
LIGHT, SIGNIFICANT = 10, 50  # weight of open findings per 100 references
FEWEST = 100  # a smaller project counts as having this many references


@dataclass(frozen=True)
class Evidence:
    """How many of the project's functions were run, and found equal; None for a device that was not there."""

    functions: int
    executed: int
    verified_cpu: int | None = None
    verified_gpu: int | None = None
    verification: Verification | None = None


def evidence_of(made: Verification) -> Evidence:
    """What a verification has shown. A function is verified on a device where no form of it that ran there differs."""
    cpu, gpu = (
        sum(one.verdict_on(device) == "verified" for one in made.functions) if device in made.devices else None
        for device in ("cpu", "gpu")
    )
    return Evidence(len(made.functions), made.executed, cpu, gpu, made)


class Render(Protocol):
    """What each module of this package offers as `render`."""

    def __call__(self, report: Report, evidence: Evidence | None = None) -> str:
        """Write the report as text."""


@dataclass(frozen=True)
class Rate:
    """A part of a whole with a name; `part` is None when nobody has looked, which is never shown as 0 or 100 %."""

    name: str
    part: int | None
    whole: int
    of: str

    def __str__(self) -> str:
        if self.part is None:
            return f"{self.name}: not checked"
        share = f" ({100 * self.part / self.whole:.1f} %)" if self.whole else ""
        return f"{self.name}: {self.part} of {self.whole} {self.of}{share}"


def open_findings(report: Report) -> list[Finding]:
    """Return the findings that nobody suppressed."""
    return [finding for finding in report.findings if finding.suppressed is None]


def to_do(report: Report) -> list[Finding]:
    """Return what is work, 2xx, 3xx and 4xx: the open findings, and the known ones, which are still there."""
    return [finding for finding in (*open_findings(report), *report.known) if finding.code[3] in "234"]


def notes(report: Report) -> list[str]:
    """Say what is not shown because it is known, and whether the baseline is out of date."""
    known, gone = len(report.known), len(report.gone)
    return [
        *([f"{_number(known, 'known finding')} not shown (effort and verdict count them)"] if known else []),
        *([f"{_number(gone, 'finding')} of the baseline gone: --write-baseline writes it anew"] if gone else []),
    ]


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def balance(ledger: Ledger) -> str:
    """Write the sum out: `references 120 = renamed 80 + ...`; an unequal sum is written as unequal."""
    sign = "=" if ledger.balanced() else "!="
    return f"references {ledger.references} {sign} " + " + ".join(f"{name} {getattr(ledger, name)}" for name in BINS)


def rates(report: Report, evidence: Evidence | None = None) -> tuple[Rate, ...]:
    """Rates by evidence, never one number: looked up and rewritten, executed, equal on the CPU, equal on the GPU.

    Without evidence there is only the first: a rate that nothing has looked at is left out. What rests on a
    recorded run is a part of the first.
    """
    ledger = report.ledger
    converted = Rate("converted", ledger.renamed + ledger.rewritten + ledger.helper, ledger.references, "references")
    by_evidence = Rate("by evidence", report.by_evidence, ledger.references, "references")
    rests = () if report.by_evidence is None else (by_evidence,)
    if evidence is None:
        return (converted, *rests)
    return (
        converted,
        *rests,
        Rate("executed", evidence.executed, evidence.functions, "functions"),
        Rate("verified on CPU", evidence.verified_cpu, evidence.functions, "functions"),
        Rate("verified on GPU", evidence.verified_gpu, evidence.functions, "functions"),
    )


def effort_totals(report: Report) -> dict[Effort, int]:
    """How many open findings of 2xx to 4xx there are of each effort."""
    counted = Counter(CODES[finding.code].effort for finding in to_do(report))
    return {effort: counted[effort] for effort in EFFORTS}


def verdict(report: Report) -> tuple[Verdict, str]:
    """Judge the project, and say why in one sentence.

    The open findings of 2xx to 4xx weigh 1, 4 or 16 by effort (low, medium, high). Per 100 references, a weight of
    0 is *ready*, up to 10 *light*, up to 50 *significant*, more *not recommended*; a project of fewer references
    counts as having 100. If more than half of the
    references stay on islands or are flagged, it is *not recommended* whatever the weight: most of the program would
    stay on NumPy. Files that could not be processed make it *significant* at least, since nobody knows their content.
    """
    ledger = report.ledger
    weight = sum(WEIGHTS[effort] * count for effort, count in effort_totals(report).items())
    per_hundred = 100 * weight / max(ledger.references, FEWEST)
    behind = ledger.island + ledger.flagged
    broken = sum(file.status == "error" for file in report.files)
    reason = f"open findings weigh {per_hundred:.1f} per 100 references"
    if ledger.references == 0 and weight == 0 and not broken:
        return "ready", "no NumPy references"
    if 2 * behind > ledger.references:
        return "not recommended", f"{behind} of {ledger.references} references would stay on NumPy"
    if per_hundred > SIGNIFICANT:
        return "not recommended", reason
    if broken:
        return "significant", f"{broken} of {len(report.files)} files could not be processed"
    if per_hundred > LIGHT:
        return "significant", reason
    return ("light", reason) if weight else ("ready", "no open findings that need you")
