"""Replay recorded calls in one process: a job in, a line for each call out, written before and after it.

A line is written before each call, so that whoever waits knows which one crashed or hangs.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.buffers import Buffers
from tnp_migrate.proof.inside.calls import BegunCall, Items
from tnp_migrate.proof.inside.comparing import Compared, compare
from tnp_migrate.proof.inside.decoding import Decoder, as_recorded
from tnp_migrate.proof.inside.divergence import lines_of
from tnp_migrate.proof.inside.form_names import FORMS, Form
from tnp_migrate.proof.inside.forms import (
    ENDS,
    EVERY_ATTRIBUTE,
    REPLAY,
    Arguments,
    Convention,
    Done,
    Hand,
    Prepared,
    Stays,
    as_tensors,
    has_gpu,
    run,
    tensorflow,
)
from tnp_migrate.proof.inside.guard import Guard, NotReplayed
from tnp_migrate.proof.inside.keeping import Watched
from tnp_migrate.proof.inside.leaves import Leaf, is_tensor, leaves_of
from tnp_migrate.proof.inside.names import Names
from tnp_migrate.proof.inside.recorded_calls import bound_attributes, read_call, set_streams, values_of
from tnp_migrate.proof.inside.refusals import BadRecording, NotKept, Refused
from tnp_migrate.proof.inside.rounding import (
    DRAWS,
    hand_moved,
    hand_moving,
    moved_number,
    movement,
    moving,
    moving_followed,
)
from tnp_migrate.proof.inside.settings import Settings
from tnp_migrate.proof.inside.surroundings import Surroundings
from tnp_migrate.proof.inside.time_limit import TooLong, stopped_after
from tnp_migrate.proof.inside.tree import Tree
from tnp_migrate.proof.inside.writing import Writer

AGAIN = 0.1  # seconds; a call that takes less is timed a second time, without what the first one prepares
TRACING = 10.0  # seconds of processor time for a form that is only looked at further
TURNS = 3
TRACED = 3  # calls of a function; what differs in some of them may turn out to be rounding
_TRACED = re.compile(r'^ +File "(?P<file>[^"]+)", line (?P<line>\d+), in ', re.MULTILINE)
_BEYOND = {"Decimal": "decimals", "Fraction": "fractions", "objects": "arrays of objects"}
_LONG = {np.dtype(one).str for one in (np.longdouble, np.clongdouble)} - {"<f8", "<c16"}  # doubles, on some systems
INITS = 60.0  # seconds for finding out what stays on NumPy


class Process:
    """One replaying process and its job."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.form: Form = FORMS[job["form"]]  # of the call that is being replayed
        self.tree = Tree(Path(job["tree"]), job["path"])
        self.origin = Path(job["origin"])
        self.names = Names(self.tree.module, self.origin, self.tree.base)
        self.guard = Guard((job["tree"], tempfile.gettempdir(), job["scratch"]))
        self.surroundings = Surroundings()
        self.writer: Writer | None = None
        self.traced: Counter[tuple[str, str]] = Counter()
        self.looked_at: Counter[tuple[str, str, str]] = Counter()
        self.spent: dict[tuple[str, str], float] = {}
        self.unlike: set[int] = set()
        self.stays: Stays = frozenset()
        self._file = Path(job["out"]).open("a", encoding="utf-8")  # noqa: SIM115  # open as long as the process lives

    def say(self, **line: Any) -> None:
        """Write a line and see to it that it is written whatever happens next."""
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()

    def run(self) -> None:
        """Replay the calls of the job."""
        if self.form.device == "gpu" and not has_gpu():
            self.say(missing="gpu")
            return
        if self.form.tree == "translated":
            tensorflow()  # before a call is timed
            self._see_what_stays()
        parent = os.getppid()
        for one in self.job["calls"]:
            if os.getppid() != parent:
                return  # whoever waited was ended, and reads nothing any more
            self.form = FORMS[one["form"]]
            if self._is_left_out(one):
                continue
            key = [one["form"], one["id"]]
            function = (one["place"], one["name"])
            if self.spent.get(function, 0.0) > self.job["share"]:
                self.say(end=key, status="left out", why=f"its calls take longer than {self.job['share']:.0f} s")
                continue
            self.say(begin=key)
            began = time.process_time()
            row = self._outcome(one)
            self.surroundings.restore()
            self.spent[function] = self.spent.get(function, 0.0) + time.process_time() - began
            self.say(end=key, **row)
            if row["status"] != "same":
                self.unlike.add(one["id"])
            if self.surroundings.are_used_up():
                self.say(full=True)
                return

    def _is_left_out(self, one: dict[str, Any]) -> bool:
        """A further form is looked at for some calls only, and where the translation is right without it."""
        function = (one["place"], one["name"])
        if self.form.further and one["id"] in self.unlike:
            return True
        if self.form.most is None:
            return False
        self.looked_at[(*function, self.form.name)] += 1
        return self.looked_at[(*function, self.form.name)] > self.form.most

    def _outcome(self, one: dict[str, Any]) -> dict[str, Any]:
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                return self._replay(one, read_call(one))
        except TooLong as error:
            return {"status": "left out", "why": str(error)}
        except NotReplayed as error:
            return {"status": "not replayable", "why": str(error)}
        except (Refused, BadRecording, NotKept) as error:
            return {"status": "not replayable", "why": str(error)}
        except Exception as error:  # noqa: BLE001  # of the user's modules, when they are imported or rebuilt
            return {"status": "not replayable", "why": f"{type(error).__name__}: {error}"[:300]}

    def _prepare(self, one: dict[str, Any], call: dict[str, Any]) -> Prepared:
        function = self.tree.function(one["place"], one["module"], one["name"], one["role"])
        function = Items(function) if call.get("items") is True else function
        before = call["before"]

        def decode(hand: Hand, number: Any = None) -> Arguments:
            decoder = Decoder(call["nodes"], self._buffers(one), self.names, hand, number)
            args, kwargs = decoder.many(before["args"]), dict(values_of(decoder, before["kwargs"]))
            set_streams(call, decoder)
            return Arguments(tuple(call["names"]), args, kwargs, dict(values_of(decoder, before["globals"])))

        given = self.job["conventions"].get(f"{one['place']}:{one['name']}")
        convention = Convention(**{**given, "names": tuple(given["names"])}) if given else Convention()
        translated = self.form.tree != "original"
        return Prepared(function, decode, convention if translated else Convention(), self.stays)

    def _replay(self, one: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
        prepared = self._prepare(one, call)
        if self.form.name == "movement":
            return self._movement(prepared, call, one)
        if self.form.name == "lines":
            return {"status": "same", "lines": self._lines(prepared, one)}
        expected = self._expected(call, one)
        if self.form.name == "original":
            return self._record_again(prepared, call, one, expected)
        with self._guarded(), stopped_after(TRACING if self.form.further else 0.0):
            done = REPLAY[self.form.name](prepared)
            if done.seconds < AGAIN and not self.form.exact and done.error is None:
                done.seconds = min(done.seconds, REPLAY[self.form.name](prepared).seconds)
        row = self._judge(done, call, expected)
        function = (one["place"], one["name"])
        if row["status"] == "raises":
            row["why"] += _beyond_tensors(call["nodes"])
        is_accused = row["status"] in ("differs", "raises") and not self.form.further
        if is_accused and self.traced[function] < TRACED:
            self.traced[function] += 1
            row["lines"] = self._lines(prepared, one)
        return row

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        self.guard.on, self.guard.refused = True, ""
        try:
            yield
        finally:
            self.guard.on = False
        if self.guard.refused:  # even where the program has caught the error
            raise NotReplayed(f"a replayed call {self.guard.refused}, which is outside of its scratch copy")

    def _judge(self, done: Done, call: dict[str, Any], expected: Mapping[str, Leaf]) -> dict[str, Any]:
        row: dict[str, Any] = {"seconds": done.seconds}
        raised = call.get("raised")
        if done.error is not None or raised is not None:
            return row | _judge_error(done.error, raised, self.tree)
        found = compare(expected, done.leaves, exact=self.form.exact)
        row |= {"absolute": found.absolute, "units": found.units}
        return row | _status(found)

    def _expected(self, call: dict[str, Any], one: dict[str, Any]) -> dict[str, Leaf]:
        """What the recording says that the call has done."""
        decoder = Decoder({**call["nodes"], **call["nodes_after"]}, self._buffers(one), self.names)
        after = call["after"]
        roots = dict(zip(call["names"], decoder.many(after["args"]), strict=True))
        roots |= dict(values_of(decoder, after["kwargs"]))
        roots |= {f"global {name}": value for name, value in values_of(decoder, after["globals"])}
        return leaves_of({**roots, "return": decoder.value(after["return"])})

    def _record_again(
        self, prepared: Prepared, call: dict[str, Any], one: dict[str, Any], expected: Mapping[str, Leaf]
    ) -> dict[str, Any]:
        """Replay on the original under the recorder: what the other forms are compared with is what this run does."""
        if self.writer is None:
            self.writer = Writer(Settings(self.job["tree"], (), self.job["fresh"]))
        given = prepared.decode(as_recorded)
        getattr(prepared.function, "__globals__", {}).update(given.variables)
        watched = Watched(one["place"], one["module"], one["name"], 0, one["role"])
        begun = BegunCall(
            self.writer, watched, call["kind"], _function_of(prepared.function), tuple(given.args), given.kwargs
        )
        with self._guarded():
            seconds, result, error = _timed(prepared.function, given)
        fresh = begun.finish(result, error)
        fresh["names"] = call["names"]
        lazy = fresh["items"] = call.get("items") is True
        text = json.dumps(fresh) + "\n"
        place = Path(self.job["fresh"]) / "processes" / f"{one['id']}.jsonl"
        place.write_text(text, encoding="utf-8")
        row: dict[str, Any] = {"seconds": seconds, "fresh": str(place), "length": len(text.encode())}
        if lazy:  # nobody has recorded items: what counts is whether they are the same again
            return row | {"status": "same"}
        raised, before = fresh.get("raised"), call.get("raised")
        if (raised or {}).get("class") != (before or {}).get("class"):
            return row | {"status": "other", "why": f"{_said(raised)}, and the recorded call {_said(before)}"}
        if raised is not None:
            return row | {"status": "same"}
        got = self._expected(json.loads(text), {**one, "folder": self.job["fresh"]})
        # A default of the user's function that was handed on is another object now; what it does since is compared.
        found = _status(compare(expected, got, exact=True, identity=False))
        return row | (found if found["status"] == "same" else {**found, "status": "other"})

    def _movement(self, prepared: Prepared, call: dict[str, Any], one: dict[str, Any]) -> dict[str, Any]:
        """How far rounding inside of the call moves its results."""

        def draw(turn: int) -> Mapping[str, Leaf] | None:
            if turn < DRAWS:
                done = run(prepared, hand_moved, moved_number)
            else:
                with moving_followed():
                    done = run(prepared, hand_moving, moving)
            return done.leaves if done.error is None else None

        expected = self._expected(call, one)
        with self._guarded(), np.errstate(all="ignore"):
            return {"status": "same", "moved": {key: value for key, value in movement(expected, draw).items() if value}}

    def _lines(self, prepared: Prepared, one: dict[str, Any]) -> list[list[Any]]:
        """The values that the function's variables have line by line, for both copies to be laid side by side."""
        hand = as_tensors(self.stays) if self.form.name in ("eager", "gpu") else as_recorded
        file = Path(self.job["tree"]) / one["place"]
        with self._guarded():
            return lines_of(prepared.function, prepared.decode(hand), file, one["name"])

    def _see_what_stays(self) -> None:
        """Replay what binds attributes first: which hold ndarrays in the translated program, which tensors.

        At first no attribute holds a tensor, so that `self.q = other.q` is one only where some `__init__` makes it.
        """
        until = time.process_time() + INITS
        self.stays = EVERY_ATTRIBUTE
        for _ in range(TURNS):
            arrays: set[tuple[str, str]] = set()
            tensors: set[tuple[str, str]] = set()
            for one in self.job["setters"]:
                if time.process_time() < until:
                    self._note_attributes(one, arrays, tensors)
            if self.stays == arrays - tensors:
                break
            self.stays = frozenset(arrays - tensors)

    def _note_attributes(
        self, one: dict[str, Any], arrays: set[tuple[str, str]], tensors: set[tuple[str, str]]
    ) -> None:
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            call = read_call(one)
            bound = bound_attributes(call)
            if not bound:
                return
            prepared = self._prepare(one, call)
            node = call["nodes"][str(call["before"]["args"][0][1])]
            given = prepared.decode(as_tensors(self.stays))
            with self._guarded():
                prepared.function(*given.args, **given.kwargs)
            for name in bound:
                value = getattr(given.args[0], name, None)
                slot = (f"{node['module']}:{node['path']}", name)
                if isinstance(value, np.ndarray):
                    arrays.add(slot)
                elif is_tensor(value):
                    tensors.add(slot)

    @staticmethod
    def _buffers(one: dict[str, Any]) -> Buffers:
        return Buffers(Path(one["folder"]))


def _function_of(function: Any) -> Any:
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def _timed(function: Any, given: Arguments) -> tuple[float, Any, BaseException | None]:
    began = time.perf_counter()
    try:
        result, error = function(*given.args, **given.kwargs), None
    except ENDS as raised:  # what it raises is what is kept
        result, error = None, raised
    return time.perf_counter() - began, result, error


def _status(found: Compared) -> dict[str, Any]:
    if not found.differences:
        return {"status": "same"}
    path, what, text = found.differences[0]
    count = len(found.differences)
    more = f" (and {count - 1} more)" if count > 1 else ""
    why = f"`{path}`: {text}{more}"
    return {"status": "differs", "what": what, "why": why, "unsure": found.unsure, "count": count}


def _beyond_tensors(nodes: Mapping[str, Any]) -> str:
    """What a call hands in that no tensor holds: the cause that an exception of TensorFlow's does not name."""
    kinds = {str(one.get("t")) for one in nodes.values()} & _BEYOND.keys()
    found = [_BEYOND[one] for one in sorted(kinds)]
    if any(str(one.get("dtype")) in _LONG for one in nodes.values()):
        found.append("long doubles")
    return f"; the call is given {' and '.join(found)}, which no tensor holds" if found else ""


def _said(raised: dict[str, Any] | None) -> str:
    return "returned" if raised is None else f"raised {raised['class'].rpartition('.')[2]}: {raised['text']}"


def _judge_error(error: BaseException | None, raised: dict[str, Any] | None, tree: Tree) -> dict[str, Any]:
    """Whether an exception is the one that NumPy raises, or a subclass of it."""
    if error is None:
        assert raised is not None
        return {"status": "differs", "what": "exception", "why": f"returns, and with NumPy it {_said(raised)}"}
    names = {f"{cls.__module__}.{cls.__qualname__}" for cls in type(error).__mro__}
    short = {name.rpartition(".")[2] for name in names}
    if raised is not None and raised["class"].rpartition(".")[2] in short:
        return {"status": "same"}
    text, places = _said_by_autograph(str(error))
    places = places or [(one.filename, one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    own = [(file, line) for file, line in places if tree.holds(file)]
    where = f" ({os.path.relpath(own[-1][0], tree.base)}:{own[-1][1]})" if own else ""
    instead = "" if raised is None else f", and with NumPy it {_said(raised)}"
    text = " ".join(text.removeprefix(f"{type(error).__name__}:").split())[:300]
    return {"status": "raises", "why": f"{type(error).__name__}: {text}{where}{instead}"}


def _said_by_autograph(text: str) -> tuple[str, list[tuple[str, int | None]]]:
    r"""The message that tracing has put a stack before, and the places of that stack; the text itself where it has not.

    `in user code:\n\n    File "a.py", line 3, in f  *\n        return g(x)\n\n    TypeError: no` -> the last line.
    """
    parts = text.split("\n\n", 2)
    if parts[0] != "in user code:" or len(parts) < 3:
        return text, []
    _, stack, message = parts
    return message.strip(), [(one["file"], int(one["line"])) for one in _TRACED.finditer(stack)]


def main(job: str) -> None:
    """Run the job that a file describes."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    warnings.simplefilter("ignore")
    Process(json.loads(Path(job).read_text(encoding="utf-8"))).run()
    os._exit(0)  # all is written; threads that calls have left behind would go on
