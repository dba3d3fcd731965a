"""Translate the kernels of NPBench with `--stage functional` and compare them with the originals bit for bit.

Takes a checkout of NPBench. Both run on NumPy with the chosen preset; every result and every argument afterwards must
have the same type, dtype, shape and bytes. A second run lets the vendored helpers copy an array before they write to
it: what the kernel returns must not lean on a store that is seen through another name. `left` counts the item
assignments that the translation still has. For published libraries,
`libraries.py --stage functional` runs their own tests.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from npbench_files import inputs_of, kernels, leaves, load, returned_parameters, translate
from tool import ROOT

HELPERS = "_tnp_helpers"


def identical(expected: Any, actual: Any) -> bool:
    """Whether two values have the same type, and arrays the same dtype, shape and bytes."""
    if isinstance(expected, (tuple, list)):
        return len(expected) == len(actual) and all(map(identical, expected, actual))
    if isinstance(expected, (np.ndarray, np.generic)):
        kind, other = (type(expected), expected.dtype, expected.shape), (type(actual), actual.dtype, actual.shape)
        return kind == other and expected.tobytes() == actual.tobytes()
    return type(expected) is type(actual) and repr(expected) == repr(actual)


def copying(function: Any) -> Any:
    """Wrap an update so that it writes to a copy, as an update of a tensor does."""
    return lambda x, *rest, **words: function(x.copy() if isinstance(x, np.ndarray) else x, *rest, **words)


def let_helpers_copy() -> None:
    """Let the helpers that were imported last copy what they write to."""
    helpers = sys.modules.get(HELPERS)
    for name, value in list(vars(helpers).items()) if helpers else ():
        if callable(value) and getattr(value, "__module__", "") == HELPERS:
            setattr(helpers, name, copying(value))


def compare(info: dict[str, Any], folder: Path, files: tuple[Path, Path], returned: list[str], preset: str) -> str:
    """Run one kernel before and after; say what differs, or nothing."""
    inputs = inputs_of(info, folder, preset)
    changed, passed = copy.deepcopy(inputs), copy.deepcopy(inputs)
    expected = leaves(getattr(load(files[0]), info["func_name"])(*changed.values()))
    expected += [changed[name] for name in returned]
    translated = getattr(load(files[1]), info["func_name"])
    if not identical(expected, leaves(translated(*passed.values()))):
        return "results differ"
    if not identical(list(changed.values()), list(passed.values())):
        return "arguments differ"
    if "= tnh." in files[1].read_text(encoding="utf-8"):
        let_helpers_copy()
        if not identical(expected, leaves(translated(*copy.deepcopy(inputs).values()))):
            return "results lean on shared stores"
    return ""


def row_of(name: str, place: tuple[Path, Path], work: Path, returned: list[str], preset: str) -> tuple[int, str]:
    """Count the updates of one translated kernel, and compare it with the original."""
    before, after = work / "before" / f"{name}_numpy.py", work / "after" / f"{name}_numpy.py"
    info = json.loads(place[0].read_text(encoding="utf-8"))["benchmark"]
    sys.path.insert(0, str(place[1]))
    try:
        trouble = compare(info, place[1], (before, after), returned, preset)
    except Exception as error:  # noqa: BLE001 - whatever a kernel raises is its result
        trouble = f"{type(error).__name__}: {error}".split("\n", maxsplit=1)[0][:150]
    finally:
        sys.path.remove(str(place[1]))
        sys.modules.pop(HELPERS, None)
    return len(re.findall(r"= tnh\.(?!Stores)", after.read_text(encoding="utf-8"))), trouble


def stores_left(path: Path) -> int:
    """Count the item assignments that a file still has."""
    count = 0
    tree = ast.parse(path.read_bytes())
    kept = {ast.unparse(one.targets[0]) for one in ast.walk(tree) if isinstance(one, ast.Assign) and _is_kept(one)}
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            parts = [part for target in targets if target for part in ast.walk(target)]
            count += any(isinstance(part, ast.Subscript) and ast.unparse(part.value) not in kept for part in parts)
    return count


def _is_kept(node: ast.Assign) -> bool:
    """Whether an assignment makes what a loop keeps its stores in."""
    return ast.unparse(node.value).startswith("tnh.Stores(")


def main() -> None:
    """Translate, run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of NPBench")
    parser.add_argument("kernels", nargs="*", help="names of kernels, such as jacobi_2d; default all")
    parser.add_argument("--preset", default="S", choices=["S", "M", "L", "paper"])
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "functional", help="where the copies go")
    arguments = parser.parse_args()
    found = kernels(arguments.checkout.resolve(), arguments.kernels)
    if not found:
        sys.exit("no kernel found: is this a checkout of NPBench?")
    work = arguments.work.resolve()
    report = translate(found, work, "functional")
    returned = returned_parameters(report)
    left = {name: stores_left(work / "after" / f"{name}_numpy.py") for name in found}
    sys.path.insert(0, str(work / "after"))
    print(f"{'kernel':<28}{'updates':>8} {'left':>5}  result")
    good = updated = 0
    for name, place in found.items():
        updates, trouble = row_of(name, place, work, returned.get(name, []), arguments.preset)
        good += not trouble
        updated += updates > 0
        print(f"{name:<28}{updates:>8}{left[name]:>6}  {trouble or 'identical'}", flush=True)
    storing = sum(count > 0 for count in left.values())
    print(f"{len(found)} kernels, {good} bit-identical; {updated} with functional updates, {storing} that still store")
    sys.exit(0 if good == len(found) else 1)


if __name__ == "__main__":
    main()
