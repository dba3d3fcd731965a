"""Functions and statements around what a random program does: what stands before it, and what runs it."""

INNER = (
    ("def act(q):", "act($h)"),
    ("def act(k, q):", "act(1, q=$h)"),
    ("def act(q=$h):", "act()"),
    ("def act(k, *, q=$h):", "act(2)"),
    ("def act(*qs):\n    q = qs[0]", "act($h)"),
    ("def act(qs=[$h]):\n    q = qs[0]", "act()"),
    ("def act(q):", "list(map(act, [$h]))"),
    ("def act(q):\n    yield q", "for e in act($h):\n    s = e.sum()"),
    ("q = $h\n\n\ndef act():\n    nonlocal q", "act()"),
    ("class Act:\n    def go(self, q):", "Act().go($h)"),
    ("class Act:\n    @staticmethod\n    def go(q):", "Act.go($h)"),
    (
        "class Act:\n    def __init__(self, q):\n        self.q = q\n\n    def __call__(self):\n        q = self.q",
        "Act($h)()",
    ),
    ("def act(q):\n    def inner(q):", "    inner(q)\n\n\nact($h)"),
    ("class Act:\n    @classmethod\n    def go(cls, q):", "Act.go($h)"),
    ("class Act:\n    def go(self, q):", "Act.go(None, $h)"),
    ("class Act:\n    def __add__(self, q):", "s = Act() + $h"),
    ("class Act:\n    @property\n    def now(self):\n        q = $h", "s = Act().now"),
    ("def put(self, q):", "class Act:\n    go = put\n\n\nAct().go($h)"),
    (
        "def deco(f):\n    def inner(q):",
        "        return f(q)\n\n    return inner\n\n\n@deco\ndef act(x):\n    pass\n\n\nact($h)",
    ),
    (
        "def deco(f):\n    def inner(*xs):\n        q = f(*xs)",
        "    return inner\n\n\n@deco\ndef act(x):\n    return x\n\n\nact($h)",
    ),
    (
        "def deco(f):\n    def inner(self, q):",
        "    return inner\n\n\nclass Act:\n    @deco\n    def go(self, x):\n        pass\n\n\nAct().go($h)",
    ),
    ("def deco(f):\n    q = f()", "    return f\n\n\n@deco\ndef act():\n    return $h"),
    (
        "class Act:\n    __exit__ = print\n\n    def __enter__(self):\n        return $h\n\n\nwith Act() as q:",
        "s = 1",
    ),
    ("match [$h, 1]:\n    case [q, _]:", "s = 1"),
    ("async def act(q):", "asyncio.run(act($h))"),
)
