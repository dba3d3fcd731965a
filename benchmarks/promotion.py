"""Result dtypes and values of operators in each mode of TensorFlow's NumPy behaviour: docs/promotion.md.

    python benchmarks/promotion.py --output docs/promotion.md

A mode is global to a process, so each has one of its own. What still differs in the mode that the helper module
switches on is translated by the tool, with the types in sight, and run: the page says what becomes of each group.
"""

from __future__ import annotations

import argparse
import json
import operator
import os
import subprocess
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "promotion.md"
MODES: dict[str, dict[str, Any]] = {
    "legacy": {},
    "legacy, prefer_float32": {"prefer_float32": True},
    "all": {"dtype_conversion_mode": "all"},
    "all, prefer_float32": {"dtype_conversion_mode": "all", "prefer_float32": True},
    "safe": {"dtype_conversion_mode": "safe"},
}
SWITCHED_ON = "legacy"  # what helpers.py writes
DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "<": operator.lt, "==": operator.eq, "&": operator.and_,
}  # fmt: skip
PYTHON = ["True", "2", "-1", "300", "1.5", "2j"]
LISTS = ["[3, 1, 2]", "[1.5, 2.0, 0.5]"]
GROUPS = {
    "arrays": "array and array",
    "python": "array and Python number",
    "scalar": "array and NumPy scalar",
    "zero": "array and 0-d array",
    "list": "array and list",
}


@dataclass(frozen=True)
class Case:
    """One operation: its group, and its operands as the user writes them."""

    group: str
    left: str
    symbol: str
    right: str

    def program(self, name: str) -> str:
        """The operation as a function whose types can be seen."""
        left, right = (
            text if self.group == "python" and "np." not in text else variable
            for text, variable in ((self.left, "x"), (self.right, "y"))
        )
        return f"def {name}():\n    x = {self.left}\n    y = {self.right}\n    return {left} {self.symbol} {right}\n"


def cases() -> Iterator[Case]:
    """Every operator on every pair of kinds of operands, from either side."""
    for symbol in OPERATORS:
        for left in DTYPES:
            first = array(left, [1, 2, 3])
            for right in DTYPES:
                yield Case("arrays", first, symbol, array(right, [3, 1, 2]))
                yield Case("zero", first, symbol, f"np.array({value(right, 2)}, dtype=np.{right})")
                yield Case("scalar", first, symbol, f"np.{right}({value(right, 2)})".replace("np.bool(", "np.bool_("))
            for group, texts in (("python", PYTHON), ("list", LISTS)):
                for other in texts:
                    yield Case(group, first, symbol, other)
                    yield Case(group, other, symbol, first)


def array(dtype: str, values: list[int]) -> str:
    """The text of an array; bools are all true, because some operators divide by them."""
    return f"np.array([{', '.join(value(dtype, one) for one in values)}], dtype=np.{dtype})"


def value(dtype: str, number: int) -> str:
    """The text of a number; every bool is true."""
    return "True" if dtype == "bool" else str(number)


def outcome(run: Any) -> list[Any]:
    """The dtype and the values of a result, or the name of the error."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = run()
            found = np.asarray(result)
    except Exception as error:  # noqa: BLE001  # which one is what is recorded
        return ["raises", type(error).__name__]
    dtype = result.dtype.name if hasattr(result, "dtype") else found.dtype.name
    return [dtype, [[one.real, one.imag] for one in np.ravel(found).astype(np.complex128).tolist()]]


def verdict(expected: list[Any], actual: list[Any]) -> str:
    """How TensorFlow's outcome stands beside NumPy's."""
    if expected[0] == "raises" or actual[0] == "raises":
        same = expected[0] == actual[0]
        return "equal" if same else "raises" if actual[0] == "raises" else "no error"
    if expected[0] != actual[0]:
        return "dtype"
    tolerance = 1e-2 if expected[0] == "float16" else 1e-5
    parts = np.ravel(expected[1])
    noise = tolerance * np.max(np.abs(parts[np.isfinite(parts)]), initial=0)  # beside a complex number's larger part
    same_shape = np.shape(expected[1]) == np.shape(actual[1])
    close = same_shape and np.allclose(expected[1], actual[1], tolerance, noise)
    return "equal" if close else "value"


def operands(case: Case, *, tensors: bool) -> list[Any]:
    """The operands as objects; arrays as tensors where asked, all else as translated code has it."""
    found = [eval(text, {"np": np}) for text in (case.left, case.right)]  # noqa: S307  # texts of this file
    if tensors:
        import tensorflow as tf

        found = [tf.constant(one) if isinstance(one, np.ndarray) else one for one in found]
    return found


def measure(mode: str) -> None:
    """Print the outcome of each case in a mode."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    import tensorflow.experimental.numpy as tnp

    tnp.experimental_enable_numpy_behavior(**MODES[mode])
    found = [outcome(lambda c=case: OPERATORS[c.symbol](*operands(c, tensors=True))) for case in cases()]
    print(json.dumps({"tensorflow": tf.__version__, "outcomes": found}))


def translated(chosen: list[Case]) -> list[tuple[list[Any], str]]:
    """Translate cases with the tool; give the outcome of each and the codes of what the tool says."""
    from tnp_migrate.program.config import Config
    from tnp_migrate.project import migrate
    from tnp_migrate.text.discovery import discover

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "operations.py"
        path.write_text("import numpy as np\n" + "".join(one.program(f"f{i}") for i, one in enumerate(chosen)))
        project = migrate(discover([path]), Config())
        for place, text in project.outputs.items():
            Path(place).write_bytes(text)
        codes = defaultdict(set)
        for finding in project.reports[0].findings:
            codes[(finding.line - 2) // 4].add(finding.code)
        sys.path.insert(0, folder)
        import operations

        return [(outcome(getattr(operations, f"f{i}")), " ".join(sorted(codes[i]))) for i in range(len(chosen))]


def run_mode(mode: str) -> dict[str, Any]:
    """Measure a mode in a process of its own."""
    command = [sys.executable, __file__, "--mode", mode]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def page(expected: list[list[Any]], modes: dict[str, dict[str, Any]]) -> str:
    """The page: shares by mode, the mode to switch on, and what becomes of what still differs there."""
    every = list(cases())
    told = [place for place, one in enumerate(expected) if one[0] != "raises"]
    verdicts = {mode: list(map(verdict, expected, one["outcomes"])) for mode, one in modes.items()}
    best = max(verdicts, key=lambda mode: sum(verdicts[mode][place] == "equal" for place in told))
    version = modes[SWITCHED_ON]["tensorflow"]
    lines = [
        "# Type promotion",
        "",
        "<!-- Measured: run `python benchmarks/promotion.py`. -->",
        "",
        f"What `x <operator> y` gives, for {len(OPERATORS)} operators and {len(DTYPES)} dtypes, in each mode of",
        f"`tnp.experimental_enable_numpy_behavior`, beside NumPy: TensorFlow {version} and NumPy {np.__version__}.",
        f"Counted is an equal dtype with equal values, where NumPy has a result: {len(told)} of {len(every)} cases.",
        "",
        f"| operands | {' | '.join(modes)} |",
        f"|---|{'---:|' * len(modes)}",
    ]
    for group, name in [*GROUPS.items(), ("", "all")]:
        places = [place for place in told if group in ("", every[place].group)]
        equal = [sum(verdicts[mode][place] == "equal" for place in places) for mode in modes]
        lines.append(f"| {name} | {' | '.join(f'{one} of {len(places)} ({one / len(places):.1%})' for one in equal)} |")
    place = "the one" if best == SWITCHED_ON else "not the one"
    lines += ["", f"The mode that equals NumPy most is **{best}**: {place} that the helper module switches on.", ""]
    return "\n".join(lines + remaining(every, expected, verdicts[SWITCHED_ON])) + "\n"


def remaining(every: list[Case], expected: list[list[Any]], verdicts: list[str]) -> list[str]:
    """What differs in the mode that is switched on, and what the tool makes of it."""
    chosen = [place for place, one in enumerate(verdicts) if one != "equal" and expected[place][0] != "raises"]
    ended = translated([every[place] for place in chosen])
    rows: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    examples: dict[tuple[str, ...], str] = {}
    totals: Counter[str] = Counter()
    for place, (actual, codes) in zip(chosen, ended, strict=True):
        case = every[place]
        after = verdict(expected[place], actual)
        end = "equal" if after == "equal" else f"flagged ({codes})" if codes else after
        key = (case.symbol, GROUPS[case.group], verdicts[place])
        rows[key][end] += 1
        totals["equal" if after == "equal" else "flagged" if codes else "left"] += 1
        if end != "equal" or key not in examples:
            examples[key] = f"`{case.left} {case.symbol} {case.right}`"
    lines = [
        "## What still differs, and what the tool does",
        "",
        "Each case of that mode that is not NumPy's, translated with the types in sight and run: `equal` is rewritten",
        "so that the result is NumPy's, `flagged` is reported under that code, `raises` is an error of TensorFlow's",
        "where NumPy has a result, `dtype` and `value` differ without a word.",
        "",
        f"Of {len(chosen)} cases {totals['equal']} are equal after translation, {totals['flagged']} are flagged,",
        f"{totals['left']} are left.",
        "",
        "| operator | operands | differs by | cases | after translation | example |",
        "|---|---|---|---:|---|---|",
    ]
    for key, counts in sorted(rows.items()):
        ends = ", ".join(f"{count} {end}" for end, count in sorted(counts.items()))
        lines.append(f"| `{key[0]}` | {key[1]} | {key[2]} | {sum(counts.values())} | {ends} | {examples[key]} |")
    return lines


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=PAGE)
    parser.add_argument("--mode", choices=MODES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.mode:
        measure(options.mode)
        return
    expected = [outcome(lambda c=case: OPERATORS[c.symbol](*operands(c, tensors=False))) for case in cases()]
    modes = {mode: run_mode(mode) for mode in MODES}  # 25 s each
    options.output.write_text(page(expected, modes), encoding="utf-8")


if __name__ == "__main__":
    main()
