"""Compares a user's rules with what they stand for, and declarations with what the functions are seen to do.

Runs in a process of its own, with the user's packages: the file of rules is imported here, and nowhere else. A rule
runs as it is vendored, from a helper module that was written for it.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
import inspect
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.comparing import compare
from tnp_migrate.proof.inside.leaves import leaves_of
from tnp_migrate.proof.inside.rule_calls import MOST, Call, made_calls

Row = dict[str, Any]
_TRACED = 3  # calls of a rule that a graph is made of
NO_CALL = "none of the calls made by its signature runs: give some, with `@samples` and `call`"


def main(job_path: str) -> None:
    """Do a job: a line of JSON for each rule and each declaration."""
    with open(job_path, encoding="utf-8") as file:  # noqa: PTH123
        job = json.load(file)
    own = _import("_own_rules_of_the_user", job["file"])
    helpers = _import("_tnp_helpers", job["helpers"]) if job["rules"] else None
    given = sys.modules["tnp_rules.forms"].SAMPLES
    for target, name in job["rules"]:
        _print(target, "rule", partial(_rule, target, getattr(helpers, name), given.get(target, ())))
    for target, name, said in job["effects"]:
        _print(target, "effects", partial(_effects, target, getattr(own, name), said, given.get(target, ())))


def _import(name: str, path: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _print(target: str, kind: str, run: Callable[[], Row]) -> None:
    try:
        row = {"target": target, "kind": kind, **run()}
    except Exception as error:  # noqa: BLE001  # whatever the user's own code raises
        row = {"target": target, "kind": kind, "problems": [f"{type(error).__name__}: {error}"], "calls": 0}
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def _found(target: str) -> Any:
    """The function that a qualified name stands for."""
    module, rest = target, list[str]()
    while True:
        try:
            found = importlib.import_module(module)
            break
        except ModuleNotFoundError:
            if "." not in module:
                raise
            module, _, last = module.rpartition(".")
            rest.insert(0, last)
    for name in rest:
        found = getattr(found, name)
    return found


def _signature_of(original: Any, like: Any) -> inspect.Signature:
    """The signature of a function; where it is compiled and has none, that of the user's own one."""
    try:
        return inspect.signature(original)
    except (TypeError, ValueError):
        return inspect.signature(like)


def _calls(original: Any, like: Any, generators: Any) -> tuple[list[Call], bool]:
    """The calls to compare on, and whether they are made by the signature; of those only what the original takes."""
    if generators:
        return [(one.args, one.kwargs) for make in generators for one in make()], False
    running = (one for one in made_calls(_signature_of(original, like)) if _outcome(original, *one)[1] is None)
    return list(islice(running, MOST)), True


def _outcome(function: Any, args: Any, kwargs: Any) -> tuple[Any, Exception | None]:
    args, kwargs = copy.deepcopy((args, kwargs))
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args, **kwargs), None
    except Exception as error:  # noqa: BLE001  # what it raises is what is compared
        return None, error


def _rule(target: str, body: Any, generators: Any) -> Row:
    original = _found(target)
    calls, made = _calls(original, body, generators)
    problems = [*_differing_signature(original, body), *([] if calls else [NO_CALL])]
    untraced = ""
    for place, (args, kwargs) in enumerate(calls):
        expected, error = _outcome(original, args, kwargs)
        for way, run in (("", _with_tensors(body)), (" on ndarrays", body)):
            problems += (f"{_shown(args, kwargs)}{way}: {one}" for one in _differs(expected, error, run, args, kwargs))
        if error is None and not untraced and place < _TRACED:
            untraced = _in_graph(body, args, kwargs)
    return {"problems": problems, "calls": len(calls), "made": made, "untraced": untraced}


def _differs(expected: Any, error: Exception | None, run: Any, args: Any, kwargs: Any) -> Iterator[str]:
    got, raised = _outcome(run, args, kwargs)
    if error is not None and raised is None:
        yield f"the original raises {type(error).__name__}, the rule does not"
    elif error is None and raised is not None:
        yield f"the rule raises {type(raised).__name__}: {next(iter(str(raised).splitlines()), '')}"
    elif error is None:
        outcome = compare(leaves_of({"result": expected}), leaves_of({"result": got}), exact=False)
        for path, what, text in outcome.differences:
            yield f"{path}: {what}: {text.replace('with NumPy', 'by the original').replace('here', 'by the rule')}"


def _with_tensors(body: Any) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        return body(*map(_tensor, args), **{name: _tensor(one) for name, one in kwargs.items()})

    return run


def _tensor(value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(map(_tensor, value))
    numbers = isinstance(value, np.ndarray) and value.dtype.kind in "biufc"
    return sys.modules["tensorflow"].constant(value) if numbers else value


def _in_graph(body: Any, args: Any, kwargs: Any) -> str:
    """Why a graph cannot run the rule; nothing where one can."""
    _, raised = _outcome(_with_tensors(sys.modules["tensorflow"].function(body)), args, kwargs)
    return type(raised).__name__ if raised is not None else ""


def _differing_signature(original: Any, body: Any) -> Iterator[str]:
    """Where parameters are not the original's: names, order, defaults. Those that the rule lacks are not supported."""
    wanted = _signature_of(original, body).parameters
    own = inspect.signature(body).parameters
    takes_any = any(one.kind is one.VAR_KEYWORD for one in wanted.values())
    strange = [name for name, one in own.items() if name not in wanted and one.kind is not one.VAR_KEYWORD]
    if strange and not takes_any:
        yield f"the original has no parameter {', '.join(strange)}"
        return
    order = [name for name in wanted if name in own]
    if [name for name in own if name in wanted] != order:
        yield f"the order of the original's parameters is {', '.join(order)}"
    positions = [name for name, one in wanted.items() if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    own_positions = [name for name in positions if name in own]
    if positions[: len(own_positions)] != own_positions:
        missing = next(name for name in positions if name not in own)
        yield f"`{missing}` of the original stands before others: have it, or make those keywords"
    for name in order:
        if repr(own[name].default) != repr(wanted[name].default):
            yield f"`{name}` is {wanted[name].default!r} by default in the original"


def _effects(target: str, like: Any, said: dict[str, list[str]], generators: Any) -> Row:
    """See what a function writes to and shares, on copies of the arguments; what it keeps cannot be seen."""
    original = _found(target)
    calls, made = _calls(original, like, generators)
    problems = dict.fromkeys([] if calls else [NO_CALL])
    for args, kwargs in calls:
        found = _undeclared(original, _signature_of(original, like), said, args, kwargs)
        problems |= dict.fromkeys(f"{_shown(args, kwargs)}: {one}" for one in found)
    return {"problems": list(problems), "calls": len(calls), "made": made}


def _undeclared(
    original: Any, signature: inspect.Signature, said: dict[str, list[str]], args: Any, kwargs: Any
) -> Iterator[str]:
    bound = signature.bind(*copy.deepcopy(args), **copy.deepcopy(kwargs))
    arrays = {name: one for name, one in bound.arguments.items() if isinstance(one, np.ndarray)}
    before = {name: one.tobytes() for name, one in arrays.items()}
    results: list[Any] = []
    _, error = _outcome(lambda: results.append(original(*bound.args, **bound.kwargs)), (), {})
    for name, one in arrays.items() if error is None else ():
        if one.tobytes() != before[name] and name not in said["writes"]:
            yield f"it writes to `{name}`, which is not declared"
        if name not in said["shares"] and any(np.shares_memory(one, part) for part in _arrays_in(results)):
            yield f"what it gives shares memory with `{name}`, which is not declared"


def _arrays_in(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in islice(value, 100):
            yield from _arrays_in(one)


def _shown(args: Any, kwargs: Any) -> str:
    words = [*map(_word, args), *(f"{name}={_word(one)}" for name, one in kwargs.items())]
    return f"({', '.join(words)})"


def _word(value: Any) -> str:
    return f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else repr(value)[:40]


if __name__ == "__main__":
    main(sys.argv[1])
