"""Signatures of NumPy and TensorFlow by version, measured where they are installed.

`PYTHON tests/signature_snapshots.py measure FILE` with each Python that has a pair installed, then
`python tests/signature_snapshots.py write FILE...` for the translator's data and the snapshots that tests compare with.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import operator
import os
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DATA = ROOT / "migrator" / "tnp_migrate" / "numpy_facts" / "data" / "signatures.json"
SNAPSHOTS = ROOT / "tests" / "snapshots"
KINDS = {0: "/", 1: "", 2: "*", 3: "k", 4: "**"}
Signature = list[list[str]] | None
# The namespaces whose functions are bound at call sites: what the translator needs to know of NumPy.
_BOUND = "numpy numpy.linalg numpy.fft numpy.random numpy.lib.stride_tricks numpy.polynomial.polynomial".split()
_CLASSES_BOUND = ("poly1d", "vectorize")
_NUMPY = [*_BOUND, "numpy.exceptions", "numpy.ma", "numpy.char", "numpy.strings", "numpy.emath"]
_NUMPY += [f"numpy.polynomial.{one}" for one in "chebyshev hermite hermite_e laguerre legendre polyutils".split()]
_TENSORFLOW = [
    "",
    *"bitwise debugging errors linalg math nest nn ragged random random.experimental raw_ops sets signal".split(),
]
_BY_NAME = (  # all that is used of namespaces
    *("autograph.experimental.do_not_convert", "autograph.to_graph", "compat.v1.get_default_graph"),
    *("compat.v1.placeholder", "config.list_logical_devices", "__version__"),
)
_RAW = {"NthElement", "PopulationCount", "TensorStridedSliceUpdate"}  # of 1,400
_UFUNC = [["out", "", "None"], ["where", "k", "True"], ["casting", "k", "'same_kind'"], ["order", "k", "'K'"]]
_UFUNC += [["dtype", "k", "None"], ["subok", "k", "True"]]
_AXES = [["axes", "k", "None"]]
# What compiled functions take and their signatures do not tell, or tell otherwise.
_CORRECTED: dict[str, Any] = {
    "numpy.where": [["condition", ""], ["x", "", "<no value>"], ["y", "", "<no value>"]],
    "numpy.arange": [
        ["start", ""],
        ["stop", "", "None"],
        ["step", "", "1"],
        ["dtype", "", "None"],
        ["device", "k", "None"],
        ["like", "k", "None"],
    ],
}
_GENERALIZED = {"matmul": _AXES, "matvec": _AXES, "vecmat": _AXES, "vecdot": [*_AXES, ["axis", "k", "-1"]]}


def measure() -> dict[str, Any]:
    """The installed versions, and name by name the signatures (None for what is no function)."""
    import numpy as np

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: dict[str, Any] = {"numpy": np.__version__, "bound": dict(_bound(np)), "names": dict(_numpy(np))}
        if importlib.util.find_spec("tensorflow") is not None:
            os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
            tensorflow: Any = importlib.import_module("tensorflow")
            found["tensorflow"] = tensorflow.__version__
            found["tnp"] = dict(_tnp(tensorflow))
            found["names"] |= dict(_tensorflow(tensorflow))
    return found


def _bound(numpy: Any) -> Iterator[tuple[str, Signature]]:
    for prefix in _BOUND:
        module = importlib.import_module(prefix)
        for name in _public(module):
            function = getattr(module, name)
            if callable(function) and (not isinstance(function, type) or name in _CLASSES_BOUND):
                found = _CORRECTED.get(f"{prefix}.{name}") or signature_of(function)
                if found is not None:
                    yield f"{prefix}.{name}", found
    for name in _public(numpy.ndarray):
        found = signature_of(getattr(numpy.ndarray, name)) if callable(getattr(numpy.ndarray, name)) else None
        if found:
            yield f"numpy.ndarray.{name}", [one for one in found if one[0] != "self"]


def _numpy(numpy: Any) -> Iterator[tuple[str, Signature]]:
    for prefix in _NUMPY:
        module = numpy.emath if prefix == "numpy.emath" else importlib.import_module(prefix)
        for name in _public(module):
            signature = signature_of(getattr(module, name)) if prefix != "numpy.ma" else None
            yield f"{prefix.replace('numpy', 'np', 1)}.{name}", signature
    for name in _public(numpy.ndarray):
        yield f"np.ndarray.{name}", None


def _tnp(tensorflow: Any) -> Iterator[tuple[str, Signature]]:
    tnp = tensorflow.experimental.numpy
    for name in _public(tnp):
        member = getattr(tnp, name)
        yield f"numpy.{name}", signature_of(member) if not isinstance(member, type) else None
    for name in _public(tnp.random):
        yield f"numpy.random.{name}", signature_of(getattr(tnp.random, name))


def _tensorflow(tensorflow: Any) -> Iterator[tuple[str, Signature]]:
    tnp = tensorflow.experimental.numpy
    for prefix in _TENSORFLOW:
        module = operator.attrgetter(prefix)(tensorflow) if prefix else tensorflow
        for name in _public(module) if prefix != "raw_ops" else _RAW:
            yield ".".join(filter(None, ("tf", prefix, name))), signature_of(getattr(module, name))
    for name in _BY_NAME:
        yield f"tf.{name}", signature_of(operator.attrgetter(name)(tensorflow))
    for name in _public(tnp):
        yield f"tnp.{name}", signature_of(getattr(tnp, name))
    tnp.experimental_enable_numpy_behavior()
    for cls in (tensorflow.Tensor, tensorflow.Variable, tensorflow.DType, tensorflow.TensorShape):
        for name in _public(cls):
            yield f"tf.{cls.__name__}.{name}", signature_of(getattr(cls, name))


def _public(holder: Any) -> list[str]:
    names = [name for name in dir(holder) if not name.startswith("_")]
    return [name for name in names if not isinstance(getattr(holder, name, None), types.ModuleType)]


def signature_of(function: Any) -> Signature:
    """Parameters as [name, kind, default]; those of ufuncs as documented, of other compiled functions as their text."""
    if isinstance(function, type) and function.__name__ not in _CLASSES_BOUND:
        return None
    if type(function).__name__ == "ufunc":
        inputs = {1: ["x"], 2: ["x1", "x2"]}.get(function.nin, [f"x{place + 1}" for place in range(function.nin)])
        return [[one, "/"] for one in inputs] + _UFUNC + _GENERALIZED.get(function.__name__, [])
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return _documented(function)
    return [
        [one.name, KINDS[one.kind], *([] if one.default is one.empty else [_text(one.default)])] for one in parameters
    ]


def _text(default: object) -> str:
    """A default that reads the same in each process: no addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(default))


def _documented(function: Any) -> Signature:
    """`empty(shape, dtype=float, order='C')` at the head of a docstring: before NumPy 2.4 there is nothing else."""
    if not callable(function) or isinstance(function, type):
        return None
    name = getattr(function, "__name__", "")
    first = (function.__doc__ or "").strip().partition("\n\n")[0].replace("\n", " ")
    found = re.match(rf"(?:a\.)?{re.escape(name)}\((.*?)\)(?:$|\s)", first)
    if found is None or "[" in found[1]:
        return None
    source = f"def f({found[1]}): ..."
    scope: dict[str, Any] = {}
    try:
        exec(source, scope)  # NumPy's own text
    except (SyntaxError, NameError):
        return None
    return signature_of(scope["f"])


def write(measured: list[dict[str, Any]]) -> None:
    """Merge measurements into the translator's data and the tests' snapshots; what was not measured stays out."""
    tables = {"numpy": _by_version(measured, "numpy"), "tensorflow": _by_version(measured, "tensorflow")}
    newest = {library: max(versions, key=version_key) for library, versions in tables.items()}
    numpy, tensorflow = tables["numpy"][newest["numpy"]], tables["tensorflow"][newest["tensorflow"]]
    old = json.loads(DATA.read_text(encoding="utf-8"))
    data = {
        "measured_on": {"tensorflow": tensorflow["tensorflow"], "numpy": numpy["numpy"]},
        "numpy": dict(sorted(numpy["bound"].items())),
        "tnp": dict(sorted(tensorflow["tnp"].items())),
        "older": {
            "numpy": _older({version: _named(one) for version, one in tables["numpy"].items()}, _same_for_calls),
            "tensorflow": _older({version: one["tnp"] for version, one in tables["tensorflow"].items()}, _equal),
        },
        "former": old["former"],
        "unfit": old["unfit"],
    }
    DATA.write_text(_as_text(data), encoding="utf-8", newline="\n")
    for library, prefixes in (("numpy", ("np.",)), ("tensorflow", ("tf.", "tnp."))):
        own = {
            version: {name: _words(value) for name, value in one["names"].items() if name.startswith(prefixes)}
            for version, one in tables[library].items()
        }
        snapshot = {
            "newest": newest[library],
            "names": dict(sorted(own[newest[library]].items())),
            "older": _older(own, _same_keywords),
        }
        SNAPSHOTS.mkdir(exist_ok=True)
        (SNAPSHOTS / f"{library}.json").write_text(_as_text(snapshot), encoding="utf-8", newline="\n")


def _by_version(measured: list[dict[str, Any]], library: str) -> dict[str, dict[str, Any]]:
    return {".".join(one[library].split(".")[:2]): one for one in measured if library in one}


def _named(one: dict[str, Any]) -> dict[str, Signature]:
    """The bound signatures, None for functions that do not tell theirs."""
    there = {name.replace("np.", "numpy.", 1): None for name in one["names"] if name.startswith("np.")}
    return there | dict(one["bound"])


def version_key(version: str) -> tuple[int, ...]:
    """The numbers of `2.18`."""
    return tuple(map(int, version.split(".")))


def _older(versions: dict[str, dict[str, Any]], same: Callable[[str, Any, Any], bool]) -> dict[str, dict[str, Any]]:
    """By version what was different from the newest (False for what was not there); names that are gone stay out."""
    *older, newest = sorted(versions, key=version_key)
    table = versions[newest]
    return {
        version: {
            name: versions[version].get(name, False)
            for name in sorted(table)
            if table[name] != versions[version].get(name, False)
            and (name not in versions[version] or not same(name, versions[version][name], table[name]))
        }
        for version in older
    }


def _equal(_: str, old: Any, new: Any) -> bool:
    return bool(old == new)


def _same_for_calls(name: str, old: Any, new: Any) -> bool:
    """Whether a call is bound alike: the docstrings of methods, all there was before NumPy 2.4, lag behind."""
    return name.startswith("numpy.ndarray.") or not old or not new or [one[0] for one in old] == [one[0] for one in new]


def _words(signature: Signature) -> str | None:
    """The names of parameters: `a axis *rest **others`."""
    if signature is None:
        return None
    return " ".join(("*" * (("*", "**").index(kind) + 1) if "*" in kind else "") + name for name, kind, *_ in signature)


def _same_keywords(_: str, old: str | None, new: str | None) -> bool:
    return old is None or new is None or set(old.split()) == set(new.split())


def _as_text(data: dict[str, Any]) -> str:
    """JSON with a name a line."""
    return f"{{\n{_members(data, 1)}\n}}\n"


def _members(data: dict[str, Any], depth: int) -> str:
    lines = []
    for name, value in data.items():
        nested = isinstance(value, dict) and value and name != "measured_on" and not name.startswith("numpy.")
        text = f"{{\n{_members(value, depth + 1)}\n{' ' * depth}}}" if nested else json.dumps(value)
        lines.append(f"{' ' * depth}{json.dumps(name)}: {text}")
    return ",\n".join(lines)


if __name__ == "__main__":
    command, *files = sys.argv[1:]
    if command == "measure":
        Path(files[0]).write_text(json.dumps(measure()), encoding="utf-8")
    else:
        write([json.loads(Path(file).read_text(encoding="utf-8")) for file in files])
