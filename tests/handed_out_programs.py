"""Write random NumPy projects in which calls hand out stored memory, and others write to it or only read it.

A program is one to three files, `main.py` with a `run` among them. It grows one statement at a time, and keeps a
statement if it still runs on NumPy; each is written with a random subset of the kinds (swarm testing).
"""

import ast
import re
import textwrap
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from string import Template
from typing import Any

import numpy as np
from handed_out_forms import Holder
from handed_out_frames import INNER
from handed_out_pieces import HOLDERS, IMPORTS
from program_generator import is_tame
from program_modules import loaded

Files = Mapping[str, str]
ARRAYS = ("np.zeros(3)", "np.zeros(4)", "np.ones(4)", "np.arange(4.0)", "np.ones((2, 3))", "np.zeros((3, 2))")
ARRAYS += ("np.arange(6.0).reshape(2, 3)", "np.full(3, 2.0)", "np.array([3.0, 1.0, 2.0])", "np.zeros(3)", "np.zeros(2)")
HELPERS = {
    "bump": "def bump(a):\n    a += 1",
    "put": "def put(a, i, v):\n    a[i] = v",
    "scale": "def scale(x, by=2):\n    x *= by\n    return x",
    "head": "def head(x):\n    return x[:1]",
    "centre": "def centre(x):\n    x -= np.mean(x, axis=0)\n    x /= np.ones_like(x) * 2",
    "kick": "def kick(x, n=2):\n    for _ in range(n):\n        x += np.ones_like(x)\n    x *= 2",
    "spread": "def spread(x):\n    for row in x:\n        row += 2",
    "deep": "def deep(x):\n    clear_first(x[1:])\n\n\ndef clear_first(y):\n    y[0] = -3",
    "last": "def last(xs):\n    xs[-1][0] = 7\n    return xs[-1]",
    "apply": "def apply(f, x):\n    f(x)\n    return x",
    "total": "def total(x):\n    return x.sum() + len(x)",
}
VIEWS = ("$h[1:]", "$h[:2]", "$h[::-1]", "$h.T", "$h.reshape(-1)", "$h.ravel()", "$h[...]", "$h[0:1]", "np.asarray($h)")
WRITES: dict[str, tuple[str, ...]] = {
    "store": ("$h[0] = $v", "$h[$i] = $v", "$h[:] = $v", "$h[$h > 1] = $v", "$h[$i] = $h[-1]", "(c := $h)[0] = $v"),
    "augmented_store": ("$h[0] += $v", "$h[$i] -= $v", "$h[:1] *= 2", "$h[[0, 1]] += $v"),
    "name": ("$t = $h\n$t[0] = $v", "$t = $h\n$t += $v", "$t = $h\n$t *= 2", "$t = $h\n$t[$i] += $v\n$t = $t + 1"),
    "bound": ("$t = $h", "$t = $w", "$t, s = $h, $w", "$t = s = $h"),
    "augmented": ("$h += $v", "$h -= $v", "$h *= 2"),
    "view": ("$w[0] = $v", "$t = $w\n$t += $v", "$t = $w\n$t[0] = $v", "$w[:1] += $v", "$t = $h[1:]\n$t *= 2"),
    "method": ("$h.fill($v)", "$h.sort()", "$w.fill($v)", "$h.flat[0] = $v", "$t = $h.fill", "$h.put([0], $v)"),
    "function": ("np.copyto($h, $v)", "np.copyto($h, $g)", "np.put($h, [0, 1], $v)", "np.putmask($h, $h > 0, $v)"),
    "out": ("np.add($h, $v, out=$h)", "np.multiply($h, 2, out=$h)", "np.negative($g, out=$h)", "np.clip($h, 0, 1, $h)"),
    "helper": (
        "bump($h)",
        "put($h, 0, $v)",
        "$t = scale($h)",
        "bump($w)",
        "scale($h, by=3)",
        "deep($h)",
        "bump(head($h))",
    ),
    "helper_adds": ("centre($h)", "kick($h)", "kick(centre($h) or $h, n=1)", "centre($w)", "list(map(kick, [$h]))"),
    "helper_rows": ("spread($h)", "$t = head($h)\n$t += $v", "put(scale($h), $i, $v)", "$t = scale($h) + scale($g)"),
    "in_list": ("xs = [$h]\nxs[0][0] = $v", "xs = [$h, $g]\nfor e in xs:\n    e += $v", "last([$g, $h])"),
    "in_dict": (
        'd = {"k": $h}\nd["k"] += $v',
        "d = dict(k=$h)\nfor e in d.values():\n    e[0] = $v",
        '$t = {"k": [$h]}["k"][0]',
    ),
    "in_tuple": ("p = ($h, $g)\np[0][0] = $v", "for e in ($h, $g):\n    e[0] = $v", "$t, _ = ($h, 1)\n$t += $v"),
    "swap": ("$h[0], $h[1] = $h[1], $h[0]", "$h[:1], $g[:1] = $g[:1], $h[:1]", "$h[:-1] = $h[1:]"),
    "rows": (
        "for row in $h:\n    row += $v",
        "for i, e in enumerate($h):\n    $h[i] = e * 2 + i",
        "for i in range(len($h)):\n    $h[i] += i",
    ),
    "callback": (
        "apply(bump, $h)",
        "apply(lambda a: a.fill($v), $h)",
        "list(map(bump, [$h]))",
        "[bump(e) for e in [$h, $g]]",
    ),
    "narrowed": (  # numbers where the text shows the call
        "bump(0)\napply(bump, $h)",
        "scale(1)\nlist(map(scale, [$h]))",
        "scale(0.5)\nf = scale\n$t = f($h)",
        "put([1], 0, $v)\n[put][0]($h, 0, $v)",
        'scale(1)\n{"k": scale}["k"]($h)',
    ),
    "filled": (  # with numbers where the text shows the container
        'd = {"k": 0}\nfill = d.update\nfill(k=$h)\nd["k"] += $v',
        "xs = [0, 1]\nlist(map(xs.append, [$h]))\nxs[-1][0] = $v",
        'd = {"k": None}\nfill = d.__setitem__\nfill("k", $h)\n$t = d["k"]\n$t += $v',
    ),
    "nested": (
        "def inner():\n    $h[0] = $v\n\n\ninner()",
        "def inner(k=$h):\n    k += $v\n\n\ninner()",
        "(lambda a: bump(a))($h)",
    ),
    "imported": (
        "import numpy as other\nother.add($h, $v, out=$h)",
        "from operator import setitem\nsetitem($h, 0, $v)",
        "import operator\n$t = operator.iadd($h, $v)",
        "from numpy import copyto\ncopyto($h, $v)",
        "from copy import copy\ncopy([$h])[0][0] = $v",
    ),
    "kept": (
        "kept.append($h)",
        "kept.append($h)\nkept[-1][0] = $v",
        "box = Box($h)\nbox.x += $v",
        "box = Box($h)\nbox.put($v)",
    ),
}
READS: dict[str, tuple[str, ...]] = {
    "sum": ("s = $h.sum()", "s = $h[0] + 1", "s = len($h)", "s = total($h)", "s = float($h.max())"),
    "new": (
        "$t = $h + 1",
        "$t = $h * $h",
        "$t = np.sqrt(abs($h))",
        "$t = np.where($h > 0, $h, 1)",
        "$t = $h - $h.mean()",
    ),
    "copied": ("$t = $h.copy()", "$t = np.array($h)\n$t[0] = $v", "$t = $h.copy()\n$t += 1", "$t = $h + 0\nbump($t)"),
    "looked": ("$t = $w + 1", "s = sum(e.sum() for e in [$h, $g])", "s = 0\nfor row in $h:\n    s = s + row.sum()"),
}
WRITING = frozenset(
    "optimizer callback dataclass generator context_manager star_arguments mixed".split()
)  # set up with writes
BOX = "class Box:\n    def __init__(self, x):\n        self.x = x\n\n    def put(self, v):\n        self.x[0] = v"
LAYOUTS = ("one", "one", "one", "from", "module", "alias", "helpers", "both", "package", "api")
STORES = {
    "from": "stores",
    "module": "stores",
    "alias": "stores",
    "both": "stores",
    "package": "lab.stores",
    "api": "stores",
}
PASSED_ON = {"package": ("lab/__init__.py", "from .stores import"), "api": ("api.py", "from stores import")}


@dataclass(frozen=True)
class Program:
    """The files of a program, and what is in it: kinds of holders, kinds of statements."""

    files: Files
    holders: tuple[str, ...]
    statements: tuple[str, ...] = ()

    @property
    def reads_only(self) -> bool:
        """Whether nothing writes to what is handed out, set-ups of holders included."""
        return all(kind in READS for kind in self.statements) and not WRITING & {*self.holders}

    @property
    def text(self) -> str:
        """All files, one after the other, each under its name."""
        if len(self.files) == 1:
            return next(iter(self.files.values()))
        return "\n".join(f"# --- {name}\n{text}" for name, text in self.files.items())


@dataclass
class Writer:
    """Writes one program; `values` holds what the variables of `run` are at this point."""

    random: Random
    layout: str = "one"
    holders: dict[str, Holder] = field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)

    def holder(self, number: int) -> None:
        """Add a holder, its text with its number and its arrays."""
        kind = self.random.choice(list(HOLDERS))
        template = self.random.choice(HOLDERS[kind])
        module = {"module": "stores.", "alias": "st.", "both": "stores."}.get(self.layout, "")
        names = {"n": str(number), "m": module, "new": self.random.choice(ARRAYS)}

        def filled(text: str, m: str = module) -> str:
            return Template(text).substitute({**names, "m": m})

        made = Holder(filled(template.definition, ""), filled(template.setup), tuple(map(filled, template.handed)))
        self.holders[f"{number}:{kind}"] = made

    def handed(self) -> str:
        """An expression for an array: mostly one that is handed out, sometimes a local name."""
        local = [name for name, value in self.values.items() if isinstance(value, np.ndarray) and value.ndim]
        if local and self.random.random() < 0.3:
            return self.random.choice(local)
        handed = self.random.choice(list(self.holders.values())).handed
        return handed[0] if self.random.random() < 0.5 else self.random.choice(handed)

    def statement(self, depth: int = 0, given: str = "") -> list[str]:
        """One statement of a random kind, under an `if`, in a loop, a `try` or a function now and then.

        `given` is the parameter of the function around it, which it mostly works on.
        """
        if depth < 2 and self.random.random() < 0.2:
            header = self.random.choice(BLOCKS).replace("$h", self.handed())
            inner = [line for _ in range(self.random.randint(1, 2)) for line in self.statement(depth + 1, given)]
            closing = ["except ValueError:", "    pass"] if header == "try:" else []
            return [header, *(f"    {line}" for line in inner), *closing]
        if depth < 2 and self.random.random() < 0.12:
            before, call = (Template(text).substitute(h=given or self.handed()) for text in self.random.choice(INNER))
            inner = [line for _ in range(self.random.randint(1, 2)) for line in self.statement(depth + 1, "q")]
            *_, last = before.splitlines()
            indent = " " * (len(last) - len(last.lstrip()) + (4 if last.endswith(":") else 0))
            return [*before.splitlines(), *(f"{indent}{line}" for line in inner), "", "", *call.splitlines()]
        kind = self.random.choice(list(self.kinds))
        self.used.append(kind)
        h = given if given and self.random.random() < 0.8 else self.handed()
        view = Template(self.random.choice(VIEWS)).substitute(h=h)
        fills = {"h": h, "g": self.handed(), "w": view, "t": self.random.choice("abuw")}
        fills |= {
            "v": self.random.choice(["1", "2", "5", "-1", "0.5"]),
            "i": self.random.choice(["1", "-1", "1:", "0"]),
        }
        return Template(self.random.choice(self.kinds[kind])).substitute(fills).splitlines()

    def program(self, size: int) -> Program | None:
        """Grow `run` up to `size` writes, or reads where it only reads; None where the holders do not run."""
        lines = [line for one in self.holders.values() for line in one.setup.splitlines()]
        values = evaluate(self.files(lines, "return locals()"))
        if values is None:
            return None
        kept: list[str] = []
        self.values, tries = values, 0
        counted = WRITES if self.kinds.keys() & WRITES.keys() else READS
        while sum(kind in counted for kind in kept) < size and tries < 6 * size:
            tries += 1
            self.used.clear()
            candidate = [*lines, *self.statement()]
            values = evaluate(self.files(candidate, "return locals()"))
            if values is not None:
                lines, self.values, kept = candidate, values, kept + self.used
        files = self.files(lines, self.result())
        if not kept or evaluate(files) is None:
            return None
        return Program(files, tuple(key.split(":")[1] for key in self.holders), tuple(kept))

    def result(self) -> str:
        """Return what is stored, and the arrays and numbers of `run`, or some of them."""
        shown = (np.ndarray, float, int, np.number)
        names = [name for name, value in self.values.items() if isinstance(value, shown)]
        if self.random.random() < 0.4:
            names = self.random.sample(names, self.random.randint(0, len(names)))
        handed = [one.handed[0] for one in self.holders.values()]
        handed += [text for one in self.holders.values() for text in one.handed[1:] if self.random.random() < 0.6]
        items = dict.fromkeys([text for text in handed if "swap()" not in text and "add" not in text] + names)
        kept = ["*kept"] if "kept" in self.values else []
        return f"return [{', '.join([*items, *kept])}]"

    def files(self, lines: list[str], result: str) -> dict[str, str]:
        """The program with these statements in `run`: one file, or stores and helpers in files of their own."""
        if any("kept" in line for line in lines):
            lines = ["kept = []", *lines]
        body = "\n".join([*lines, result])
        run = f"def run():\n{textwrap.indent(body, '    ')}"
        stores = [one.definition for one in self.holders.values() if one.definition]
        called = [text for name, text in HELPERS.items() if re.search(rf"\b{name}\b", body)]
        called += [BOX] if "Box(" in body else []
        place = f"{STORES.get(self.layout, 'main').replace('.', '/')}.py" if stores else "main.py"
        parts: dict[str, list[str]] = {"main.py": []}
        parts[place] = [*stores]
        main, imports, extra = parts["main.py"], [], {}
        if place != "main.py":
            names = ", ".join(used_names(stores, body))
            source = {"package": "lab", "api": "api"}.get(self.layout, "stores")
            plain = "import stores as st" if self.layout == "alias" else f"import {source}"
            by_name = names and self.layout in {"from", "package", "api"}
            imports.append(f"from {source} import {names}" if by_name else plain)
            if self.layout in PASSED_ON:
                file, text = PASSED_ON[self.layout]
                extra[file] = f"{text} {names}\n" if names else ""
        if self.layout in {"helpers", "both"} and called:
            parts["tools.py"] = called
            imports.append(f"from tools import {', '.join(used_names(called, body))}")
        else:
            main += called
        main.append(run)
        texts = {name: module_text(made, imports if name == "main.py" else []) for name, made in parts.items()}
        return {**texts, **extra}


BLOCKS = ("if True:", "if $h.sum() > 1:", "if len($h) > 1:", "for _ in range(2):", "for j in range(3):", "try:")


def used_names(parts: list[str], body: str) -> list[str]:
    """The names that parts of a module define and `run` uses."""
    return sorted({name for name in top_level("\n\n\n".join(parts)) if re.search(rf"\b{name}\b", body)})


def top_level(text: str) -> list[str]:
    """The names that a module defines."""
    names = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return names


def module_text(parts: list[str], imports: list[str]) -> str:
    """A module with the imports that its text wants."""
    body = "\n\n\n".join(parts)
    wanted = {"import numpy as np", *(line for text, line in IMPORTS.items() if text in body)}
    return "\n".join([*sorted(wanted), *([""] if imports else []), *imports]) + f"\n\n\n{body}\n"


def evaluate(files: Files) -> Any:
    """What `run` gives on NumPy; None where it raises, gives nothing, or leaves the range of exact arithmetic."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with loaded(files) as main:
                result = main.run()
        except Exception:  # noqa: BLE001 - any program that does not run is of no use
            return None
    if result is None:
        return None
    values = result.values() if isinstance(result, dict) else result
    tame = all(is_tame(value) for value in values if isinstance(value, np.ndarray | list | tuple | dict | float))
    return result if tame else None


def generate(seed: int, number: int) -> Program:
    """Return program `number` of a seed; the same two numbers give the same program. One in six only reads."""
    random = Random(f"handed out {seed}:{number}")
    while True:
        made = Writer(random, random.choice(LAYOUTS))
        for position in range(random.randint(1, 3)):
            made.holder(position)
        reads_only = random.random() < 1 / 6
        pool: dict[str, tuple[str, ...]] = READS if reads_only else {**WRITES, **READS}
        made.kinds = {kind: forms for kind, forms in pool.items() if random.random() < 0.35}
        if not reads_only:
            made.kinds |= {kind: WRITES[kind] for kind in random.sample(list(WRITES), 3)}
        program = made.program(random.randint(3, 7)) if made.kinds else None
        if program is not None:
            return program
