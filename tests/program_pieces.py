"""Random pieces of NumPy source: arrays, views, indices, values and helper functions that write to their arguments."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

FILLS = (  # what a helper function does to its array `x` with the number `v`
    "x[0] = v",
    "x[-1] += v",
    "x += v",
    "x *= 2",
    "x[x > v] = v",
    "x[1:] = x[:-1]",
    "x[...] = v",
    "x[::2] -= x[0]",
    "x.fill(v)",
    "x.sort()",
    "np.add(x, v, out=x)",
    "x = x + v",
    "x = x[1:]",
    "x = x[::-1]",
    "tail = x[1:]\ntail *= 2",
    "turned = x.T\nturned[0] = v",
    "flat = x.reshape(-1)\nflat[0] = v",
    "same = x\nsame[0] = v\nsame = same + 1",
    "for row in x:\n    row += v",
    "for i in range(len(x)):\n    x[i] = x[i] * 2 + i",
    "for i in range(1, len(x)):\n    if i > v:\n        break\n    x[i] += x[i - 1]",
    "if v > 1:\n    x[0] = v\nelse:\n    x -= 1",
    "if v > 2:\n    return x",
    "if x.sum() > 6:\n    return x[0]",
    "try:\n    x[v] = 9\nexcept IndexError:\n    x[0] = -9",
    "old = x\nx = x * 2\nold[0] = v",
    "if v > 1:\n    x = x.copy()",
    "for _ in range(2):\n    x[0] += v\n    x = x + 0",
    "try:\n    x = x / (v - 1)\n    x = x[7]\nexcept IndexError:\n    pass",
)
FLAGGED = (  # what it does where its caller says so
    "if copy:\n    x = x.copy()",
    "if copy:\n    x = x + 0\nelse:\n    x += v",
    "if not copy:\n    x[0] = v",
    "x = x.copy() if copy else x",
    "same = x if copy else x[1:]\nx = x * 1\nsame[0] = v",
    "copy = not copy",
    "if copy and v > 1:\n    return x * 2",
    "if out is None:\n    out = np.zeros_like(x)\nout[...] = x",
    "if out is not None:\n    x = out",
    "while not copy:\n    x[-1] = v\n    x = x.copy()\n    copy = True",
)
PAIRS = (  # what a helper function does to two arrays
    "x += y",
    "x[0] = y[0]",
    "x[...] = y",
    "x[:], y[:] = y, x",
    "y[0] = x[-1]\nx[0] = 5",
    "t = x.copy()\nx[...] = y\ny[...] = t",
    "x, y = y, x\nx[0] = 3",
    "for p, q in zip(x, y):\n    p += q",
    "np.multiply(x, 2, out=y)",
    "if x[0].sum() > 1:\n    x = y\nx[-1] = 4",
)
RETURNS = ("", "", "", "return x", "return x[0]", "return x.sum()", "return x, v", "return x[1:]", "return x.copy()")
PAIR_RETURNS = ("", "", "return x", "return y", "return x, y", "return x + y", "return x[0]")
VIEWS = (
    "{0}[1:]",
    "{0}[:-1]",
    "{0}[::2]",
    "{0}[::-1]",
    "{0}.T",
    "{0}.reshape(-1)",
    "{0}.ravel()",
    "{0}[0]",
    "{0}[-1]",
    "{0}[:, 0]",
    "{0}[:, 1:]",
    "{0}[..., 1]",
    "{0}[None]",
    "{0}[1:][:1]",
    "{0}[1:].T",
    "{0}.swapaxes(0, 1)",
    "np.transpose({0})",
    "np.asarray({0})",
    "{0}.squeeze()",
    "np.flip({0})",
)
COPIES = ("{0}.copy()", "np.array({0})", "{0} + 1", "{0} * 2", "{0} - {0}[0]", "np.zeros_like({0})", "{0}.flatten()")
COPIES += ("np.where({0} > 1, {0}, 0)", "{0}.astype(float)", "{0}[[0, 1]]", "{0}[{0} > 0]", "-{0}", "np.abs({0})")
BASIC = (":", "1:", ":-1", "::2", "::-1", "-1:", "0", "1", "-1", "0", "1", "-2")


@dataclass
class Pieces:
    """Writes pieces of one program; `values` holds what its variables are at this point."""

    random: Random
    values: dict[str, Any] = field(default_factory=dict)

    def names(self, kind: type | tuple[type, ...]) -> list[str]:
        return [name for name, value in self.values.items() if isinstance(value, kind)]

    def array(self) -> str:
        """Return an array that exists: mostly a name, sometimes an item of a container or an attribute."""
        places = self.names(np.ndarray) * 3
        for name, value in self.values.items():
            if isinstance(value, list) and value:
                places.append(f"{name}[{self.random.choice([0, -1, len(value) - 1])}]")
            elif isinstance(value, dict):
                places += [f'{name}["{key}"]' for key in value]
            elif hasattr(value, "x"):
                places.append(f"{name}.x")
        return self.random.choice(places or ["a"])

    def new_array(self) -> str:
        """Return an expression that makes an array."""
        pick = self.random
        n, m = pick.randint(2, 4), pick.randint(2, 4)
        shape = pick.choice([f"{n}", f"({n}, {m})", f"({n}, {m})", f"({n}, 2, {m})"])
        forms = [f"np.zeros({shape})", f"np.ones({shape})", f"np.full({shape}, {self.constant()})"]
        forms += [f"np.arange({n + 1})", f"np.arange({n}.0)", f"np.arange({n * m}).reshape({n}, {m})"]
        forms += [f"np.arange({n * m}.0).reshape({n}, {m})", f"np.zeros({shape}, dtype=int)"]
        forms += [f"np.ones({shape}, dtype=np.float32)", "np.array([3, 1, 2])", "np.array([[1.5, -2.0], [0.5, 4.0]])"]
        return pick.choice(forms)

    def constant(self) -> str:
        return self.random.choice(["0", "1", "2", "5", "-1", "0.5", "1.5", "-2.5", "7.75"])

    def view(self, of: str) -> str:
        return self.random.choice(VIEWS).format(of)

    def copy(self, of: str) -> str:
        return self.random.choice(COPIES).format(of)

    def index(self, of: str) -> str:
        """Return what stands between the brackets of a store to `of`."""
        pick = self.random
        value = self.look(of)
        rank = getattr(value, "ndim", 1)
        counters = [name for name in self.names(int) if name in {"i", "j"}]
        roll = pick.random()
        if roll < 0.12:
            return f"{of} {pick.choice(['>', '<', '=='])} {pick.choice(['1', '0', '2'])}"
        if roll < 0.2:
            return pick.choice(["[0, -1]", "[0, 0]", "[1, 0]", "[0, 1], [1, 0]", "[0, 1], 0", ":, [0, -1]"])
        if roll < 0.28:
            return pick.choice(["...", "..., 0", "..., ::-1", "None, 0", ":, None", "()"])
        parts = [pick.choice(counters if counters and pick.random() < 0.5 else BASIC) for _ in range(max(rank, 1))]
        return ", ".join(parts[: pick.randint(1, len(parts))])

    def look(self, expression: str) -> Any:
        """Return what an expression is now."""
        try:
            return eval(expression, {"np": np}, self.values)
        except (LookupError, TypeError, ValueError, AttributeError):
            return None

    def value(self, near: str) -> str:
        """Return the right side of a store to `near`."""
        pick = self.random
        other = self.array()
        forms = [self.constant()] * 4 + [
            near,
            other,
            f"{other} + 1",
            f"{other}.sum()",
            f"{other}[0]",
            f"{other}[0] * 2",
        ]
        forms += [
            f"{near}[{self.index(near)}]",
            f"{other}[{self.index(other)}]",
            f"{near}[::-1]",
            f"{near}.T",
            "[1, 2]",
        ]
        forms += [f"{near}[0] - {self.constant()}", *self.names((int, float, np.number))]
        return pick.choice(forms)

    def condition(self) -> str:
        a = self.array()
        forms = [f"{a}.sum() > {self.constant()}", f"len({a}) > 2", f"{a}.max() > {a}.min()", f"{a}.ndim == 1"]
        forms += [f"{name} > 0" for name in self.names((int, float, np.number))]
        return self.random.choice(forms)

    def argument(self) -> str:
        """Return what is passed to a helper function: mostly a name, sometimes a view or a new array."""
        a, roll = self.array(), self.random.random()
        return a if roll < 0.65 else self.view(a) if roll < 0.85 else self.copy(a)

    def helper(self, name: str, earlier: list[str]) -> str:
        """Return the definition of a helper function; functions before it are called now and then."""
        pick = self.random
        pair, flagged = name.startswith("g"), name.startswith("k")
        body = [pick.choice(PAIRS if pair else FILLS) for _ in range(pick.randint(1, 3))]
        body = [pick.choice(FLAGGED) if flagged and pick.random() < 0.6 else piece for piece in body]
        if earlier and pick.random() < 0.5:
            called = pick.choice(earlier)
            text = f"{called}({pick.choice(['x', 'x', 'x[1:]', 'x[0]'])}, {'y' if pair else 'v'})"
            fits = called.startswith("g") == pair
            body.append(pick.choice([text, f"z = {text}", f"x = {text}"]) if fits else "x[0] = 6")
        body.append(pick.choice(PAIR_RETURNS if pair else RETURNS))
        lines = [line for piece in body for line in piece.splitlines()]
        second = "y" if pair else pick.choice(["v", "v", "v=1"])
        second += (
            f"{'=1' if flagged and second == 'v' else ''}, copy={pick.choice(['True', 'False'])}, out=None"
            if flagged
            else ""
        )
        return "\n".join([f"def {name}(x, {second}):", *(f"    {line}" for line in lines)])
