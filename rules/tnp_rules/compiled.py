"""`@tnh.compiled`: a function runs as the fastest of its forms that gives what NumPy gives."""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import queue
import threading
import time
from typing import Any

import tensorflow as tf

from tnp_rules.autograph_marks import left_as_it_is
from tnp_rules.compiled_agreement import as_numbers, difference, moved
from tnp_rules.compiled_arguments import (
    NotDescribed,
    Variables,
    describe,
    holes_of,
)
from tnp_rules.compiled_choice import (
    Measured,
    candidates,
    gradients_differ,
    load_choices,
    make_form,
    measure,
    save_choice,
    seconds_of,
)
from tnp_rules.compiled_forms import Call, Faulty, eager_form, numpy_form
from tnp_rules.compiled_gradients import in_own_thread
from tnp_rules.compiled_inside import is_on_cpu_alone, tensorflow_inside
from tnp_rules.compiled_numpy import NoNumpyForm, warn_once
from tnp_rules.compiled_operators import traced_operators
from tnp_rules.compiled_tracing import FaultInside, NotCompiled, tracing
from tnp_rules.compiled_transpiler import converted
from tnp_rules.runtime import has_tensor

_WORTH = 1.0  # seconds that the reference has to cost before anything is compiled: what compiling costs
_KINDS = 12  # of calls for which a function is compiled: with more, shapes change all the time
_FAULTS = 8  # calls that the reference had to answer: with more, and a fourth of all, the form is left
_CHECKED = frozenset({2, 4, 8, 16, 32, 64})  # calls of a compiled form that are compared with NumPy's
_FORMS = ("numpy", "eager", "graph", "xla")


class Plan:
    """What is done for one kind of call."""

    def __init__(self, kind: str, call: Call, specs: Any, *, taped: bool) -> None:
        self.kind, self.call, self.specs, self.taped = kind, call, specs, taped
        self.found = Measured()
        self.spent = 0.0
        self.calls = 0
        self.faults = 0
        self.waiting = False  # for what is being measured
        self.settled = False
        self.name, self.reference = "eager", eager_form(call)
        if not taped:
            try:
                self.name, self.reference = "numpy", numpy_form(call)
            except NoNumpyForm as error:
                self.found.reasons["numpy"] = str(error)
        self.run = self.reference
        self.form = self.name

    def answer(self, arrays: Any) -> Any:
        """Run the reference; NumPy's form is none where it writes to what may not be written to."""
        try:
            return self.reference(arrays)
        except ValueError as error:
            if self.name != "numpy" or "read-only" not in str(error):
                raise
            self.found.reasons["numpy"] = "it writes to an argument"
            self.reference = eager_form(self.call)
            self.run, self.name, self.form = self.reference, "eager", "eager"
            return self.reference(arrays)


class Compiled:
    """The forms of one function, and what was chosen for each kind of call."""

    def __init__(self, function: Any, writes: tuple[str, ...]) -> None:
        self.function, self.writes = function, writes
        self.signature = inspect.signature(function)
        parameters = list(self.signature.parameters.values())
        self.names = [one.name for one in parameters]
        self.defaults = {one.name: one.default for one in parameters if one.default is not one.empty}
        self.plain = not [one for one in parameters if one.kind not in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        self.method = bool(self.names) and self.names[0] == "self" and "." in function.__qualname__
        self.plans: dict[Any, Plan] = {}
        self.variables: Any = None
        self.lock = threading.RLock()
        self.saved: Any = None

    def answer(self, args: Any, kwargs: Any) -> Any:
        """Run a call."""
        if not tf.executing_eagerly():
            return self.in_graph(args, kwargs)
        if not self.plain:
            return self.function(*args, **kwargs)
        if kwargs or len(args) != len(self.names):
            args = self.in_order(args, kwargs)
        arrays: list[Any] = []
        try:
            key = self.key_of(args, arrays)
        except (NotDescribed, TypeError) as error:
            self.undescribed = str(error)
            return self.function(*args)
        plan = self.plans.get(key)
        if plan is None:
            plan = self.begin(key, args, arrays)
        if plan.settled and plan.calls > 64:
            plan.calls += 1
            return self.chosen(plan, arrays)
        return self.watched(plan, arrays)

    undescribed = ""

    def in_order(self, args: Any, kwargs: Any) -> Any:
        """Give all arguments of a call in their order; raises where Python does."""
        rest = self.names[len(args) :]
        given = {name: kwargs[name] for name in rest if name in kwargs}
        values = {**self.defaults, **given}
        if len(given) == len(kwargs) and not [name for name in rest if name not in values]:
            return (*args, *[values[name] for name in rest])
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.args

    def key_of(self, args: Any, arrays: list[Any]) -> Any:
        """Tell calls apart: what is static of them, the kinds of arrays, the variables that they read, a tape."""
        if self.variables is None:
            self.variables = Variables(self.function)
        inside = tensorflow_inside()
        parts = [self.variables.describe(), inside is not None and not inside.unrecorded()]
        if self.method:
            parts.append(type(args[0]))
            args = (vars(args[0]), *args[1:])
        describe(args, arrays, parts)
        return tuple(parts)

    def state_of(self, owner: Any) -> dict[str, Any]:
        """Give the attributes of an object that its methods may read."""
        return dict(vars(owner))

    def begin(self, key: Any, args: Any, arrays: list[Any]) -> Plan:
        """Plan a kind of call that is new."""
        with self.lock:
            plan = self.plans.get(key)
            if plan is not None:
                return plan
            values = [self.state_of(args[0]), *args[1:]] if self.method else list(args)
            owner = type(args[0]) if self.method else None
            call = Call(self.function, holes_of(self.names, values), owner, self.writes, taped=key[1])
            specs = [tf.TensorSpec(array.shape, tf.as_dtype(array.dtype)) for array in arrays]
            plan = Plan(repr((self.variables.key, *key[1:])), call, specs, taped=key[1])
            self.plans[key] = plan
            self.force(plan)
            if not plan.settled and len(self.plans) > _KINDS:
                plan.settled = True
                plan.found.reasons["xla"] = f"called with more than {_KINDS} kinds of arguments"
            return plan

    def force(self, plan: Plan) -> None:
        """Take the form that TNP_COMPILED names, if it does."""
        wanted = os.environ.get("TNP_COMPILED", "")
        if wanted not in _FORMS or (wanted == "numpy" and plan.taped):
            return
        plan.settled = True
        if wanted == "eager":
            plan.form, plan.run = wanted, eager_form(plan.call)
        elif wanted != "numpy":
            try:
                plan.form, plan.run = wanted, make_form(plan.call, wanted, plan.specs, forced=True)
            except Exception as error:  # noqa: BLE001 - whatever tracing raises is the reason
                plan.found.reasons[wanted] = f"{type(error).__name__}: {error}"
                plan.form, plan.run = plan.name, plan.reference
                warn_once(f"{self.function.__qualname__} has no form {wanted!r}: {error}")
        plan.found.chosen = plan.form

    def chosen(self, plan: Plan, arrays: Any) -> Any:
        """Run the chosen form; where it fails, the reference from then on."""
        if plan.run is plan.reference:
            return plan.answer(arrays)
        try:
            return plan.run(arrays)
        except Faulty:
            result = plan.answer(arrays)
            plan.faults += 1
            if plan.faults > _FAULTS and plan.faults * 4 > plan.calls:
                self.leave(plan, "most calls meet what only the reference can answer")
            return result
        except tf.errors.OpError as error:
            result = plan.answer(arrays)  # where NumPy raises as well, the form is right
            self.leave(plan, f"{type(error).__name__} when it ran")
            return result

    def leave(self, plan: Plan, reason: str) -> None:
        """Go back to the reference, and say why."""
        plan.found.reasons[plan.form] = reason
        plan.form, plan.run, plan.found.chosen = plan.name, plan.reference, plan.name

    def watched(self, plan: Plan, arrays: Any) -> Any:
        """Run a call whose form is not chosen yet, or one that is compared with the reference."""
        plan.calls += 1
        if plan.settled:
            result = self.chosen(plan, arrays)
            if plan.calls in _CHECKED and plan.run is not plan.reference and not os.environ.get("TNP_COMPILED"):
                return self.checked(plan, arrays, result)
            return result
        now = os.environ.get("TNP_COMPILED") == "now"
        if now and not plan.waiting:
            plan.waiting = True
            self.choose(plan, arrays)
            return self.chosen(plan, arrays)
        seconds, result = seconds_of(plan.answer, arrays)
        plan.spent += seconds
        if not plan.waiting and plan.spent > (0.0 if self.was_worth(plan) else _WORTH):
            plan.waiting = True
            copies = [tf.identity(tf.constant(array)) for array in arrays]
            if plan.taped and not is_on_cpu_alone():  # where tapes of two threads get each other's tensors
                in_own_thread(functools.partial(self.choose, plan, copies))
            else:
                worker().put((self, plan, copies))
        return result

    def checked(self, plan: Plan, arrays: Any, result: Any) -> Any:
        """Compare a result with the reference's, which is the answer where they differ."""
        wanted = plan.answer(arrays)
        reason = difference(as_numbers(wanted), as_numbers(result))
        if reason:  # unless the function amplifies that much
            sensitive = as_numbers(plan.reference(moved(arrays)))
            reason = difference(as_numbers(wanted), as_numbers(result), sensitive)
        if reason:
            with self.lock:
                self.leave(plan, f"call {plan.calls}: {reason}")
            return wanted
        return result

    def was_worth(self, plan: Plan) -> bool:
        """Say whether an earlier process has found a form faster than the reference."""
        if self.saved is None:
            self.saved = load_choices().get(self.identity(), {})
        entry = self.saved.get(plan.kind, {})
        return entry.get("form", plan.name) not in {plan.name, "numpy", "eager"}

    def choose(self, plan: Plan, arrays: Any) -> None:
        """Measure the forms on some arguments and take the best."""
        taped = gradients_differ if plan.taped else None
        try:
            plan.answer(arrays)
            found, run = measure(plan.call, plan.specs, plan.reference, plan.name, arrays, candidates(), taped)
        except Exception as error:  # noqa: BLE001 - the reference itself raises for these arguments
            plan.found.reasons[plan.name] = f"{type(error).__name__}: {error}"
            plan.waiting = False
            plan.spent = 0.0
            return
        with self.lock:
            found.reasons = {**plan.found.reasons, **found.reasons}
            plan.found, plan.run, plan.form, plan.calls = found, run, found.chosen, 0
            plan.settled = True
        save_choice(self.identity(), plan.kind, found)

    def identity(self) -> str:
        """Name the function, its text and what it runs on."""
        read = self.variables.read if self.variables is not None else ()
        functions = [getattr(one.get(name), "compiled_from", one.get(name)) for one, name in read]
        codes = [one.__code__.co_code for one in (self.function, *functions) if inspect.isfunction(one)]
        devices = sorted(one.device_type for one in tf.config.list_logical_devices())
        parts = [*codes, tf.__version__.encode(), repr(devices).encode(), str(os.cpu_count()).encode()]
        digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
        return f"{self.function.__module__}.{self.function.__qualname__} {digest}"

    def in_graph(self, args: Any, kwargs: Any) -> Any:
        """Run as a part of the graph that is being traced: the user's, or one of ours."""
        if tensorflow_inside() is None or not has_tensor((args, kwargs)):
            return self.function(*args, **kwargs)
        if tracing.form:
            return converted(self.function, traced_operators)(*args, **kwargs)
        for carries in (False, True):
            tracing.begin("graph", carries_faults=carries)
            try:
                result = converted(self.function, traced_operators)(*args, **kwargs)
                if tracing.fault is not None:
                    message = f"{self.function.__qualname__} meets what NumPy raises for, such as an index out of range"
                    tf.debugging.Assert(~tracing.fault, [message])
            except FaultInside:
                continue
            except NotCompiled:
                break
            else:
                return result
            finally:
                tracing.end()
        return tf.autograph.to_graph(self.function)(*args, **kwargs)


def compiled(function: Any = None, *, writes: Any = ()) -> Any:
    """Let a function without side effects run as the fastest of its forms that gives what NumPy gives.

    The first calls run on NumPy, on the function's text before the migration, or eagerly where a gradient tape watches
    or there is no such text. Once they have cost a second, a graph and XLA are tried in the background, on the user's
    own arguments; a form that gives other integers, shapes or dtypes, or floats further away than the function itself
    carries a last digit, is never taken. Later calls are sampled. `explain(function)` says what was chosen and why.

    `writes` are the parameters that the NumPy code writes to; the migrated function returns them. The environment
    variable TNP_COMPILED forces a form ("numpy", "eager", "graph", "xla"), or has it chosen at the first call ("now").
    """
    if function is None:
        return functools.partial(compiled, writes=writes)
    state = Compiled(function, tuple(writes))

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return state.answer(args, kwargs)

    call.compiled_from = function  # type: ignore[attr-defined]
    call.compiled_state = state  # type: ignore[attr-defined]
    return left_as_it_is(call)


def explain(function: Any) -> str:
    """Say which form a compiled function runs as, for each kind of call, with the times and the reasons."""
    state = getattr(getattr(function, "__func__", function), "compiled_state", None)
    if state is None:
        return f"{getattr(function, '__qualname__', function)} is not compiled"
    lines = [f"{state.function.__module__}.{state.function.__qualname__}"]
    if state.undescribed:
        lines.append(f"  runs eagerly where it is given {state.undescribed}")
    if not state.plans:
        lines.append("  was not called yet")
    for plan in list(state.plans.values()):
        lines += _explained(plan)
    return "\n".join(lines)


def _explained(plan: Plan) -> list[str]:
    kinds = ", ".join([f"{spec.dtype.name}{list(spec.shape)}" for spec in plan.specs])
    taped = " with a gradient" if plan.taped else ""
    waiting = ", being measured" if plan.waiting else f", {plan.spent:.2f} s spent: not worth compiling yet"
    return [
        f"  ({kinds}){taped}: {plan.form}{'' if plan.settled else waiting}",
        *[f"    {form}: {seconds * 1e6:.0f} us" for form, seconds in sorted(plan.found.times.items())],
        *[f"    not {form}: {reason}" for form, reason in sorted(plan.found.reasons.items())],
    ]


@functools.cache
def worker() -> Any:
    """Start the thread that measures forms, one after the other, and give its queue."""
    jobs: queue.Queue[Any] = queue.Queue()

    def work() -> None:
        while True:
            state, plan, arrays = jobs.get()
            state.choose(plan, arrays)
            jobs.task_done()

    threading.Thread(target=work, name="tnh.compiled", daemon=True).start()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=worker.cache_clear)
    return jobs


def wait_until_chosen(seconds: float = 60.0) -> bool:
    """Wait until what is being measured is chosen; for tests and benchmarks."""
    end = time.monotonic() + seconds
    while worker().unfinished_tasks and time.monotonic() < end:
        time.sleep(0.01)
    return not worker().unfinished_tasks
