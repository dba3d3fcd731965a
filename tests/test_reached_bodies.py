"""What a call may run: names of libraries are no methods of the project, and a result is one of what returns give."""

import textwrap
from pathlib import Path

import pytest
from analysis_cases import analyse, islands_of

from tnp_migrate.analysis.functions_as_values import called_out_of_sight

NUMPY = "import numpy as np\n"
NATIVE = {
    "function_of_numpy_with_the_name_of_a_method": """
        class Box:
            def __init__(self):
                self.m = np.zeros(3)

            def concatenate(self):
                return self.m

            def grow(self):
                self.m = self.m + 1

        def run(a, b):
            c = np.concatenate([a[..., np.newaxis], b[..., np.newaxis]], axis=-1)
            c += 1
            return c
        """,
    "function_of_a_library_that_is_read_and_has_the_name_of_a_method": """
        import scipy.ndimage as ndi

        class Box:
            def __init__(self):
                self.m = np.zeros(3)

            def gaussian_filter(self, x):
                return self.m

        def run(a):
            smooth = ndi.gaussian_filter
            b = np.asarray(smooth(a, 1))
            b = b + 1
            return b
        """,
    "returns_of_a_parameter_and_of_something_else": """
        def fixed(data: np.ndarray, n):
            if n:
                return data[:n]
            return data

        def halved(y: np.ndarray, flag):
            if flag:
                return y
            z = fixed(np.sin(y), 3)
            z /= 2.0
            return z
        """,
    "operator_of_what_no_text_says_the_kind_of": """
        def spread(dz, flag):
            if flag:
                dz = dz + 1j * dz
            part = np.real(dz)
            if flag:
                err = np.sqrt(part)
                err[err == np.inf] = np.abs(dz)[err == np.inf]
            else:
                err = dz
            return err, part
        """,
    "text_that_is_added_to": """
        import functools

        def over_arrays(function):
            vectorized = np.vectorize(function)

            @functools.wraps(function)
            def over(*args):
                return vectorized(*args)

            return over

        @over_arrays
        def named(number, high=False):
            name = list(one[0] for one in ["Sa", "Re", "Ga"])[number % 3]
            if high:
                name += "'"
            return name
        """,
    "array_of_what_a_function_gives": """
        STEPS = [np.zeros(2)]

        def pick(place):
            return STEPS[0][int(place)]

        def run():
            over = np.vectorize(pick)
            picked = over(np.arange(2))
            picked += 1
            return picked
        """,
    "module_of_another_package_that_is_imported": """
        import importlib

        def run(name, what):
            module = importlib.import_module(f"plugins.{name}")
            return getattr(module, what)(1, 2)
        """,
    "module_that_is_returned_and_read_for_its_version": """
        import importlib

        def module_of(name):
            module = importlib.import_module(name)
            return module

        def version_of(name):
            return module_of(name).__version__
        """,
    "module_that_is_returned_and_whose_name_callers_write": """
        import importlib

        def module_of(name):
            return importlib.import_module(name)

        def run():
            tables = module_of("tables")
            return getattr(tables, "open" + "_file")(1, 2)
        """,
    "signatures_of_one_function": """
        from typing import overload

        @overload
        def steps(y: np.ndarray, hop: int) -> tuple: ...
        @overload
        def steps(y: float, hop: int) -> tuple: ...
        def steps(y, hop):
            mine = hop
            mine //= 2
            return y * hop, mine

        def run(y: np.ndarray, hop: int):
            return steps(y, hop)
        """,
    "module_that_is_imported_for_its_version": """
        import importlib

        def version_of(name):
            module = importlib.import_module(name)
            return getattr(module, "__version__", None)

        def steps(y, hop):
            mine = hop
            mine //= 2
            return y * hop, mine

        def run(y: np.ndarray, hop: int):
            return steps(y, hop)
        """,
    "attribute_that_another_class_asks_for_by_a_computed_name": """
        class Grid:
            def steps(self, y, hop):
                mine = hop
                mine //= 2
                return y * hop, mine

        class Options:
            def __init__(self, sizes):
                self.sizes = sizes

            def read(self, name):
                return getattr(self, name)

        def run(y: np.ndarray, hop: int):
            return Grid().steps(y, hop)
        """,
}
STAYS = {
    "operator_that_gives_what_an_object_has": (
        """
        class Held:
            def __init__(self):
                self.x = np.zeros(3)

            def __add__(self, other):
                return self.x

        def step(a, flag):
            b = a + 1
            c = np.real(b)
            d = b if flag else np.sqrt(c)
            d[0] = 1
            return c, d

        def run():
            return step(Held(), True)
        """,
        {"step"},
    ),
    "object_array_of_what_a_function_gives": (
        """
        STEPS = [np.zeros(2)]

        def pick(place):
            return STEPS[0]

        def run():
            picked = np.frompyfunc(pick, 1, 1)(np.arange(2))
            picked[0][0] = 5
            return STEPS[0]
        """,
        {"pick", "run"},
    ),
    "function_that_writes_and_is_vectorized": (
        """
        KEPT = np.zeros(2)

        def count(place):
            KEPT[0] += place
            return KEPT

        def run():
            mine = count(0)
            np.vectorize(count, otypes=[object])(np.arange(2))
            mine[1] = 4
            return KEPT
        """,
        {"count", "run"},
    ),
    "result_of_a_function_that_calls_itself": (
        """
        def grown(x, n):
            if n == 0:
                return x
            y = grown(x, n - 1)
            y += 1
            return y

        class Box:
            def __init__(self):
                self.m = np.zeros(2)

        def run():
            box = Box()
            grown(box.m, 3)
            return box.m
        """,
        {"grown", "run", "Box.__init__"},
    ),
    "result_that_is_a_parameter_or_its_copy": (
        """
        def one_of(x, flag):
            if flag:
                return x, x
            return x.copy(), x

        def run():
            a = np.zeros(2)
            first, second = one_of(a, True)
            first -= 1
            return a, second
        """,
        {"one_of", "run"},
    ),
    "method_that_is_bound_in_the_place_of_a_function_of_numpy": (
        """
        class Box:
            def __init__(self):
                self.m = np.zeros(3)

            def sum(self, *args):
                return self.m

        box = Box()
        np.sum = box.sum

        def run():
            total = np.sum(box.m)
            total += 1
            return box.m
        """,
        {"Box.sum", "run"},
    ),
}


@pytest.mark.parametrize("name", NATIVE)
def test_nothing_else_is_reached(name: str, tmp_path: Path) -> None:
    assert islands_of(NUMPY + textwrap.dedent(NATIVE[name]), tmp_path) == set()


@pytest.mark.parametrize("name", STAYS)
def test_what_is_reached_and_written_to_stays(name: str, tmp_path: Path) -> None:
    program, islands = STAYS[name]
    assert islands <= islands_of(NUMPY + textwrap.dedent(program), tmp_path)


STEPS = """
def steps(y, hop):
    return y * hop


"""
NAMED_ELSEWHERE = {
    "module_of_a_table_of_others": """
        import importlib

        NAMES = {"a": "math", "b": "cmath"}

        def run(key, name):
            if key not in NAMES:
                raise KeyError(list(NAMES))
            return getattr(importlib.import_module(NAMES[key]), name)(1, 2)
        """,
    "module_of_a_table_in_a_table_that_a_function_gives": """
        import importlib
        import math

        def tables():
            names = {"sqrt": {"plain": math.sqrt, "fast": "cmath"}}
            return names

        def run(mode, name):
            table = tables()
            found = table[name]
            found = found[mode]
            if not callable(found):
                found = getattr(importlib.import_module(found), name)
            return found
        """,
    "module_that_is_imported_for_its_version": """
        import importlib

        def version_of(name):
            module = importlib.import_module(name)
            return getattr(module, "__version__", None)
        """,
    "signatures_of_one_function": """
        from typing import overload

        @overload
        def steps(y: int, hop: int) -> int: ...
        @overload
        def steps(y: str, hop: int) -> str: ...
        """,
    "attribute_that_another_class_asks_for_by_a_computed_name": """
        class Grid:
            def steps(self, y, hop):
                return y * hop

        class Options:
            def read(self, name):
                return getattr(self, name)
        """,
}
NAMED = {
    "module_of_a_table_that_names_it": """
        import importlib

        NAMES = {"a": "math", "b": "case"}

        def run(key, name):
            return getattr(importlib.import_module(NAMES[key]), name)(1, 2)
        """,
    "module_of_a_table_that_grows": """
        import importlib

        NAMES = {"a": "math"}

        def add(key, name):
            NAMES[key] = name

        def run(key, name):
            return getattr(importlib.import_module(NAMES[key]), name)(1, 2)
        """,
    "module_of_a_table_that_is_joined_with_another": """
        import importlib

        NAMES = {"a": "math"}
        NAMES |= {"b": "case"}

        def run(key, name):
            return getattr(importlib.import_module(NAMES[key]), name)(1, 2)
        """,
    "module_of_a_table_that_is_handed_on": """
        import importlib

        NAMES = {"a": {"fast": "math"}}

        def table(key):
            return NAMES[key]

        def run(key, name):
            return getattr(importlib.import_module(NAMES["a"][key]), name)(1, 2)
        """,
    "module_of_a_table_in_a_table_that_is_put_into": """
        import importlib

        def tables():
            names = {"sqrt": {"fast": "math"}}
            return names

        def run(key, name, more):
            found = tables()["sqrt"]
            found["more"] = more
            return getattr(importlib.import_module(found[key]), name)(1, 2)
        """,
    "module_of_a_table_that_is_gone_through": """
        import importlib

        def run(keys, name):
            at = {"a": {"b": "case"}, "c": "math"}
            for key in keys:
                at = at[key]
            return getattr(importlib.import_module(at), name)(1, 2)
        """,
    "module_that_is_imported_and_asked_for_anything": """
        import importlib

        def run(name, what):
            module = importlib.import_module(name)
            return getattr(module, what)(1, 2)
        """,
    "module_that_is_imported_and_asked_for_it": """
        import importlib

        def run(name):
            module = importlib.import_module(name)
            return module.steps(1, 2)
        """,
    "module_whose_name_is_written_in_part": """
        import importlib

        def run(name, what):
            module = importlib.import_module("ca" + name)
            return getattr(module, what)(1, 2)
        """,
    "module_of_a_package_that_is_named_elsewhere": """
        import importlib

        def run(name, what):
            module = importlib.import_module("." + name, __package__)
            return getattr(module, what)(1, 2)
        """,
    "module_that_is_returned_and_asked_for_anything": """
        import importlib

        def module_of(name):
            return importlib.import_module(name)

        def run(name, what):
            return getattr(module_of(name), what)(1, 2)
        """,
    "module_that_is_returned_by_a_function_of_another_name": """
        import importlib

        def module_of(name):
            return importlib.import_module(name)

        find = module_of

        def run(name, what):
            return getattr(find(name), what)(1, 2)
        """,
    "module_that_is_returned_and_whose_name_is_a_default": """
        import importlib

        def module_of(name="case"):
            return importlib.import_module(name)

        def run(what):
            return getattr(module_of(), what)(1, 2)
        """,
    "attribute_that_its_own_class_asks_for_by_a_computed_name": """
        class Grid:
            def steps(self, y, hop):
                return y * hop

            def read(self, name):
                return getattr(self, name)
        """,
}


def _out_of_sight(program: str) -> set[str]:
    text = textwrap.dedent(program) + STEPS
    return {function.node.name for function in called_out_of_sight(analyse(case=text))}


@pytest.mark.parametrize("name", NAMED_ELSEWHERE)
def test_what_is_named_elsewhere_is_not_called_with_anything(name: str) -> None:
    assert "steps" not in _out_of_sight(NAMED_ELSEWHERE[name])


@pytest.mark.parametrize("name", NAMED)
def test_what_may_be_named_is_called_with_anything(name: str) -> None:
    assert "steps" in _out_of_sight(NAMED[name])
