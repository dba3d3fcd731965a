"""Random functions with loops over arrays, as text: what compiled forms are held against NumPy with.

`loop_program(seed)` gives a function `f(x, y, A, k, n)` of two vectors of n floats, a matrix, n integers and their
number. What it does is drawn from statements that real loops are made of: elements stored and read, sums, slices that
grow, windows, masks, branches on data, loops that are left, rows, Python's own max, min and int. Every fifth picks and
stores at whole arrays of places, and solves equations: NumPy raises there for some of the numbers.
"""

from __future__ import annotations

import random

import numpy as np

_SCALARS = ("s", "t")
_DRAWN, _DRAWING = 0.03, 0.6  # of the numbers, and of the loops, in programs that draw
_RAISING = 0.3  # of the numbers and the statements in programs for which NumPy may raise


class _Writer:
    """Draws the statements of one function."""

    def __init__(self, seed: int, *, draws: bool = False) -> None:
        self.draw = random.Random(seed)
        self.draws = draws
        self.raises = seed % 5 == 3 and not draws
        self.lines: list[str] = []
        self.loops = 0

    def pick(self, *texts: str) -> str:
        return self.draw.choice(texts)

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def place(self, counters: list[str]) -> str:
        """An index of a vector."""
        one = self.pick(*counters)
        return self.pick(
            one, one, one, f"{one} - 1", f"n - 1 - {one}", "0", "-1", f"{one} // 2", f"-{one}", f"k[{one}]"
        )

    def number(self, counters: list[str], deep: int = 0) -> str:
        """An expression for a number."""
        if self.draws and self.draw.random() < _DRAWN:
            return self.pick("rng.random()", "rng.normal(0, 1)", "other.normal()", "rng.normal(0, 1, 3).sum()")
        if deep > 1 or self.draw.random() < 0.4:
            where = self.place(counters)
            other = self.pick(*counters)
            return self.pick(
                f"x[{where}]",
                f"y[{where}]",
                f"A[{where}, {other}]",
                f"out[{where}]",
                *_SCALARS,
                other,
                "0.5",
                "3",
                "1e-3",
            )
        left, right = self.number(counters, deep + 1), self.number(counters, deep + 1)
        one = self.pick(*counters)
        if self.raises and self.draw.random() < _RAISING:
            return self.pick(
                f"x[k][{one}]",
                f"np.take(y, k)[{one}]",
                f"A[k, {one}].sum()",
                f"A[{one}].take(k).max()",
                f"np.take_along_axis(A, k[:, None], 1)[{one}, 0]",
                f"np.linalg.solve(A, x)[{one}]",
                f"np.linalg.inv(A)[{one}, 0]",
                f"np.bincount(k, minlength=n)[{one}]",
                "np.power(2, k).sum()",
                f"np.linalg.cholesky(A @ A.T)[{one}, 0]",
                f"np.digitize(y, np.cumsum(A[0] ** 2) + min(A[0, 0], 0.0))[{one}]",
            )
        return self.pick(
            f"({left} + {right})",
            f"({left} - {right})",
            f"{left} * {right}",
            f"{left} / 7",
            f"-{left}",
            f"max({left}, {right})",
            f"min({left}, {right})",
            f"np.sin({left})",
            f"abs({left})",
            f"x[:{one}].sum()",
            f"np.dot(A[{one}, :{one}], x[:{one}])",
            f"(A[{one}] * y).sum()",
            f"x[{one}:{one} + 3].max()",
            f"y[y > {left}].sum()",
            f"np.sqrt(abs({left}))",
            f"({left} if {right} > 0 else {self.pick('0', '1.5', left)})",
            f"x[{one}:].mean()",
            f"np.where(x > {left}, x, y)[{one}]",
            f"float({left})",
            f"h({left}, {right})",
            f"np.argmax(A[{one}])",
            f"x[::-1][{one}]",
            "np.sum([x[j] * y[j] for j in range(n)])",
            f"(k[{one}] % 3 + k[{one}] // 2)",
        )

    def test(self, counters: list[str]) -> str:
        one = self.pick(*counters)
        return self.pick(
            f"{self.number(counters, 1)} > {self.number(counters, 2)}",
            f"{one} % 2 == 0",
            f"x[{one}] < 0.3",
            "s < t",
            f"not x[{one}] < 0.5",
            f"0.2 < x[{one}] < 0.8",
            f"s > 0 and y[{one}] > 0",
            f"m == 2 or k[{one}] > 3",
            "flag",
        )

    def statement(self, indent: int, counters: list[str], deep: int) -> None:
        """Write a statement in a loop."""
        one = self.pick(*counters)
        if self.raises and self.draw.random() < _RAISING:
            stores = ["np.add.at(out, k, x)", "out[k] = y", "out[k] += 0.5", "B[k] = A", f"B[k, {one}] = x"]
            self.write(indent, self.pick(*stores, "np.put(out, k, 0.5)", "out = out[np.argsort(y)]", "c[k] += 1"))
            return
        kind = self.draw.random()
        if kind < 0.15 and deep < 2:
            self.loop(indent, counters, deep + 1)
        elif kind < 0.3 and deep < 3:
            self.write(indent, f"if {self.test(counters)}:")
            self.statement(indent + 1, counters, deep + 1)
            if self.draw.random() < 0.5:
                self.write(indent, "else:")
                self.statement(indent + 1, counters, deep + 1)
        elif kind < 0.4:
            self.write(indent, f"{self.pick(*_SCALARS)} = {self.number(counters)}")
        elif kind < 0.55:
            self.write(indent, f"{self.pick(*_SCALARS)} {self.pick('+', '-')}= {self.number(counters)}")
        elif kind < 0.8:
            self.write(indent, f"out[{self.place(counters)}] {self.pick('', '', '+', '*')}= {self.number(counters)}")
        elif kind < 0.88:
            self.write(indent, f"B[{one}, {self.pick(*counters)}] = {self.number(counters)}")
        else:
            self.write(
                indent,
                self.pick(
                    f"out[:{one}] += {self.number(counters, 1)}",
                    f"B[{one}] = A[{one}] * {self.number(counters, 1)}",
                    f"B[:, {one}] += x",
                    f"out[out > {self.number(counters, 1)}] = 0.25",
                    f"out[{one}:] *= 0.5",
                    "m = m + 1",
                    f"m = int({self.number(counters, 1)}) % 5",
                    f"m += k[{one}]",
                    "s, t = t, s",
                    f"p = (p[1], {self.number(counters, 1)})",
                    f"t = p[0] - {self.number(counters, 1)}",
                    f"w[{one}] = {self.number(counters, 1)}",
                    f"c[k[{one}]] += 1",
                    f"c[{one}] = int({self.number(counters, 1)})",
                    f"flag = {self.test(counters)}",
                    f"out = out + {self.number(counters, 1)}",
                    f"out = np.maximum(out, {self.pick('x', 'y')} * {self.number(counters, 1)})",
                    f"B[{one}, 1:] -= B[{one}, :-1]",
                    "out[1:-1] = 0.5 * (out[2:] + out[:-2])",
                    "t = sum([x[j] for j in range(3)])",
                    f"out[:] = np.array([{self.number(counters, 1)} + x[j] for j in range(n)])",
                    "s = s if abs(s) < 50 else 1.0",
                ),
            )

    def loop(self, indent: int, counters: list[str], deep: int) -> None:
        """Write a loop."""
        self.loops += 1
        name = f"i{self.loops}"
        inner = [*counters, name]
        end = self.pick("n", "n - 1", *counters) if counters else self.pick("n", "n - 1", "3")
        kind = self.draw.random()
        if kind < 0.55:
            self.write(indent, f"for {name} in range({end}):")
        elif kind < 0.7:
            self.write(indent, f"for {name} in {self.pick('range(1, n)', 'range(n - 1, -1, -1)', 'range(0, n, 2)')}:")
        elif kind < 0.8:
            self.write(indent, f"for {name}, row in enumerate(A):")
            self.write(indent + 1, f"out[{name}] = (row * x).sum()")
        elif kind < 0.9:
            self.write(indent, f"for {name}, (u, v) in enumerate(zip(x, y)):")
            self.write(indent + 1, f"s += u {self.pick('*', '-')} v")
        elif kind < 0.95:
            self.converging(indent, inner, name, deep)
            return
        else:
            self.write(indent, f"{name} = 0")
            self.write(
                indent, f"while {name} < n and {self.pick('s < 20.0', 'abs(t) < 9.0', 'x[' + name + '] > 0.1')}:"
            )
            self.statement(indent + 1, inner, deep)
            self.write(indent + 1, f"{name} += 1")
            return
        self.body(indent, inner, deep)

    def converging(self, indent: int, inner: list[str], name: str, deep: int) -> None:
        """Write a loop until something is small, as solvers are written."""
        self.write(indent, f"{name} = 0")
        self.write(indent, f"e{name} = {self.pick('1.0', '1', 'x[0] + 1', 'np.inf')}")
        self.write(indent, self.pick(f"while e{name} > 1e-2:", "while True:", f"while e{name} > 1e-2 and {name} < n:"))
        self.write(indent + 1, f"new = {self.pick('0.5 * (out + x)', 'np.sin(out) * 0.3', '(A @ out) * 0.05')}")
        self.write(indent + 1, f"e{name} = {self.pick('np.max(np.abs(new - out))', 'abs(new - out).sum()')}")
        self.write(indent + 1, "out = new")
        if self.draw.random() < 0.4:
            self.statement(indent + 1, inner, deep)
        self.write(indent + 1, f"{name} += 1")
        self.write(indent + 1, f"if {name} >= n - 1 or {self.test(inner)}:")
        self.write(indent + 2, "break")

    def body(self, indent: int, inner: list[str], deep: int) -> None:
        """Write the statements of a loop."""
        for _ in range(self.draw.randint(1, 3)):
            self.statement(indent + 1, inner, deep)
        if self.draws and self.draw.random() < _DRAWING:
            self.write(indent + 1, self.pick("t = t + rng.normal(0, 1)", "s += rng.random() * t", "s = other.rand()"))
            self.write(indent + 1, self.pick("out = out + rng.random(n)", "w[0] = rng.integers(5)", "m = int(t) % 3"))
        if self.draw.random() < 0.2:
            self.write(indent + 1, f"if {self.test(inner)}:")
            self.write(
                indent + 2, self.pick("break", "continue") if deep or self.draw.random() < 0.8 else "return out, s"
            )
            if self.draw.random() < 0.5:
                self.write(indent + 1, f"t = {self.number(inner, 1)}")

    def products(self) -> None:
        """Write loops whose trips multiply rows, columns and parts of them, and store at their counts."""
        counts = self.pick("n", "n - 1", "1, n", "n - 1, -1, -1", "n - 2, 0, -1", "2")
        self.write(1, f"for i in range({counts}):")
        if self.draw.random() < 0.4:
            self.write(2, f"for j in range({self.pick('n', 'n - 1', '1, n', 'i', 'n - 1, -1, -1')}):")
            for _ in range(self.draw.randint(1, 2)):
                self.write(3, self.stored_product(("i", "j")))
        else:
            for _ in range(self.draw.randint(1, 3)):
                self.write(2, self.stored_product(("i",)))

    def stored_product(self, counters: tuple[str, ...]) -> str:
        """A statement that stores a product at the counts."""
        one, other = counters[0], counters[-1]
        far = self.pick("", "", "", " + 1", " - 1")
        near = self.pick("", "", " + 1")
        vectors = ["x", "y", f"A[{one}]", f"A[:, {other}]", f"A[{one}, :]", f"B[{other}]"]
        vectors += [f"B[{one}{far}]", f"B[:, {other}{far}]"]
        parts = [
            (f"A[{one}{near}:, {other}]", f"B[{one}{near}:, {other}]"),
            (f"A[{one}, :{other}]", f"x[:{other}]"),
            (f"A[{one}, {other}{near}:]", f"out[{other}{near}:]"),
            (f"B[{one}, :{one}]", f"B[:{one}, {other}]"),
            (f"x[{one}:]", f"A[{one}:, {other}]"),
        ]
        pair = self.draw.choice(parts) if self.draw.random() < 0.4 else self.draw.sample(vectors, 2)
        value = self.pick(f"{pair[0]} @ {pair[1]}", f"np.dot({pair[0]}, {pair[1]})", f"({pair[0]} * {pair[1]}).sum()")
        value = self.pick(value, value, f"0.5 * ({value})", f"{value} - B[{one}, {other}]", f"np.tanh({value})")
        if self.draw.random() < 0.3:
            rows = f"{self.pick('x', 'A[' + one + ']', 'A[:, ' + one + ']')} @ {self.pick('A', 'B', 'A.T')}"
            both = self.pick(f"x @ A[:, {one}{near}:]", f"A[:, {one}] @ A[:, {one}{near}:]", f"A[{one}{near}:] @ x")
            return self.pick(
                f"B[{one}] = {rows}",
                f"B[:, {one}] = {rows}",
                f"B[{one}, :] += {rows}",
                f"B[{one}, {one}{near}:] = {both}",
                f"B[{one}{near}:, {one}] = B[{one}, {one}{near}:] = {both}",
            )
        target = self.pick(f"B[{one}, {other}]", f"B[{other}, {one}]", f"out[{other}{far}]", f"out[{one}]")
        return f"{target} {self.pick('', '', '+', '-')}= {value}"


HELPERS = """def h(a, b):
    if a > b:
        return a - b
    return 0.5 * a
"""


def loop_program(seed: int, name: str = "f", *, draws: bool = False) -> str:
    """Give the text of a function, which calls `h` of HELPERS; with `draws` its loops draw, and it does at its end."""
    writer = _Writer(seed, draws=draws)
    if seed % 5 == 4 and not draws:
        writer.write(0, f"def {name}(x, y, A, k, n):")
        writer.write(1, f"out = {writer.pick('np.zeros(n)', 'x + y')}")
        writer.write(1, f"B = {writer.pick('A.copy()', 'np.eye(n)', 'A.T + 1.0')}")
        writer.products()
        writer.write(1, "return out, B")
        return "\n".join(writer.lines) + "\n"
    writer.write(0, f"def {name}(x, y, A, k, n):")
    if draws:
        writer.write(1, "rng, other = np.random.default_rng(n), np.random.RandomState(n)")
    writer.write(1, "out = np.zeros(n)")
    writer.write(1, "B = np.array(A)" if draws else "B = A.copy()")
    writer.write(1, f"s = {writer.pick('0.0', '0', 'x[0]')}")
    writer.write(1, f"t = {writer.pick('1.0', '0.0', 'y[1]')}")
    writer.write(1, f"w = np.zeros(n, {writer.pick('np.float32', 'int', 'bool', 'complex')})")
    writer.write(1, "c = np.zeros(n, int)")
    writer.write(1, f"p = {writer.pick('(0.0, 1.0)', '(x[0], 1.0)', '(0, 1.0)')}")
    writer.write(1, f"flag = {writer.pick('False', 'x[0] > 0.5')}")
    writer.write(1, "m = 0")
    if writer.draw.random() < 0.1:
        writer.write(1, "rows = []")
        writer.write(1, "for r in range(n):")
        writer.write(2, f"rows.append({writer.pick('x[r]', 'A[r] * x', 'x[r] + y[n - 1 - r]')})")
        writer.write(1, f"s = {writer.pick('np.array(rows).sum()', 's')}")
    for _ in range(writer.draw.randint(1, 2)):
        writer.loop(1, [], 0)
    writer.write(1, f"return out, B, s, t, m, w, c, p, flag{', rng.random(), other.rand()' if draws else ''}")
    return "\n".join(writer.lines) + "\n"


def loop_inputs(seed: int, n: int = 7, *, raising: bool = False) -> dict[str, object]:
    """Give arguments of such a function; other seeds give other numbers of the same kinds.

    `raising` ones have places out of range and a matrix of rank 1.
    """
    numbers = np.random.default_rng(seed)
    found: dict[str, object] = {
        "x": numbers.random(n),
        "y": numbers.normal(size=n),
        "A": numbers.normal(size=(n, n)),
        "k": numbers.integers(0, n, n),
        "n": n,
    }
    if raising:
        found["A"] = np.outer(numbers.integers(1, 9, n), numbers.integers(1, 9, n)).astype(float)
        found["k"] = numbers.integers(-n - 2, n + 2, n)
    return found
