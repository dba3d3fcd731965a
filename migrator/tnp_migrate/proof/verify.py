"""Replay a recording on the original, on the functional stage and on the translation, and judge each function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tnp_migrate.proof.diverging import first_line
from tnp_migrate.proof.functions import Defined, functions_of
from tnp_migrate.proof.inside.form_names import AGAIN, LINES, MOVEMENT, ORIGINAL, PROOFS, Form
from tnp_migrate.proof.processes import Progress, Replays, Row, Rows, replay
from tnp_migrate.proof.recording import PROCESSES, KeptCall, Key, RecordedFunction, Recording, digest_of
from tnp_migrate.proof.settling import settled
from tnp_migrate.proof.verdicts import FormResult, FunctionProof, Verification, form_result, verdict_of

SETTERS = 2  # calls of a method that may bind attributes
SLOW = 1000  # times NumPy's time that a translated call may take without being held to hang
STALE = "the source has changed since the recording, and the call does something else now"


@dataclass(frozen=True)
class Trees:
    """Three copies of the project, and a folder for what replays write down."""

    original: Path
    functional: Path
    translated: Path
    fresh: Path

    def of(self, form: Form) -> Path:
        """The copy that a form runs."""
        found: Path = getattr(self, form.tree)
        return found


@dataclass(eq=False)
class Proof:
    """A proof under way: `calls` by number with the function of each, and the rows of each form by number.

    `others` are calls of functions that are not asked for: they tell what attributes hold.
    """

    recording: Recording
    trees: Trees
    replays: Replays
    conventions: Mapping[str, Any]
    progress: Progress
    calls: dict[int, Row] = field(default_factory=dict)
    owners: dict[int, Key] = field(default_factory=dict)
    others: list[Row] = field(default_factory=list)
    rows: dict[str, dict[int, Row]] = field(default_factory=dict)
    unfit: dict[int, str] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)

    def run(self, tree: Path, calls: Iterable[tuple[Form, Row]], device: str = "cpu") -> Rows:
        """Replay calls, each in a form, on one copy of the project."""
        asked = [{**call, "form": form.name} for form, call in calls]
        return replay(replace(self.replays, device=device), self.job(tree), asked, self.progress)

    def job(self, tree: Path) -> dict[str, Any]:
        """What a replaying process is told beside its calls."""
        return {
            "tree": str(tree),
            "origin": str(self.trees.original),
            "scratch": str(self.trees.fresh.parent),
            "fresh": str(self.trees.fresh),
            "path": [".", *self.recording.path, *_import_roots(self.recording.functions.values())],
            "conventions": self.conventions,
            "share": self.replays.share,
            "setters": self.setters(),
        }

    def setters(self) -> list[Row]:
        """The calls that tell what attributes hold: all of `__init__`, and the first ones of other methods.

        What they hold may be something else each time, as that of `np.empty` is.
        """
        ran = self.rows.get(ORIGINAL.name, {})
        own = [one for number, one in self.calls.items() if ran.get(number, {}).get("status") in ("same", "other")]
        fit = [one for one in (*own, *self.others) if "." in str(one["name"])]
        count: Counter[str] = Counter()
        found = []
        for one in sorted(fit, key=lambda one: not _is_init(one)):
            name = f"{one['place']}:{one['name']}"
            count[name] += 1
            if _is_init(one) or count[name] <= SETTERS:
                found.append(one)
        return found


def verify(
    proof: Proof, functions: Sequence[Defined], forms: Sequence[str], touched: Callable[[Defined], bool]
) -> Verification:
    """Judge the functions that are `touched`, by the forms that are asked for."""
    chosen = [one for one in functions if touched(one)]
    stale = stale_files(proof)
    number_calls(proof, {one.key for one in chosen}, defined_in(proof))
    replay_original(proof, stale)
    chosen_forms = [form for form in PROOFS if form.name in forms]
    for tree in dict.fromkeys(form.tree for form in chosen_forms):
        for device in dict.fromkeys(form.device for form in chosen_forms if form.tree == tree):
            _replay_forms(proof, [form for form in chosen_forms if (form.tree, form.device) == (tree, device)])
    _leave_out_what_is_other_now(proof)
    judged = _with_lines(proof, [_judge(proof, one, forms) for one in chosen])
    used = {form.device for form in PROOFS if form.name in forms and form.tree == "translated"}
    devices = tuple(sorted(used - proof.missing))
    return Verification(tuple(judged), devices, tuple(sorted(proof.missing)), stale=len(stale))


def stale_files(proof: Proof) -> set[str]:
    """The files whose text is another one than at the time of the recording."""
    found = set()
    for place, digest in proof.recording.sources.items():
        file = proof.trees.original / place
        if not file.is_file() or digest_of(file.read_bytes()) != digest:
            found.add(place)
    return found


def defined_in(proof: Proof) -> set[Key]:
    """The functions that the files of the recording define: what else a recording names is not for it to call."""
    files = [proof.trees.original / place for place in sorted({place for place, _, _ in proof.recording.functions})]
    return {one.key for one in functions_of(proof.trees.original, files)}


def number_calls(proof: Proof, wanted: set[Key], defined: set[Key]) -> None:
    """Number the kept calls of the wanted functions: the first of each, the second of each, and so on.

    Where there is not time for all, each function has had some of its calls replayed. Calls of the other ones that are
    `defined` tell what attributes hold.
    """
    functions = [one for key, one in proof.recording.functions.items() if key in wanted]
    for turn in range(max((len(one.kept) for one in functions), default=0)):
        for function in functions:
            if turn < len(function.kept):
                number = len(proof.calls)
                proof.calls[number] = _row(number, function, function.kept[turn])
                proof.owners[number] = function.key
    for function in proof.recording.functions.values():
        if function.key not in wanted and function.key in defined:
            proof.others += [_row(-1, function, call) for call in function.kept]


def _row(number: int, function: RecordedFunction, call: KeptCall) -> Row:
    place, name, role = function.key
    file = call.folder / PROCESSES / call.file
    where = {"folder": str(call.folder.absolute()), "file": str(file.absolute()), "start": call.start}
    return {
        "id": number,
        "place": place,
        "module": function.module,
        "name": name,
        "role": role,
        **where,
        "length": call.length,
    }


def replay_original(proof: Proof, stale: set[str]) -> None:
    """Record the calls again, on the original as it is now; those that do something else each time are left out."""
    (proof.trees.fresh / PROCESSES).mkdir(parents=True, exist_ok=True)
    rows = proof.run(proof.trees.original, ((ORIGINAL, call) for call in proof.calls.values())).get(ORIGINAL.name, {})
    proof.rows[ORIGINAL.name] = rows
    for number, row in rows.items():
        is_stale = proof.calls[number]["place"] in stale
        if row["status"] == "same" or (row["status"] == "other" and is_stale):
            fresh = {"folder": str(proof.trees.fresh), "file": row["fresh"], "start": 0, "length": row["length"]}
            proof.calls[number] |= fresh
        else:
            said = "does not do again what was recorded: " if row["status"] == "other" else ""
            proof.unfit[number] = said + str(row.get("why", row["status"]))
    again = proof.run(proof.trees.original, ((AGAIN, call) for call in fit_calls(proof))).get(AGAIN.name, {})
    for number, row in again.items():
        if row["status"] != "same":
            proof.unfit[number] = f"not deterministic: {row.get('why', row['status'])}"


def fit_calls(proof: Proof) -> list[Row]:
    """The calls that do on the original, each time, what was recorded."""
    return [call for number, call in proof.calls.items() if number not in proof.unfit]


def _replay_forms(proof: Proof, forms: Sequence[Form]) -> None:
    """Replay all calls in forms that one process can run, call by call; then ask whether rounding explains errors.

    Further forms come last: a program that keeps what was handed in keeps the symbols of a graph as well.
    """
    calls = fit_calls(proof)
    turns = [[form for form in forms if form.further == is_further] for is_further in (False, True)]
    asked = ((form, call) for turn in turns for call in calls for form in turn)
    rows = proof.run(proof.trees.of(forms[0]), asked, forms[0].device)
    if not rows and calls:
        proof.missing.add(forms[0].device)
        return
    for number, row in ((number, row) for own in rows.values() for number, row in own.items()):
        _forgive_slowness(row, proof.rows[ORIGINAL.name][number], proof.replays.limit)
    proof.rows |= rows
    unsure = {number for own in rows.values() for number, row in own.items() if row.get("unsure")}
    unsettled = ((MOVEMENT, proof.calls[number]) for number in sorted(unsure))
    moved = proof.run(proof.trees.original, unsettled).get(MOVEMENT.name, {}) if unsure and not forms[0].exact else {}
    for own in rows.values():
        for number, row in own.items():
            if row["status"] == "differs" and settled(row, moved.get(number, {}).get("moved", {})):
                row["status"] = "same"


def _leave_out_what_is_other_now(proof: Proof) -> None:
    """Ask the original once more where a form did something else: a file that replays write to may be the cause."""
    accused = {
        number for own in proof.rows.values() for number, row in own.items() if row["status"] in ("differs", "raises")
    }
    asked = [(AGAIN, proof.calls[number]) for number in sorted(accused) if number not in proof.unfit]
    rows = proof.run(proof.trees.original, asked).get(AGAIN.name, {}) if asked else {}
    for number, row in rows.items():
        if row["status"] in ("differs", "raises"):
            why = row.get("why", row["status"])
            proof.unfit[number] = f"not deterministic: after other replays the original does something else: {why}"


def _forgive_slowness(row: Row, original: Row, limit: float) -> None:
    """A call that was stopped may only be slow, as TensorFlow is with small arrays; it is not checked then."""
    took = original.get("seconds", 0.0)
    if row["status"] == "time" and took * SLOW > limit:
        row |= {"status": "left out", "why": f"{row['why']}, NumPy {took:.2g} s"}


def _judge(proof: Proof, function: Defined, forms: Sequence[str]) -> FunctionProof:
    path, title = _title(function.key)
    recorded = proof.recording.functions.get(function.key)
    if recorded is None or (not recorded.calls and not recorded.kept):
        return FunctionProof(path, function.line, title, "not exercised")
    numbers = [number for number, key in proof.owners.items() if key == function.key]
    fit = [number for number in numbers if number not in proof.unfit]
    if not fit:
        reasons = [*(proof.unfit[number] for number in numbers), *recorded.not_kept, "no call was kept"]
        return FunctionProof(path, function.line, title, "not replayable", recorded.calls, 0, reasons[0])
    results = tuple(found for form in PROOFS if form.name in forms and (found := _result(proof, form, fit)))
    verdict, why = verdict_of(results)
    return FunctionProof(path, function.line, title, verdict, recorded.calls, len(fit), why, None, results)


def _result(proof: Proof, form: Form, numbers: Sequence[int]) -> FormResult | None:
    rows = proof.rows.get(form.name, {})
    ran = [number for number in numbers if number in rows]
    base = proof.rows[ORIGINAL.name]
    return form_result(form.name, [rows[number] for number in ran], [base[number] for number in ran])


def _with_lines(proof: Proof, judged: Sequence[FunctionProof]) -> list[FunctionProof]:
    """Find the first line that diverges, of a call of each function that differs or raises."""
    traces: dict[int, tuple[int, Form, Any]] = {}
    for place, one in enumerate(judged):
        if one.verdict in ("differs", "raises"):
            own = [number for number, key in proof.owners.items() if _title(key) == (one.path, one.name)]
            found = _trace(proof, own, one.verdict)
            if found is not None:
                traces[found[0]] = (place, *found[1:])
    asked = ((LINES, proof.calls[number]) for number in traces)
    rows = proof.run(proof.trees.original, asked).get(LINES.name, {}) if traces else {}
    made = list(judged)
    for number, (place, form, translated) in traces.items():
        original = rows.get(number, {}).get("lines")
        if original:
            line = first_line(original, translated, *_texts(proof, form, proof.calls[number]["place"]))
            made[place] = replace(made[place], diverges=line)
    return made


def _trace(proof: Proof, numbers: Sequence[int], status: str) -> tuple[int, Form, Any] | None:
    """The trace that a call which differs (or raises) has left, with the call and its form."""
    for form in PROOFS:
        for number in numbers:
            row = proof.rows.get(form.name, {}).get(number, {})
            if row.get("status") == status and row.get("lines"):
                return number, form, row["lines"]
    return None


def _texts(proof: Proof, form: Form, place: str) -> list[str]:
    trees = (proof.trees.original, proof.trees.of(form))
    return [(tree / place).read_text(encoding="utf-8", errors="replace") for tree in trees]


def _title(key: Key) -> tuple[str, str]:
    path, name, role = key
    return path, f"{name} ({role})" if role else name


def _is_init(call: Row) -> bool:
    return str(call["name"]).endswith(".__init__")


def _import_roots(functions: Iterable[RecordedFunction]) -> list[str]:
    """The folders that the recorded modules were imported from: `src` for `src/pkg/core.py`, imported as `pkg.core`."""
    found: dict[str, None] = {}
    for function in functions:
        if function.module.startswith("@"):
            continue
        parts = function.key[0].removesuffix(".py").removesuffix("/__init__").split("/")
        names = function.module.split(".")
        if parts[-len(names) :] == names:
            found["/".join(parts[: -len(names)]) or "."] = None
    return list(found)
