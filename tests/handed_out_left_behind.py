"""One array that something gets, or gives, while a function has it: templates of `handed_out_pieces`.

Each is what keeps or gives the array, how a function comes to it, what stands around that, and how the function writes
to the array before or after: a function by its name, one that is passed in, a special method of a parameter.
"""

import textwrap
from random import Random

from handed_out_forms import Holder, named

CLASS = "class L$n:\n    def __init__(self):\n        self.x = np.ones(3)\n\n    def {}\n"
ONTO = "def onto$n(m, a):\n    m.append(a)\n"
INTO = "def into$n(m):\n    def log(a):\n        m.append(a)\n\n    return log\n"
KEPT = "KEPT$n = []\n\n\ndef keep$n(a):\n    KEPT$n.append(a)\n"
LAST = "LAST$n = None\n\n\ndef keep$n(a):\n    global LAST$n\n    LAST$n = a\n\n\ndef last$n():\n    return LAST$n\n"
OF_CLASS = "class S$n:\n    @classmethod\n    def keep(cls, a):\n        cls.x = a\n"
# Definitions, what is made in the caller, what the function gets, how it hands the array over, and what has it then.
ROWS = "def rows$n(a):\n    for i in range(len(a)):\n        yield a[i] * 1\n"
KEEPING = (
    (ROWS, "[]", "m$n", "k.append(rows$n(a))", "np.array([*m$n[0]])"),
    (ROWS, "[]", "m$n.append", "k(zip(rows$n(a), range(9)))", "np.array([x for x, _ in m$n[0]])"),
    ("", "[]", "m$n", "k.append(x * 1 for x in a)", "np.array([*m$n[0]])"),
    (CLASS.format("put(self, a):\n        self.x = a"), "${m}L$n()", "m$n.put", "k(a)", "m$n.x"),
    (CLASS.format("put(self, a):\n        self.x = a"), "${m}L$n()", "m$n", "k.put(a)", "m$n.x"),
    (CLASS.format("put(self, a):\n        self.x = a[:2]"), "${m}L$n()", "m$n.put", "k(a)", "m$n.x"),
    (CLASS.format("put(self, a):\n        self.x = [a]"), "${m}L$n()", "m$n.put", "k(a)", "m$n.x[0]"),
    (CLASS.format("__call__(self, a):\n        self.x = a"), "${m}L$n()", "m$n", "k(a)", "m$n.x"),
    (CLASS.format("__setitem__(self, i, a):\n        self.x = a"), "${m}L$n()", "m$n", "k[0] = a", "m$n.x"),
    (CLASS.format("__getitem__(self, a):\n        self.x = a"), "${m}L$n()", "m$n", "k[a]", "m$n.x"),
    (CLASS.format("__lshift__(self, a):\n        self.x = a"), "${m}L$n()", "m$n", "k << a", "m$n.x"),
    (CLASS.format("__contains__(self, a):\n        self.x = a"), "${m}L$n()", "m$n", "a in k", "m$n.x"),
    (CLASS.format("__and__(self, a):\n        self.x = a"), "${m}L$n()", "m$n", "k & a", "m$n.x"),
    (
        CLASS.format("__iadd__(self, a):\n        self.x = a\n        return self"),
        "${m}L$n()", "m$n", "k += a", "m$n.x",
    ),
    (CLASS.format("__enter__(self):\n        return self"), "${m}L$n()", "m$n", "k.x = a", "m$n.x"),
    (CLASS.format("__enter__(self):\n        return self"), "${m}L$n()", "m$n", 'setattr(k, "x", a)', "m$n.x"),
    (CLASS.format("one(self):\n        return self"), "${m}L$n()", "m$n", 'object.__setattr__(k, "x", a)', "m$n.x"),
    (CLASS.format("one(self):\n        return self"), "[${m}L$n()]", "m$n", "k[0].x = a", "m$n[0].x"),
    ("", "[]", "m$n.append", "k(a)", "m$n[0]"),
    ("", "[]", "lambda a: m$n.append(a[:1])", "k(a)", "m$n[0]"),
    ("", "[]", "lambda a: m$n.append((a, 1))", "k(a)", "m$n[0][0]"),
    ("", "{}", "lambda a: m$n.update(x=a)", "k(a)", 'm$n["x"]'),
    ("", "deque()", "m$n.append", "k(a)", "m$n[0]"),
    ("", "[]", "m$n", "heappush(k, (1, a))", "m$n[0][1]"),
    ("", "[]", "m$n", "k += [a]", "m$n[0]"),
    ("", "SimpleNamespace()", "m$n", "k.x = a", "m$n.x"),
    (ONTO, "[]", "partial(${m}onto$n, m$n)", "k(a)", "m$n[0]"),
    (ONTO, "[]", "m$n", "onto$n(k, a)", "m$n[0]"),
    (ONTO, "[]", "m$n", "onto$n(k, **{'a': a})", "m$n[0]"),
    (ONTO, "[]", "m$n", "onto$n(*(k, a))", "m$n[0]"),
    (ONTO, "[]", "m$n", "[onto$n(k, one) for one in [a]]", "m$n[0]"),
    (INTO, "[]", "${m}into$n(m$n)", "k(a)", "m$n[0]"),
    (KEPT, "1", "${m}keep$n", "k(a)", "${m}KEPT$n[-1]"),
    (KEPT, "1", "m$n", "keep$n(a)", "${m}KEPT$n[-1]"),
    ("KEPT$n = {}\n\n\ndef keep$n(a):\n    KEPT$n[0] = a\n", "1", "m$n", "keep$n(a)", "${m}KEPT$n[0]"),
    (LAST, "1", "m$n", "keep$n(a)", "${m}last$n()"),
    (LAST, "1", "${m}keep$n", "k(a)", "${m}last$n()"),
    ("def keep$n(a):\n    keep$n.last = a\n", "1", "${m}keep$n", "k(a)", "${m}keep$n.last"),
    (OF_CLASS, "1", "${m}S$n.keep", "k(a)", "${m}S$n.x"),
    ("class P$n:\n    def __init__(self, x):\n        self.x = x\n", "[]", "m$n", "k.append(P$n(a))", "m$n[0].x"),
    ("", "[]", "m$n", "k.append(partial(np.sum, a))", "m$n[0].args[0]"),
    ("", "[]", "lambda a: m$n.append(a)", "Thread(target=k, args=(a,)).run()", "m$n[0]"),
)  # fmt: skip
GIVING = (
    (CLASS.format("get(self):\n        return self.x"), "${m}L$n()", "m$n.get", "a = k()", "m$n.x"),
    (CLASS.format("get(self):\n        return self.x"), "${m}L$n()", "m$n", "a = k.get()", "m$n.x"),
    (CLASS.format("__call__(self):\n        return self.x"), "${m}L$n()", "m$n", "a = k()", "m$n.x"),
    (CLASS.format("__getitem__(self, i):\n        return self.x"), "${m}L$n()", "m$n", "a = k[0]", "m$n.x"),
    (CLASS.format("__iter__(self):\n        return iter([self.x])"), "${m}L$n()", "m$n", "a = next(iter(k))", "m$n.x"),
    (CLASS.format("__neg__(self):\n        return self.x"), "${m}L$n()", "m$n", "a = -k", "m$n.x"),
    (CLASS.format("__abs__(self):\n        return self.x"), "${m}L$n()", "m$n", "a = abs(k)", "m$n.x"),
    (CLASS.format("__add__(self, b):\n        return self.x"), "${m}L$n()", "m$n", "a = k + 1", "m$n.x"),
    (CLASS.format("__rmul__(self, b):\n        return self.x"), "${m}L$n()", "m$n", "a = 2 * k", "m$n.x"),
    (CLASS.format("__next__(self):\n        return self.x"), "${m}L$n()", "m$n", "a = next(k)", "m$n.x"),
    (CLASS.format("__getattr__(self, n):\n        return self.x"), "${m}L$n()", "m$n", "a = k.zzz", "m$n.x"),
    ("", "[np.ones(3)]", "lambda: m$n[0]", "a = k()", "m$n[0]"),
    ("", "[np.ones(3)]", "lambda: m$n[0][:2]", "a = k()", "m$n[0]"),
    ("", "{0: np.ones(3)}", "m$n.get", "a = k(0)", "m$n[0]"),
    ("", "np.ones(3)", "lambda: m$n", "a = k()", "m$n"),
    ("def same$n(a):\n    return a\n", "np.ones(3)", "partial(${m}same$n, m$n)", "a = k()", "m$n"),
    ("W$n = np.ones(3)\n\n\ndef get$n():\n    return W$n\n", "1", "${m}get$n", "a = k()", "${m}W$n"),
    ("def get$n(w=np.ones(3)):\n    return w\n", "1", "${m}get$n", "a = k()", "${m}get$n()"),
    ("def back$n(a):\n    return a\n", "1", "${m}back$n", "b = k(a)", "1"),
    ("def back$n(a):\n    return [a[:2]]\n", "1", "${m}back$n", "b, = k(a)", "1"),
    ("", "1", "lambda a: a.T", "b = k(a)", "1"),
    ("", "1", "np.asarray", "b = k(a)", "1"),
)  # fmt: skip
BODY = "    {new}\n    {act}\n    {write}\n    return {had}\n"
# What the function is: `{act}` hands the array over, `{write}` writes to it, and `{had}` is what it has then.
FUNCTIONS = (
    (f"def step$n(k):\n{BODY}", "${{m}}step$n({k})"),
    (f"def step$n(k, n=3):\n{BODY}", "${{m}}step$n(k={k})"),
    (f"def step$n(ks):\n    k = ks['k']\n{BODY}", "${{m}}step$n({{'k': {k}}})"),
    (f"def step$n(k):\n{BODY}\n\ndef outer$n(k):\n    return step$n(k)\n", "${{m}}outer$n({k})"),
    (
        f"def steps$n(k):\n{BODY}\n\ndef step$n(k):\n    return next(steps$n(k))\n".replace("return {", "yield {"),
        "${{m}}step$n({k})",
    ),
    (
        "def step$n(*ks):\n    {new}\n    for k in ks:\n        {act}\n        {write}\n    return {had}\n",
        "${{m}}step$n({k})",
    ),
    (
        "def step$n(k):\n    {new}\n    try:\n        {act}\n    finally:\n        {write}\n    return {had}\n",
        "${{m}}step$n({k})",
    ),
    (
        "def step$n(k=None):\n    {new}\n    if k is not None:\n        {act}\n    {write}\n    return {had}\n",
        "${{m}}step$n({k})",
    ),
    (
        "def step$n(k):\n    {new}\n    for _ in range(2):\n        {act}\n        {write}\n    return {had}\n",
        "${{m}}step$n({k})",
    ),
    (
        "class Run$n:\n    def __init__(self, k):\n        self.k = k\n\n"
        + textwrap.indent(f"def step(self):\n    k = self.k\n{BODY}", "    "),
        "${{m}}Run$n({k}).step()",
    ),
)
NEW = ("a = np.ones(3)", "a = np.ones(4) * 2", "a = np.ones(4)[1:]", "b = np.ones(3)\n    a = b", "a = build$n()")
WRITES = ("a += 1", "a[0] = 5", "a.fill(5)", "np.add(a, 1, out=a)", "bump$n(a)", "a[:1] *= 4")


def left_behind(random: Random) -> Holder:
    """Hand an array over, or take one, by something that a function gets, and write to it there."""
    gives = random.random() < 0.4
    definition, made, k, act, kept = random.choice(GIVING if gives else KEEPING)
    text, call = random.choice(FUNCTIONS)
    is_back = act.startswith("b")
    new = "a = 1" if gives and not is_back else random.choice(NEW[:3] if "Run$n" in text else NEW)
    write, had = random.choice(WRITES), "(a * 1, b * 1)" if is_back else "a * 1"
    if is_back and random.random() < 0.5:
        write = write.replace("a", "b") if write[:2] in ("a ", "a[") else write
    others = {
        "build$n()": "def build$n():\n    return np.ones(3)\n",
        "bump$n(": "def bump$n(a):\n    a += 1\n",
    }
    function = text.format(new=new, act=act, write=write, had=had)
    parts = [definition, *(part for name, part in others.items() if name in function), function]
    setup = f"m$n = {made}\nr$n = {call.format(k=k)}"
    handed = ("np.array(r$n[1])" if is_back else "np.array(r$n)", *([] if kept == "1" else [kept]))
    return named("\n\n".join(textwrap.dedent(one) for one in parts if one).strip("\n"), setup, *handed)


LEFT_BEHIND = {"left_behind": tuple(left_behind(Random(f"left behind {number}")) for number in range(1000))}
