"""Write random NumPy programs that alias, view and mutate arrays; each one runs on NumPy, whatever it computes.

A program grows one statement at a time, and keeps a statement if it still runs. Each one is written with a random
subset of the statement kinds (swarm testing): programs without aliases are as frequent as tangled ones.
"""

import textwrap
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from program_pieces import Pieces

BOX = """
class Box:
    def __init__(self, x):
        self.x = x

    def put(self, i, v):
        self.x[i] = v

    def grow(self, v):
        self.x += v
        return self.x
"""
LARGEST = 1e6
NAMES = "abcdefgh"


class Generator(Pieces):
    """Writes the statements of one `run` function."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.helpers: list[str] = []
        self.definitions: list[str] = []
        for number in range(random.randint(0, 3)):
            name = f"{random.choice('hhgkk')}{number}"
            self.definitions.append(self.helper(name, self.helpers))
            self.helpers.append(name)
        kinds = list(STATEMENTS)
        self.kinds = [kind for kind in kinds if random.random() < 0.4] + [store, augmented_store]

    def program(self, size: int) -> str:
        """Return the source of one module."""
        lines = [f"{name} = {self.new_array()}" for name in NAMES[: self.random.randint(1, 3)]]
        self.values = evaluate(self.source(lines)) or {}
        for _ in range(size):
            candidate = lines + self.statement(0)
            values = evaluate(self.source(candidate))
            if values is not None:
                lines, self.values = candidate, values
        return self.source(lines, self.result())

    def statement(self, depth: int) -> list[str]:
        kind = self.random.choice(self.kinds)
        if depth > 1 and kind in COMPOUND:
            kind = store
        return kind(self, depth).splitlines()

    def block(self, depth: int, known: dict[str, Any] | None = None) -> str:
        """Return an indented body; its statements may use what `known` binds."""
        before = self.values
        self.values = {**before, **(known or {})}
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth + 1)]
        self.values = before
        return textwrap.indent("\n".join(lines), "    ")

    def source(self, lines: list[str], result: str = "return locals()") -> str:
        parts = ["import numpy as np", BOX if any("Box(" in line for line in lines) else "", *self.definitions]
        body = textwrap.indent("\n".join([*lines, result]), "    ")
        return "\n\n\n".join(part.strip() for part in [*parts, f"def run():\n{body}"] if part) + "\n"

    def result(self) -> str:
        """Return the final state of all variables, or of some, so that others die early."""
        names = [name for name, value in self.values.items() if not callable(value)]
        if self.random.random() < 0.3:
            names = self.random.sample(names, self.random.randint(1, len(names)))
        boxes = {name for name in names if type(self.values[name]).__name__ == "Box"}
        items = ", ".join(f'"{name}": {name}.x' if name in boxes else f'"{name}": {name}' for name in names)
        return f"return {{{items}}}"

    def fresh_name(self) -> str:
        return self.random.choice(NAMES)


def create(g: Generator, _: int) -> str:
    return f"{g.fresh_name()} = {g.new_array()}"


def copied(g: Generator, _: int) -> str:
    return f"{g.fresh_name()} = {g.copy(g.array())}"


def alias(g: Generator, _: int) -> str:
    return f"{g.fresh_name()} = {g.array()}"


def view(g: Generator, _: int) -> str:
    return f"{g.fresh_name()} = {g.view(g.array())}"


def scalar(g: Generator, _: int) -> str:
    a = g.array()
    return f"{g.random.choice('st')} = {g.random.choice([f'{a}[0]', f'{a}.sum()', f'{a}.max()', f'len({a})'])}"


def store(g: Generator, _: int) -> str:
    a = g.array()
    return f"{a}[{g.index(a)}] = {g.value(a)}"


def augmented_store(g: Generator, _: int) -> str:
    a = g.array()
    return f"{a}[{g.index(a)}] {g.random.choice(['+=', '-=', '*=', '+='])} {g.value(a)}"


def augmented(g: Generator, _: int) -> str:
    a = g.array()
    return f"{a} {g.random.choice(['+=', '-=', '*=', '/='])} {g.random.choice(['2', '1', '4', g.value(a)])}"


def through_view(g: Generator, _: int) -> str:
    v = g.view(g.array())
    return (
        f"{v}[{g.random.choice(['0', '-1', '1:', '...', '::2'])}] {g.random.choice(['=', '+=', '*='])} {g.constant()}"
    )


def mutating_call(g: Generator, _: int) -> str:
    a, b, c = g.array(), g.array(), g.constant()
    forms = [f"{a}.fill({c})", f"{a}.sort()", f"np.add({a}, {b}, out={a})", f"np.multiply({b}, 2, out={a})"]
    forms += [f"np.copyto({a}, {b})", f"np.add.at({a}, [0, 0], {c})", f"np.put({a}, [0, 1], {c})"]
    forms += [f"np.fill_diagonal({a}, {c})", f"{a}.flat[1] = {c}", f"np.putmask({a}, {a} > 1, {c})"]
    forms += [f"np.negative({a}[0], out={a}[1])", f"np.clip({a}, 0, 2, out={a})", f"np.copyto({a}[1:], {c})"]
    return g.random.choice(forms)


def swap(g: Generator, _: int) -> str:
    a, b = g.array(), g.array()
    forms = [f"{a}, {b} = {b}, {a}", f"{a}[0], {a}[1] = {a}[1], {a}[0]", f"{a}[[0, 1]] = {a}[[1, 0]]"]
    forms += [f"t = {a}[0]\n{a}[0] = {a}[-1]\n{a}[-1] = t", f"{a}[0], {b}[0] = {b}[0], {a}[-1]", f"{a}[:-1] = {a}[1:]"]
    return g.random.choice(forms)


def call(g: Generator, _: int) -> str:
    if not g.helpers:
        return store(g, 0)
    forms = [called(g)] * 3 + [f"{g.fresh_name()} = {called(g)}", f"s = {called(g)} + {called(g)}"]
    forms += [f"{g.fresh_name()}, t = {called(g)}", f"{g.array()}[0] = {called(g)}", f"t = [{called(g)}, {called(g)}]"]
    forms += [f"{g.fresh_name()} = {called(g, called(g))}", f"{g.fresh_name()} = {called(g)}[0]"]
    return g.random.choice(forms)


def called(g: Generator, first: str | None = None) -> str:
    """Return a call of a helper function."""
    name = g.random.choice(g.helpers)
    second = g.argument() if name.startswith("g") else g.random.choice(["1", "2", "0.5", "3", "v=2"])
    if name.startswith("k"):
        flags = ["copy=False", "copy=True", f"copy={g.array()}.sum() > 2", f"out={g.array()}", "**{'copy': False}"]
        second += f", {g.random.choice(flags)}" if g.random.random() < 0.7 else ""
    return f"{name}({first or g.argument()}, {second})"


def make_list(g: Generator, _: int) -> str:
    items = [g.random.choice([g.array(), g.new_array(), g.view(g.array())]) for _ in range(g.random.randint(1, 3))]
    return f"{g.random.choice(['xs', 'ys'])} = [{', '.join(items)}]"


def use_list(g: Generator, _: int) -> str:
    lists = [name for name in g.names(list) if name in {"xs", "ys"}]
    if not lists:
        return make_list(g, 0)
    xs = g.random.choice(lists)
    forms = [
        f"{xs}.append({g.array()})",
        f"{xs}[0] = {g.array()}",
        f"{xs}[0] = {xs}[-1]",
        f"ys = {xs}",
        f"ys = list({xs})",
    ]
    forms += [f"{g.fresh_name()} = {xs}.pop()", f"ys = [e * 2 for e in {xs}]", "xs[0], xs[-1] = xs[-1], xs[0]"]
    forms += [f"for e in {xs}:\n    e[0] {g.random.choice(['+=', '='])} {g.constant()}", f"for e in {xs}:\n    e += 1"]
    return g.random.choice(forms)


def use_dict(g: Generator, _: int) -> str:
    if not g.names(dict):
        return f'd = {{"p": {g.array()}, "q": {g.new_array()}}}'
    forms = [f'd["{key}"] = {g.array()}' for key in "pqr"] + [
        'd["p"][0] = 4',
        'd["q"] += 1',
        f'd["r"] = {g.new_array()}',
    ]
    forms += ["for k in d:\n    d[k] *= 2", "for w in d.values():\n    w[0] = 1", 'd["p"], d["q"] = d["q"], d["p"]']
    return g.random.choice(forms)


def use_box(g: Generator, _: int) -> str:
    if not any(type(value).__name__ == "Box" for value in g.values.values()):
        return f"o = Box({g.argument()})"
    a = g.fresh_name()
    forms = [
        f"o.put({g.random.choice(['0', '-1', '1'])}, {g.constant()})",
        "o.grow(2)",
        f"{a} = o.grow(1)",
        f"{a} = o.x",
    ]
    return g.random.choice([*forms, f"o.x = {g.array()}", f"o.x[0] = {g.constant()}", "o.x *= 2", "o.x = o.x[1:]"])


def closure(g: Generator, _: int) -> str:
    a = g.random.choice(g.names(np.ndarray) or ["a"])
    body = g.random.choice(
        [f"{a}[i] = w", f"{a}[i] += w\n    return {a}[i]", f"{a}[...] = w", f"nonlocal {a}\n    {a} += w"]
    )
    uses = ["put(0, 2)", "put(-1, 5)", "s = put(1, 1)"]
    return "\n".join(["def put(i, w):", f"    {body}", *g.random.sample(uses, 2)])


def branch(g: Generator, depth: int) -> str:
    text = f"if {g.condition()}:\n{g.block(depth)}"
    return text if g.random.random() < 0.5 else f"{text}\nelse:\n{g.block(depth)}"


def counted_loop(g: Generator, depth: int) -> str:
    i = "ij"[depth % 2]
    body = g.block(depth, {i: 0})
    leave = g.random.choice(["", "", f"\n    if {g.condition()}:\n        {g.random.choice(['break', 'continue'])}"])
    tail = f"\n{g.block(depth, {i: 0})}" if leave else ""
    return f"for {i} in range({g.random.randint(2, 3)}):\n{body}{leave}{tail}"


def row_loop(g: Generator, depth: int) -> str:
    a, b = g.array(), g.array()
    first, second = g.look(f"{a}[0]"), g.look(f"{b}[0]")
    forms = {f"for row in {a}:": {"row": first}, f"for i, row in enumerate({a}):": {"row": first, "i": 0}}
    forms |= {f"for row, other in zip({a}, {b}):": {"row": first, "other": second}}
    header, known = g.random.choice(list(forms.items()))
    simple = g.random.choice(["row += 1", "row[0] = 2", "row[...] = 3", "row *= 2", "row = row + 1", f"s = {a}.sum()"])
    body = f"    {simple}" if g.random.random() < 0.5 else g.block(depth, known)
    return f"{header}\n{body}"


def while_loop(g: Generator, depth: int) -> str:
    n = f"n{depth}"
    return f"{n} = {g.random.randint(2, 3)}\nwhile {n} > 0:\n{g.block(depth)}\n    {n} -= 1"


def guarded(g: Generator, depth: int) -> str:
    a = g.array()
    raising = g.random.choice([f"{a}[9] = 1", f"{a} += 0.5", f"{a}[0] = 1", f"{a}[:] = [1, 2, 3, 4, 5, 6, 7]"])
    text = f"try:\n    {store(g, 0)}\n    {raising}\nexcept (IndexError, TypeError, ValueError):\n{g.block(depth)}"
    return text if g.random.random() < 0.6 else f"{text}\nfinally:\n{g.block(depth)}"


COMPOUND = (branch, counted_loop, row_loop, while_loop, guarded)
STATEMENTS: tuple[Callable[[Generator, int], str], ...] = (create, copied, alias, view, scalar, store, augmented_store)
STATEMENTS += (
    augmented,
    through_view,
    mutating_call,
    swap,
    call,
    call,
    make_list,
    use_list,
    use_dict,
    use_box,
    closure,
)
STATEMENTS += COMPOUND


def evaluate(source: str) -> dict[str, Any] | None:
    """Run a program on NumPy; None where it raises or its numbers leave the range where arithmetic is exact."""
    module: dict[str, Any] = {"__name__": "program"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            exec(source, module)
            values: dict[str, Any] = module["run"]()
        except Exception:  # noqa: BLE001 - any program that does not run is of no use
            return None
    return values if all(is_tame(value) for value in values.values()) else None


def is_tame(value: Any, around: tuple[int, ...] = ()) -> bool:
    """Whether all numbers are finite and small, and nothing contains itself; `around` identifies what it stands in."""
    if id(value) in around:
        return False
    inside = (*around, id(value))
    if isinstance(value, np.ndarray) and value.dtype.kind not in "bif":
        return False
    if isinstance(value, np.ndarray | np.number | int | float):
        return bool(np.isfinite(value).all() and (np.abs(value) < LARGEST).all() and np.ndim(value) < 5)
    if isinstance(value, list | tuple):
        return len(value) < 8 and all(is_tame(item, inside) for item in value)
    if isinstance(value, dict):
        return all(is_tame(item, inside) for item in value.values())
    return not hasattr(value, "x") or is_tame(value.x, inside)


def generate(seed: int, number: int) -> str:
    """Return program `number` of a seed; the same two numbers give the same program."""
    random = Random(f"{seed}:{number}")
    while True:
        source = Generator(random).program(random.randint(3, 10))
        if evaluate(source) is not None:
            return source
