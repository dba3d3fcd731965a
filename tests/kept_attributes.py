"""Random programs in which an attribute of an object is known under another name as well, and a method writes to it.

Each is one of the ways to put an array into the attribute, one of those to have it elsewhere, and one of those to reach
the method: who has it elsewhere sees the write. A new way is a line of a table.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from random import Random

from handed_out_programs import Program, evaluate

_TRIES = 200  # programs that NumPy refuses, one behind the other


@dataclass(frozen=True)
class Part:
    """A piece of a program: statements, what the class `S` has for them, and what stands before the class."""

    text: str = ""
    inside: str = ""
    outside: str = ""


_KW = "def __init__(self, m=None, **kw):\n    self.m = m\n    "

# `s` is an object of the class `S` (or has its methods), and its attribute `m` is the array `a`.
PUTS: dict[str, Part] = {
    "assigned": Part("s = S()\ns.m = a"),
    "passed": Part("s = S(a)"),
    "by_word": Part("s = S(m=a)"),
    "from_words": Part("s = S(**{'m': a})"),
    "setattr": Part("s = S()\nsetattr(s, 'm', a)"),
    "setattr_dynamic": Part("s = S()\nfor k_ in ('m',):\n    setattr(s, k_, a)"),
    "object_setattr": Part("s = S()\nobject.__setattr__(s, 'm', a)"),
    "own_setattr": Part("s = S()\ns.__setattr__('m', a)"),
    "dict_item": Part("s = S()\ns.__dict__['m'] = a"),
    "vars_item": Part("s = S()\nvars(s)['m'] = a"),
    "dict_update": Part("s = S()\ns.__dict__.update(m=a)"),
    "dict_update_pairs": Part("s = S()\ns.__dict__.update([('m', a)])"),
    "dict_update_dict": Part("s = S()\nd_ = {'m': a}\ns.__dict__.update(d_)"),
    "dict_joined": Part("s = S()\ns.__dict__ |= {'m': a}"),
    "dict_bound": Part("s = S()\ns.__dict__ = {'m': a}"),
    "vars_name": Part("s = S()\nd_ = vars(s)\nd_['m'] = a"),
    "init_dict": Part("s = S(x=a)", _KW + "self.__dict__['m'] = kw.get('x')"),
    "init_update": Part("s = S(w=a)", "def __init__(self, w=None):\n    self.__dict__.update({'m': w})"),
    "init_words": Part("s = S(m=a)", "def __init__(self, **kw):\n    self.__dict__.update(kw)"),
    "init_setattr": Part("s = S(m=a)", "def __init__(self, **kw):\n    for k, v in kw.items():\n        setattr(self, k, v)"),
    "init_starred": Part("s = S(a)", "def __init__(self, *given):\n    if given:\n        self.m, = given"),
    "function": Part("s = S()\nput(s, a)", outside="def put(o, x):\n    o.m = x"),
    "function_named": Part("s = S()\nput(s, 'm', a)", outside="def put(o, n, x):\n    setattr(o, n, x)"),
    "method": Part("s = S()\ns.take(a)", "m = None\n\ndef take(self, x):\n    self.m = x\n    return self"),
    "fluent": Part("s = S().take(a)", "m = None\n\ndef take(self, x):\n    self.m = x\n    return self"),
    "factory": Part("s = make(a)", outside="def make(x):\n    o = S()\n    o.m = x\n    return o"),
    "classmethod": Part("s = S.make(a)", "@classmethod\ndef make(cls, x):\n    o = cls()\n    o.m = x\n    return o"),
    "new": Part("s = S.__new__(S)\ns.m = a"),
    "tuple": Part("s = S()\ns.m, s.k = a, 1"),
    "chained": Part("s = S()\nb_ = s.m = a"),
    "loop": Part("s = S()\nfor s.m in [a]:\n    pass"),
    "with": Part("s = S()\nwith contextlib.nullcontext(a) as s.m:\n    pass"),
    "walrus": Part("s = S()\ns.m = (b_ := a)"),
    "either": Part("s = S()\ns.m = a if a.size else None"),
    "branch": Part("s = S()\nif a.size:\n    s.m = a\nelse:\n    s.m = np.zeros(4)"),
    "view": Part("s = S()\ns.m = a[:]"),
    "reshaped": Part("s = S()\ns.m = a.reshape(4)"),
    "asarray": Part("s = S()\ns.m = np.asarray(a)"),
    "property": Part("s = S()\ns.n = a", "m = None\n@property\ndef n(self):\n    return self.m\n@n.setter\ndef n(self, x):\n    self.m = x"),
    "item": Part("s = S()\ns['m'] = a", "m = None\ndef __setitem__(self, k, x):\n    setattr(self, k, x)"),
    "called": Part("s = S()\ns(a)", "m = None\ndef __call__(self, x):\n    self.m = x"),
    "dataclass": Part("s = S(a)", "m: object = None", "@dataclasses.dataclass"),
    "replaced": Part("s = dataclasses.replace(S(None), m=a)", "m: object = None", "@dataclasses.dataclass"),
    "base": Part("s = S(a)", "def __init__(self, x=None):\n    super().__init__(x)", "class Base:\n    def __init__(self, x):\n        self.m = x"),
    "copied": Part("o_ = S()\no_.m = a\ns = copy.copy(o_)"),
    "in_list": Part("s = S()\nall_ = [s]\nall_[0].m = a"),
    "in_dict": Part("d_ = {'s': S()}\ns = d_['s']\nd_['s'].m = a"),
    "lambda": Part("s = S()\n(lambda o: setattr(o, 'm', a))(s)"),
    "closure": Part("s = S()\ndef put_():\n    s.m = a\nput_()"),
    "mapped": Part("s = S()\nlist(map(lambda x: setattr(s, 'm', x), [a]))"),
    "slots": Part("s = S()\ns.m = a", "__slots__ = ('m', 'k', '__dict__')"),
    "state": Part("s = S()\ns.__setstate__({'m': a})", "def __setstate__(self, state):\n    self.__dict__.update(state)"),
    "of_class": Part("S.m = a\ns = S()", "def __init__(self):\n    self.k = 0"),
    "zip": Part("s = S()\nfor k_, v_ in zip(['m'], [a]):\n    setattr(s, k_, v_)"),
    "or": Part("s = S()\ns.m = None or a.view()"),
    "cached": Part("s = S()\nif getattr(s, 'm', None) is None:\n    s.m = a"),
}  # fmt: skip

# `w` has what `s.m` has; `OTHER` is what is looked at.
HOLDS: dict[str, tuple[Part, str]] = {
    "itself": (Part(), "a"),
    "read": (Part("w = s.m"), "w"),
    "part": (Part("w = s.m[1:]"), "w"),
    "part_before": (Part("w = a[:2]"), "w"),
    "getattr": (Part("w = getattr(s, 'm')"), "w"),
    "getattr_dynamic": (Part("w = [getattr(s, k_) for k_ in ('m',)]"), "w"),
    "vars": (Part("w = vars(s)['m']"), "w"),
    "vars_all": (Part("w = list(vars(s).values())"), "w"),
    "dict_get": (Part("w = s.__dict__.get('m')"), "w"),
    "attrgetter": (Part("w = operator.attrgetter('m')(s)"), "w"),
    "listed": (Part("w = [s.m, 1]"), "w"),
    "listed_before": (Part("w = [a]"), "w"),
    "tuple": (Part("w, k_ = s.m, 2"), "w"),
    "keyed": (Part("w = {'a': s.m}"), "w['a']"),
    "appended": (Part("w = []\nw.append(s.m)"), "w"),
    "collected": (Part("w = [o_.m for o_ in (s,)]"), "w"),
    "collected_dict": (Part("w = {k_: v_ for k_, v_ in [('x', s.m)]}"), "w"),
    "loop": (Part("for w in [s.m]:\n    pass"), "w"),
    "walrus": (Part("if (w := s.m) is None:\n    pass"), "w"),
    "either": (Part("w = s.m if s.m is not None else a"), "w"),
    "or_default": (Part("w = {}.get('x', s.m)"), "w"),
    "next": (Part("w = next(iter([s.m]))"), "w"),
    "next_default": (Part("w = next(iter([]), s.m)"), "w"),
    "lambda": (Part("w = (lambda x=s.m: x)"), "w()"),
    "default": (Part("def w(x=s.m):\n    return x"), "w()"),
    "partial": (Part("w = functools.partial(np.asarray, s.m)"), "w()"),
    "bound_method": (Part("w = s.m.sum"), "w()"),
    "transposed": (Part("w = s.m.T"), "w"),
    "reshaped": (Part("w = s.m.reshape(2, 2)"), "w"),
    "asarray": (Part("w = np.asarray(s.m)"), "w"),
    "ravel": (Part("w = s.m.ravel()"), "w"),
    "view": (Part("w = s.m.view()"), "w"),
    "real": (Part("w = s.m.real"), "w"),
    "broadcast": (Part("w = np.broadcast_to(s.m, (2, 4))"), "w"),
    "split": (Part("w, k_ = np.split(s.m, 2)"), "w"),
    "atleast": (Part("w = np.atleast_2d(s.m)"), "w"),
    "windows": (Part("w = np.lib.stride_tricks.sliding_window_view(s.m, 2)"), "w"),
    "copied_object": (Part("w = copy.copy(s)"), "w.m"),
    "attribute": (Part("w = types.SimpleNamespace(x=s.m)"), "w.x"),
    "other_object": (Part("w = Box(s.m)", outside="class Box:\n    def __init__(self, x):\n        self.x = x"), "w.x"),
    "other_slot": (Part("w = Box(None)\nw.x = s.m", outside="class Box:\n    def __init__(self, x):\n        self.x = x"), "w.x"),
    "same_object": (Part("s.z = s.m"), "s.z"),
    "getter": (Part("w = s.get_m()", "def get_m(self):\n    return self.m"), "w"),
    "property": (Part("w = s.the_m", "@property\ndef the_m(self):\n    return self.m"), "w"),
    "function": (Part("w = get(s)", outside="def get(o):\n    return o.m"), "w"),
    "generator": (Part("w = next(each(s))", outside="def each(o):\n    yield o.m"), "w"),
    "unpacked": (Part("w, = (s.m,)"), "w"),
    "starred": (Part("k_, *w = 1, s.m"), "w"),
    "max": (Part("w = max([s.m], key=len)"), "w"),
    "zipped": (Part("w = list(zip([s.m], [1]))"), "w"),
    "mapped": (Part("w = list(map(lambda o_: o_.m, [s]))"), "w"),
    "filtered": (Part("w = list(filter(len, [s.m]))"), "w"),
    "sorted": (Part("w = sorted([s.m], key=len)"), "w"),
    "namedtuple": (Part("w = Pair(s.m, 1)", outside="Pair = collections.namedtuple('Pair', 'p q')"), "w.p"),
    "deque": (Part("w = collections.deque([s.m])"), "w[0]"),
    "cached": (Part("w = cached(s)", outside="@functools.lru_cache\ndef cached(o):\n    return o.m"), "w"),
    "nested": (Part("w = {'p': [(s.m, 1)]}"), "w['p'][0][0]"),
    "match": (Part("match s.m:\n    case w:\n        pass"), "w"),
    "matched_class": (Part("match s:\n    case S(m=w):\n        pass"), "w"),
    "try": (Part("try:\n    w = s.m\nfinally:\n    k_ = 0"), "w"),
    "memory": (Part("w = memoryview(s.m)"), "list(w)"),
    "global": (Part("keep(s.m)", outside="KEPT = []\n\n\ndef keep(x):\n    KEPT.append(x)"), "KEPT[-1]"),
    "raised": (Part("try:\n    raise ValueError(s.m)\nexcept ValueError as e_:\n    w = e_.args[0]"), "w"),
    "flat": (Part("w = s.m.flat"), "w[0]"),
    "closure": (Part("b_ = s.m\ndef w():\n    return b_"), "w()"),
}  # fmt: skip

# The method that writes is reached; `STEP` is its name, `@W` the write to `self.m`.
_STEP = "def step(self):\n    @W\n    return 1"
REACHES: dict[str, Part] = {
    "method": Part("s.step()", _STEP),
    "by_class": Part("S.step(s)", _STEP),
    "bound": Part("f_ = s.step\nf_()", _STEP),
    "getattr": Part("getattr(s, 'step')()", _STEP),
    "getattr_dynamic": Part("for k_ in ('step',):\n    getattr(s, k_)()", _STEP),
    "function": Part("step(s)", outside="def step(self):\n    @W\n    return 1"),
    "function_default": Part("step(o=s)", outside="def step(o=None):\n    self = o\n    @W\n    return 1"),
    "lambda": Part("(lambda: s.step())()", _STEP),
    "lambda_given": Part("(lambda o: o.step())(s)", _STEP),
    "mapped": Part("list(map(S.step, [s]))", _STEP),
    "listed": Part("[o_.step() for o_ in [s]]", _STEP),
    "looped": Part("for o_ in [s]:\n    o_.step()", _STEP),
    "methodcaller": Part("operator.methodcaller('step')(s)", _STEP),
    "partial": Part("functools.partial(S.step, s)()", _STEP),
    "dispatched": Part("{'go': s.step}['go']()", _STEP),
    "passed": Part("run_it(s.step)", _STEP, "def run_it(f):\n    return f()"),
    "passed_object": Part("run_it(s)", _STEP, "def run_it(o):\n    return o.step()"),
    "callbacks": Part("cbs_ = []\ncbs_.append(s.step)\nfor f_ in cbs_:\n    f_()", _STEP),
    "call": Part("s()", "def __call__(self):\n    @W"),
    "item": Part("s[0]", "def __getitem__(self, k):\n    @W\n    return k"),
    "set_item": Part("s[0] = 2", "def __setitem__(self, k, v):\n    @W"),
    "del_item": Part("del s[0]", "def __delitem__(self, k):\n    @W"),
    "length": Part("len(s)", "def __len__(self):\n    @W\n    return 1"),
    "truth": Part("if s:\n    pass", "def __bool__(self):\n    @W\n    return True"),
    "not": Part("k_ = not s", "def __bool__(self):\n    @W\n    return True"),
    "text": Part("str(s)", "def __str__(self):\n    @W\n    return ''"),
    "f_string": Part("k_ = f'{s}'", "def __str__(self):\n    @W\n    return ''"),
    "repr": Part("repr(s)", "def __repr__(self):\n    @W\n    return ''"),
    "hash": Part("{s: 1}", "def __hash__(self):\n    @W\n    return 1"),
    "equal": Part("k_ = s == 3", "def __eq__(self, o):\n    @W\n    return True\n__hash__ = None"),
    "less": Part("k_ = s < 3", "def __lt__(self, o):\n    @W\n    return True"),
    "plus": Part("k_ = s + 1", "def __add__(self, o):\n    @W\n    return 1"),
    "right_plus": Part("k_ = 1 + s", "def __radd__(self, o):\n    @W\n    return 1"),
    "in_place": Part("s += 1", "def __iadd__(self, o):\n    @W\n    return self"),
    "negative": Part("k_ = -s", "def __neg__(self):\n    @W\n    return 1"),
    "absolute": Part("k_ = abs(s)", "def __abs__(self):\n    @W\n    return 1"),
    "integer": Part("k_ = int(s)", "def __int__(self):\n    @W\n    return 1"),
    "index": Part("k_ = [1, 2, 3][s]", "def __index__(self):\n    @W\n    return 1"),
    "contains": Part("k_ = 1 in s", "def __contains__(self, o):\n    @W\n    return True"),
    "iterated": Part("for k_ in s:\n    pass", "def __iter__(self):\n    @W\n    return iter([1])"),
    "iterated_generator": Part("for k_ in s:\n    pass", "def __iter__(self):\n    @W\n    yield 1"),
    "next": Part("next(s)", "def __next__(self):\n    @W\n    return 1"),
    "with": Part("with s:\n    pass", "def __enter__(self):\n    @W\n    return self\ndef __exit__(self, *e):\n    return None"),
    "exit": Part("with s:\n    pass", "def __enter__(self):\n    return self\ndef __exit__(self, *e):\n    @W"),
    "context": Part("with s.ctx():\n    pass", "@contextlib.contextmanager\ndef ctx(self):\n    @W\n    yield"),
    "property": Part("k_ = s.prop", "@property\ndef prop(self):\n    @W\n    return 1"),
    "cached_property": Part("k_ = s.prop", "@functools.cached_property\ndef prop(self):\n    @W\n    return 1"),
    "setter": Part("s.prop = 4", "@property\ndef prop(self):\n    return 1\n@prop.setter\ndef prop(self, v):\n    @W"),
    "deleter": Part("del s.prop", "@property\ndef prop(self):\n    return 1\n@prop.deleter\ndef prop(self):\n    @W"),
    "missing": Part("k_ = s.nothing", "def __getattr__(self, n):\n    if n != 'nothing':\n        raise AttributeError(n)\n    @W\n    return 1"),
    "generator": Part("for k_ in s.each():\n    pass", "def each(self):\n    @W\n    yield 1"),
    "generator_list": Part("list(s.each())", "def each(self):\n    @W\n    yield 1"),
    "thread": Part("t_ = threading.Thread(target=s.step)\nt_.start()\nt_.join()", _STEP),
    "executor": Part("with futures.ThreadPoolExecutor() as p_:\n    p_.submit(s.step).result()", _STEP),
    "decorated": Part("s.step()", "@logged\n" + _STEP, "def logged(f):\n    @functools.wraps(f)\n    def g(*args, **kw):\n        return f(*args, **kw)\n    return g"),
    "static": Part("S.step(s)", "@staticmethod\n" + _STEP),
    "class_method": Part("S.step_all([s])", "@classmethod\ndef step_all(cls, os):\n    for self in os:\n        @W"),
    "inner_call": Part("s.outer()", _STEP + "\ndef outer(self):\n    return self.step()"),
    "inner_function": Part("s.outer()", "def outer(self):\n    def go():\n        @W\n    go()"),
    "subclass": Part("s = D(s.m)\ns.step()", _STEP + "\ndef __init__(self, m=None):\n    self.m = m", "@@class D(S):\n    pass"),
    "owner": Part("Owner(s).step()", _STEP, "class Owner:\n    def __init__(self, s):\n        self.s = s\n    def step(self):\n        return self.s.step()"),
    "owner_dotted": Part("o_ = Owner(s)\no_.s.step()", _STEP, "class Owner:\n    def __init__(self, s):\n        self.s = s"),
    "owner_list": Part("o_ = Owner()\no_.all.append(s)\no_.step()", _STEP, "class Owner:\n    def __init__(self):\n        self.all = []\n    def step(self):\n        for one in self.all:\n            one.step()"),
    "proxy": Part("Proxy(s).step()", _STEP, "class Proxy:\n    def __init__(self, s):\n        self.s = s\n    def __getattr__(self, n):\n        return getattr(self.s, n)"),
    "visitor": Part("s.accept(Visitor())", "def accept(self, v):\n    v.visit(self)", "class Visitor:\n    def visit(self, self_):\n        self = self_\n        @W"),
    "sorted": Part("sorted([1, 2], key=s.rank)", "def rank(self, k):\n    @W\n    return k"),
    "reduced": Part("functools.reduce(s.join, [1, 2], 0)", "def join(self, p, q):\n    @W\n    return p"),
    "async": Part("asyncio.run(s.go())", "async def go(self):\n    @W"),
    "recursive": Part("s.down(1)", "def down(self, n):\n    if n:\n        return self.down(n - 1)\n    @W"),
    "returned": Part("s.stepper()()", "def stepper(self):\n    def go():\n        @W\n    return go"),
    "fluent": Part("s.step().step()", "def step(self):\n    @W\n    return self"),
    "argument": Part("use(s.step())", _STEP, "def use(x):\n    return x"),
    "print": Part("print(s, end='', file=io.StringIO())", "def __str__(self):\n    @W\n    return ''"),
    "same_statement": Part("k_ = [s.m is None, s.step()]", _STEP),
    "condition": Part("k_ = s.m is not None and s.step()", _STEP),
    "while": Part("while s.step() > 1:\n    pass", _STEP),
    "finally": Part("try:\n    pass\nfinally:\n    s.step()", _STEP),
    "assigned_on": Part("S.go = step\ns.go()", outside="def step(self):\n    @W\n    return 1"),
    "on_object": Part("s.go = types.MethodType(step, s)\ns.go()", outside="def step(self):\n    @W\n    return 1"),
    "exec_stack": Part("with contextlib.ExitStack() as st_:\n    st_.callback(s.step)", _STEP),
    "weak": Part("weakref.ref(s)().step()", _STEP),
    "deferred": Part("fs_ = [lambda: s.step()]\nfs_[0]()", _STEP),
    "map_function": Part("np.vectorize(lambda k: s.step())(np.arange(1))", _STEP),
    "any": Part("any(o_.step() for o_ in [s])", _STEP),
}  # fmt: skip

WRITES = (
    "self.m[:1] -= 1", "self.m[0] = 9.0", "self.m += 1.5", "self.m[:] = 7.0", "self.m[self.m > 3] = 0.0",
    "np.add(self.m, 1.0, out=self.m)", "self.m.fill(3.0)", "self.m.sort()", "self.m[[0, 1]] = self.m[[1, 0]]",
    "q = self.m\nq[1] = 8.0", "for i in range(2):\n    self.m[i] *= 3.0", "put_it(self.m)", "self.m *= 2.0",
    "self.m[1:3] = self.m[2:4] * 1.0", "np.copyto(self.m, 5.0)",
)  # fmt: skip
HEAD = """\
import asyncio, collections, contextlib, copy, dataclasses, functools, io, operator, threading, types, weakref
from concurrent import futures

import numpy as np


def put_it(q):
    q[0] = 6.0


"""


def program(put: str, hold: str, reach: str, write: str, shape: str) -> Program:
    """A program of some parts; `shape` says where its statements stand."""
    keeping, (holding, other), reaching = PUTS[put], HOLDS[hold], REACHES[reach]
    parts = [keeping, holding, reaching]
    before = [one.outside for one in parts if one.outside and one.outside[:2] not in ("@d", "@@")]
    after = [one.outside[2:] for one in parts if one.outside[:2] == "@@"]
    decorator = next((one.outside + "\n" for one in parts if one.outside[:2] == "@d"), "")
    inside = "\n\n".join(one.inside for one in parts if one.inside)
    if "def __init__" not in inside and "object = None" not in inside:
        inside = _KW.rstrip() + "\n\n" + inside
    base = "(Base)" if put == "base" else ""
    made = f"{decorator}class S{base}:\n{textwrap.indent(inside, '    ')}"
    definitions = "\n\n\n".join([*before, made, *after])
    lines = definitions.splitlines()
    filled = [
        textwrap.indent(write, line[: len(line) - len(line.lstrip())]) if line.strip() == "@W" else line
        for line in lines
    ]
    start, given = "a = np.array([4.0, 2.0, 6.0, 1.0])", f"[{'s.m, ' if shape[-1] != '-' else ''}{other}]"
    steps = [one for one in (keeping.text, holding.text, reaching.text) if one]
    head = HEAD + "\n".join(filled) + "\n\n\n"
    return Program({"main.py": head + _shaped(shape.rstrip("-"), start, steps, given)}, (put, hold, reach))


def _shaped(shape: str, start: str, steps: list[str], given: str) -> str:
    def block(name: str, *texts: str) -> str:
        return f"def {name}:\n" + "".join(textwrap.indent(one, "    ") + "\n" for one in texts)

    if shape == "parameter":
        return block("work(a)", *steps, f"return {given}") + "\n\n" + block("run()", start, "return work(a)")
    if shape == "module":
        return "\n".join([start, *steps]) + "\n\n\n" + block("run()", f"return {given}")
    if shape == "method":
        work = textwrap.indent(block("work(self, a)", *steps, f"return {given}"), "    ")
        return f"class Work:\n{work}\n\n" + block("run()", start, "return Work().work(a)")
    return block("run()", start, *steps, f"return {given}")


SHAPES = ("function", "function-", "parameter", "parameter-", "module", "method-")


def random_program(seed: int, number: int) -> Program:
    """A random program that runs on NumPy, and in which what is held elsewhere is written to."""
    random = Random(f"{seed} {number}")
    for _ in range(_TRIES):
        parts = random.choice([*PUTS]), random.choice([*HOLDS]), random.choice([*REACHES])
        made = program(*parts, random.choice(WRITES), random.choice(SHAPES))
        if evaluate(made.files) is not None:
            return made
    raise AssertionError("NumPy runs none of so many programs")
