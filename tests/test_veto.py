"""Which functions the heap keeps on NumPy: those that touch memory which a call hands out and that is written to."""
# ruff: noqa: E501  # a program a line reads best

from pathlib import Path

import pytest
from analysis_cases import islands_of

from tnp_migrate.program.config import Config
from tnp_migrate.project import migrate
from tnp_migrate.text.discovery import discover

MODEL = """
import numpy as np

class Model:
    def __init__(self):
        self._w = np.zeros(2)

    def weights(self):
        return self._w

    def step(self):
        self._w -= 1
"""

SOLVER = """
import numpy as np

class Solver:
    def start(self):
        return np.zeros(2)

    def solve(self, x):
        y = self.start()
        y += x
        return y

class Warm(Solver):
    def __init__(self):
        self.last = np.zeros(2)

    def start(self):
        return self.last

    def solve(self, x):
        return SOLVED

def run():
    warm = Warm()
    return Solver().solve(1.0), warm.solve(2.0), warm.last
"""

COUNTED = """
import numpy as np

def ring(n):
    \"\"\"A ring.

    Parameters
    ----------
    n : int
    \"\"\"
    n -= 1
    return np.zeros(n)

"""

MODELS = "import numpy as np\n" + "".join(
    f"""
class Model{number}:
    def fit(self, x):
        self.seen = np.mean(x, axis=0) * {number}
        self.seen -= 1
        return self.seen
"""
    for number in range(9)
)
FOREST = """
class Forest:
    def __init__(self):
        self.models = []
        for _ in range(3):
            self.models.append(Model0())

    def fit(self, x):
        y = np.zeros(3)
        for model in self.models:
            y += model.fit(x)
        return y

def run(x):
    return Forest().fit(x), Model1().fit(x).sum()
"""

READ = {
    "results_of_the_class_that_a_list_holds_among_many_namesakes": MODELS + FOREST,
    "result_of_a_class_that_never_gets_to_the_method": SOLVER.replace("SOLVED", "x + self.start()"),
    "result_is_reduced_at_once": MODEL + "def run():\n    m = Model()\n    m.step()\n    return m.weights().sum()\n",
    "result_is_read_before_the_write": MODEL
    + "def run():\n    m = Model()\n    s = m.weights().sum()\n    m.step()\n    return s\n",
    "fresh_memory_is_the_callers": "import numpy as np\n\ndef make(n):\n    return np.zeros(n)\n\ndef run():\n    a = make(2)\n    a[0] = 1\n    return a\n",
    "number_by_the_docstring": COUNTED + "def run(given):\n    return ring(given.width)\n",
    "copy_of_what_is_handed_out": MODEL
    + "def run():\n    m = Model()\n    w = m.weights().copy()\n    w[0] = 1\n    return w\n",
}
WRITTEN = {
    "result_of_a_class_that_asks_super": (
        SOLVER.replace("SOLVED", "super().solve(x)"),
        {"Solver.solve", "Warm.__init__", "Warm.start", "Warm.solve", "run"},
    ),
    "result_is_written_to": (
        MODEL + "def run():\n    m = Model()\n    w = m.weights()\n    w[0] = 1\n    return m.weights()\n",
        {"Model.__init__", "Model.weights", "Model.step", "run"},
    ),
    "result_is_kept_while_it_is_written_to": (
        MODEL + "def run():\n    m = Model()\n    w = m.weights()\n    m.step()\n    return w\n",
        {"Model.__init__", "Model.weights", "Model.step", "run"},
    ),
    "number_of_arguments_of_what_is_vectorized": (
        "import numpy as np\n\ndef one(a):\n    a += np.ones(2)\n    return a\n\ndef run(n):\n    return np.frompyfunc(one, n, 1), n + 1\n",
        {"one"},
    ),
    "array_for_a_number_of_the_docstring": (
        COUNTED.replace("np.zeros(n)", "n + 1")
        + "def pick(given, key):\n    return given[key]\n\ndef run():\n    given = {'a': np.ones(2), 'b': 'text'}\n    a = pick(given, 'a')\n    return ring(a), a\n",
        {"ring", "pick", "run"},
    ),
    "array_and_view_of_one_result": (
        "import numpy as np\n\ndef make():\n    a = np.zeros(4)\n    return a, a[1:3]\n\ndef run():\n    a, v = make()\n    v += 1\n    return a\n",
        {"make", "run"},
    ),
    "cache_behind_a_decorator": (
        "import functools\nimport numpy as np\n\n@functools.cache\ndef table():\n    return np.zeros(2)\n\ndef run():\n    t = table()\n    t *= 3\n    return table()\n",
        {"table", "run"},
    ),
}


TWICE = (
    "[q, q]",
    "(q, q[:2])",
    "{0: q, 1: q.T}",
    "{0: r[0], 1: r[0]}",
    "{0: r[0], 1: r}",
    "dict([(0, q)]) | {1: q}",
    "dict(zip((0, 1), [q, q]))",
    "{**base, 1: base[0]}",
    "SimpleNamespace(a=q, b=q)",
)
ONCE = ("[q, q.copy()]", "{0: r[0], 1: r[1]}", "{0: q, 1: q.sum()}")
DISPLAYED = """
from types import SimpleNamespace
import numpy as np

class Model:
    def __init__(self):
        q, r = np.ones(3), np.zeros((2, 3))
        base = {0: q}
        self.kept = MADE

    def step(self):
        self.kept[0][0] = 5.0
        return self.kept[1]

CALLER
"""
CALLER = "def run():\n    m = Model()\n    m.step()\n    return m.step()\n"
KEPT = (
    ("self.a = self.b = np.zeros(3)", "self.a += 1"),
    ("q = np.zeros(3); self.a = q; self.b = q[1:]", "self.a[0] = 1"),
    ("q = np.zeros(3); self.a = q; self.b = {'w': q}", "self.a[0] = 1"),
    ("self.a = [np.zeros(3)] * 2; self.b = 0", "self.a[0][0] = 1"),
)
OWN = (
    ("self.a, self.b = np.zeros(3), np.zeros(3)", "self.a += 1"),
    ("q = np.zeros(3); self.a = q; self.b = q.copy()", "self.a[0] = 1"),
    ("self.a = self.b = np.zeros(3)", "self.c = self.a + self.b"),
)
METHODS = """
import numpy as np

class Base:
    def __init__(self):
        MADE

class Model(Base):
    def step(self):
        WRITTEN

    def read(self):
        return self.b
"""


def displayed(made: str) -> str:
    text = DISPLAYED.replace("MADE", made).replace("CALLER", CALLER)
    return text.replace("kept[0]", "kept.a").replace("kept[1]", "kept.b") if "Space" in made else text


@pytest.mark.parametrize("made", TWICE)
def test_one_array_at_two_places_of_a_display_stays(made: str, tmp_path: Path) -> None:
    assert islands_of(displayed(made), tmp_path) == {"Model.__init__", "Model.step", "run"}


@pytest.mark.parametrize("made", ONCE)
def test_arrays_of_their_own_in_a_display_are_followed(made: str, tmp_path: Path) -> None:
    text = displayed(made).replace(CALLER, "def run():\n    Model().step()\n")
    assert islands_of(text, tmp_path) == set()


@pytest.mark.parametrize(("made", "written"), KEPT)
def test_one_array_in_two_attributes_stays_whoever_calls_the_methods(made: str, written: str, tmp_path: Path) -> None:
    text = METHODS.replace("MADE", made).replace("WRITTEN", written)
    assert islands_of(text, tmp_path) >= {"Base.__init__", "Model.step"}


@pytest.mark.parametrize(("made", "written"), OWN)
def test_arrays_of_their_own_in_attributes_are_followed(made: str, written: str, tmp_path: Path) -> None:
    assert islands_of(METHODS.replace("MADE", made).replace("WRITTEN", written), tmp_path) == set()


@pytest.mark.parametrize("name", READ)
def test_what_is_only_read_costs_nobody_an_island(name: str, tmp_path: Path) -> None:
    assert islands_of(READ[name], tmp_path) == set()


@pytest.mark.parametrize("name", WRITTEN)
def test_what_touches_memory_that_is_handed_out_and_written_to_stays(name: str, tmp_path: Path) -> None:
    text, expected = WRITTEN[name]
    assert islands_of(text, tmp_path) == expected


def test_order_of_files_does_not_decide(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MODEL)
    (tmp_path / "b.py").write_text(
        "from a import Model\n\ndef run():\n    m = Model()\n    m.weights()[0] = 1\n    return m.weights()\n"
    )
    found = list(discover([tmp_path]))
    made = [migrate(order, Config()) for order in (found, found[::-1])]
    texts = [{report.path: (report.after, report.islands) for report in one.reports} for one in made]
    assert texts[0] == texts[1]
    assert {name for report in made[0].reports for name in report.islands} >= {"Model.weights", "run"}


MAKER = """
import numpy as np

def doubled(x):
    out = np.zeros(3)
    out[:] = x * 2
    return out

class Net:
    def __init__(self):
        self.seen = []

    def step(self, x):
        x = doubled(x)
        self.seen.append(x)
        x += 1
        return x

def run():
    net = Net()
    return [net.step(np.ones(3)), net.seen[0]]
"""


def test_what_makes_arrays_for_its_callers_alone_needs_not_stay_with_them(tmp_path: Path) -> None:
    assert islands_of(MAKER, tmp_path) == {"Net.step", "run"}


def test_what_makes_arrays_for_unknown_callers_stays_with_those_that_are_known(tmp_path: Path) -> None:
    assert "doubled" in islands_of(MAKER + "\nMAKERS = [doubled]\n", tmp_path)
