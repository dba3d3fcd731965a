"""The tables of kept and flagged names against the installed NumPy and TensorFlow."""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tnp_migrate.numpy_facts import names_table
from tnp_migrate.numpy_facts.names_table import (
    DTYPE_NAMES,
    FLAGGED,
    KEPT,
    MEMBERS,
    NEEDS_NDARRAY,
    NEEDS_NUMPY_DTYPE,
    NUMPY_MODULES,
    RENAMED_IN_NUMPY2,
    SIZE_POSITION,
    STAR_NAMES,
    TENSOR_MEMBERS,
    canonical,
    dtype_problem,
    flagged,
    kept_reason,
    member_problem,
    result_of,
    returns_array,
)

# Functions that only write into an argument: the mutation pass answers for them, not a rule.
WRITES = {"numpy.copyto", "numpy.place", "numpy.put", "numpy.put_along_axis", "numpy.putmask", "numpy.fill_diagonal"}
PUBLIC_MODULES = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.lib", "numpy.polynomial")


def public_names() -> list[str]:
    """Qualified public names of the installed NumPy's main modules, without modules."""
    modules = [importlib.import_module(module) for module in PUBLIC_MODULES]
    return [
        f"{module.__name__}.{name}"
        for module in modules
        for name in module.__all__
        if not isinstance(vars(module).get(name), type(sys)) and f"{module.__name__}.{name}" not in NUMPY_MODULES
    ]


def in_tnp(name: str) -> bool:
    """Whether TensorFlow's NumPy API has the name."""
    found: Any = importlib.import_module("tensorflow.experimental.numpy")
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found is not None or name == "numpy.newaxis"


def unclassified() -> list[str]:
    """Public NumPy names that are in tnp, in a rule, in the mutation pass, kept or flagged: what is left over."""
    rules = importlib.import_module("tnp_rules.forms").load_rules()
    return [
        name
        for name in public_names()
        if not (kept_reason(name) or flagged(name) or in_tnp(name) or name in WRITES)
        and name not in rules
        and canonical(name) not in rules
        and not in_tnp(canonical(name))
    ]


@pytest.mark.parametrize("name", sorted(KEPT))
def test_kept_name_is_not_flagged(name: str) -> None:
    assert kept_reason(name)
    assert flagged(name) is None


@pytest.mark.parametrize("name", sorted(FLAGGED))
def test_flagged_name_has_code_and_one_sentence(name: str) -> None:
    answer = flagged(name)
    assert answer is not None
    code, advice = answer
    assert code.startswith("TNP")
    assert advice.endswith(".")
    assert len(advice) < 130
    assert kept_reason(name) is None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("numpy.ma.masked_where", "TNP414"),
        ("numpy.ma", "TNP414"),
        ("numpy.char.add", "TNP411"),
        ("numpy.distutils.core.setup", "TNP405"),
        ("numpy.ctypeslib.ndpointer", "TNP406"),
        ("numpy.lib.recfunctions.append_fields", "TNP410"),
        ("numpy.core.something.private", "TNP201"),
    ],
)
def test_prefix_is_flagged(name: str, code: str) -> None:
    answer = flagged(name)
    assert answer is not None
    assert answer[0] == code


@pytest.mark.parametrize(
    "name", ["numpy.mafia", "numpy.sum", "numpy.linalg.inv", "numpy", "other.ma.array", "numpy.fft"]
)
def test_ordinary_name_is_neither_kept_nor_flagged(name: str) -> None:
    assert flagged(name) is None
    assert kept_reason(name) is None


@pytest.mark.parametrize(
    "name", ["numpy.random.Generator.normal", "numpy.testing.assert_allclose", "numpy.typing.NDArray"]
)
def test_prefix_is_kept(name: str) -> None:
    assert kept_reason(name)


def test_every_public_numpy_name_has_a_class() -> None:
    assert unclassified() == []  # NumPy has gained a name, or a rule is gone: decide what becomes of it


def test_name_with_a_rule_is_in_no_table() -> None:
    rules = importlib.import_module("tnp_rules.forms").load_rules()
    assert set(rules) & (set(KEPT) | set(FLAGGED)) == set()


def test_rule_stands_under_the_name_that_is_looked_up() -> None:
    rules = importlib.import_module("tnp_rules.forms").load_rules()
    assert [name for name in rules if canonical(name) != name] == []  # `np.trapz` asks for the rule of `trapezoid`


@pytest.mark.parametrize("name", STAR_NAMES)
def test_star_names_are_what_a_star_import_brings(name: str) -> None:
    assert set(importlib.import_module(name).__all__) == STAR_NAMES[name]


def test_modules_can_be_imported() -> None:
    gone = {"numpy.distutils"} if sys.version_info >= (3, 12) else set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in sorted(NUMPY_MODULES - gone - {"numpy.emath"}):
            importlib.import_module(module)


@pytest.mark.parametrize(("old", "new"), sorted(RENAMED_IN_NUMPY2.items()))
def test_new_name_exists_and_old_one_is_gone(old: str, new: str) -> None:
    found: Any = importlib.import_module(new.partition(".")[0])
    for part in new.split(".")[1:]:
        found = getattr(found, part) if hasattr(found, part) else importlib.import_module(new.rpartition(".")[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        current = getattr(np, old.removeprefix("numpy."), None)
    assert current is None or current is found or old == "numpy.row_stack"  # which lives on, deprecated


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("numpy.core.numeric.array", "numpy.array"),
        ("numpy._core.umath.add", "numpy.add"),
        ("numpy.core.defchararray.add", "numpy.char.add"),
        ("numpy.core.records.fromarrays", "numpy.rec.fromarrays"),
        ("numpy.core.sum", "numpy.sum"),
        ("numpy.core.multiarray", "numpy.core.multiarray"),
        ("numpy.lib.scimath.sqrt", "numpy.emath.sqrt"),
        ("numpy.lib.stride_tricks.as_strided", "numpy.lib.stride_tricks.as_strided"),
        ("numpy.linalg.linalg.LinAlgError", "numpy.linalg.LinAlgError"),
        ("numpy.random.mtrand.RandomState", "numpy.random.RandomState"),
        ("numpy.concat", "numpy.concatenate"),
        ("numpy.in1d", "numpy.in1d"),  # flat, which isin is not: it has a rule of its own
        ("numpy.sum", "numpy.sum"),
    ],
)
def test_canonical_name(name: str, public: str) -> None:
    assert canonical(name) == public


@pytest.mark.parametrize("name", sorted(name for name, code in DTYPE_NAMES.items() if code is None))
def test_numeric_dtype_is_one_for_tensors(name: str) -> None:
    tf = importlib.import_module("tensorflow")
    scalar = canonical(f"numpy.{name}").removeprefix("numpy.").removeprefix("builtins.")
    dtype = np.dtype(scalar if scalar in np.sctypeDict else name)
    assert np.dtype(tf.as_dtype(dtype).as_numpy_dtype) == dtype


@pytest.mark.parametrize(
    ("dtype", "code"),
    [
        (">f4", None),
        ("<f8", None),
        ("numpy.float64", None),
        ("builtins.float", None),
        ("my_dtype", None),
        (None, None),
        ("object", "TNP409"),
        ("numpy.object_", "TNP409"),
        ("|O", "TNP409"),
        ("U", "TNP411"),
        ("<U12", "TNP411"),
        ("S3", "TNP411"),
        ("builtins.str", "TNP411"),
        ("V4", "TNP410"),
        ("i4,f8", "TNP410"),
        ("(2,)f4", "TNP410"),
        ("3f4", "TNP410"),
        ([("x", "f4")], "TNP410"),
        ({"names": ["x"], "formats": ["f4"]}, "TNP410"),
        ("datetime64[ns]", "TNP412"),
        ("M8[D]", "TNP412"),
        ("m8", "TNP412"),
        ("longdouble", "TNP418"),
        ("g", "TNP418"),
        ("complex256", "TNP418"),
    ],
)
def test_dtype_problem(dtype: object, code: str | None) -> None:
    assert dtype_problem(dtype) == code


@pytest.mark.parametrize("member", sorted(name for name in MEMBERS if name != "itemset"))
def test_flagged_member_is_one_of_an_array_and_not_of_a_tensor(member: str, tensorflow: Any) -> None:
    assert hasattr(np.ndarray, member) or member == "newbyteorder"  # a method until NumPy 2
    tensor = tensorflow.constant(1.0)
    other = {"data", "device"}  # a tensor's data is a tensor, no buffer; its device is none that NumPy knows
    assert getattr(tensor, member, tensor) is tensor or member in other
    assert member_problem(member)


@pytest.mark.parametrize("member", sorted(TENSOR_MEMBERS))
def test_member_of_a_tensor_is_one_of_an_array(member: str, tensorflow: Any) -> None:
    tensor, array = tensorflow.constant([[1.0, 2.0]]), np.array([[1.0, 2.0]], np.float32)
    arguments = (2, 1) if member == "reshape" else ()
    mine, its = getattr(tensor, member), getattr(array, member)
    found, wanted = (mine(*arguments), its(*arguments)) if callable(its) else (mine, its)
    np.testing.assert_array_equal(np.asarray(found.as_numpy_dtype if member == "dtype" else found), np.asarray(wanted))
    for lacking in TENSOR_MEMBERS[member]:
        with pytest.raises((TypeError, NotImplementedError, ValueError)):
            mine(*arguments, **{lacking: "C"})


def test_ordinary_member_has_no_problem() -> None:
    assert member_problem("sum") is None
    assert member_problem("tobytes") is None


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "choice": (5,),
    "binomial": (5, 0.5),
    "geometric": (0.5,),
    "hypergeometric": (3, 3, 2),
    "integers": (0, 5),
    "logseries": (0.5,),
    "negative_binomial": (3, 0.5),
    "randint": (0, 5),
    "random_integers": (1, 5),
    "triangular": (0.0, 0.5, 1.0),
    "uniform": (0.0, 1.0),
    "zipf": (2.0,),
}


@pytest.mark.parametrize("draw", sorted(SIZE_POSITION))
@pytest.mark.filterwarnings("ignore:This function is deprecated")
def test_size_is_where_the_table_says(draw: str) -> None:
    homes = (np.random.RandomState(0), np.random.default_rng(0))
    for function in [getattr(home, draw) for home in homes if hasattr(home, draw)] or [getattr(np.random, draw)]:
        position = SIZE_POSITION[draw]
        arguments = ARGUMENTS.get(draw, (2.0,) * position)
        assert len(arguments) == position
        assert np.shape(function(*arguments, 3)) == (3,)
        assert np.shape(function(*arguments)) == ()
        assert returns_array(f"numpy.random.{draw}", call_has_size=True)
        assert not returns_array(f"numpy.random.{draw}", call_has_size=False)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("permutation", (3,)),
        ("permuted", ([1, 2],)),
        ("dirichlet", ([1.0, 2.0],)),
        ("multinomial", (3, [0.5, 0.5])),
        ("multivariate_normal", ([0.0], [[1.0]])),
        ("multivariate_hypergeometric", ([3, 3], 2)),
    ],
)
def test_draw_is_always_an_array(name: str, arguments: tuple[Any, ...]) -> None:
    assert isinstance(getattr(np.random.default_rng(0), name)(*arguments), np.ndarray)
    assert returns_array(f"numpy.random.Generator.{name}", call_has_size=False)


def test_results_that_are_not_arrays() -> None:
    for name in ("numpy.random.seed", "numpy.random.get_state", "numpy.random.shuffle", "numpy.save", "numpy.dtype"):
        assert result_of(name) == "never"
    assert result_of("numpy.load") == "sometimes"
    assert returns_array("numpy.loadtxt", call_has_size=False)


def kept_calls() -> dict[str, Callable[[Any, Any], object]]:
    """Kept calls that take arrays, given a matrix and a vector of integers."""
    return {
        "numpy.save": lambda x, _: np.save(io.BytesIO(), x),
        "numpy.savez": lambda x, i: np.savez(io.BytesIO(), x, i=i),
        "numpy.savez_compressed": lambda x, i: np.savez_compressed(io.BytesIO(), x, i=i),
        "numpy.savetxt": lambda x, _: np.savetxt(io.BytesIO(), x, fmt="%d"),
        "numpy.array2string": lambda x, _: np.array2string(x, precision=2),
        "numpy.array_str": lambda x, _: np.array_str(x),
        "numpy.array_repr": lambda x, _: np.array_repr(x),
        "numpy.common_type": lambda x, _: np.common_type(x),
        "numpy.format_float_positional": lambda x, _: np.format_float_positional(x[0, 0]),
        "numpy.format_float_scientific": lambda x, _: np.format_float_scientific(x[0, 0]),
        "numpy.base_repr": lambda _, i: np.base_repr(i[1]),
        "numpy.binary_repr": lambda _, i: np.binary_repr(i[1]),
        "numpy.min_scalar_type": lambda x, _: np.min_scalar_type(x[0, 0]),
        "numpy.einsum_path": lambda x, _: np.einsum_path("ij,jk->ik", x, x),
        "numpy.testing.assert_allclose": lambda x, _: np.testing.assert_allclose(x, x),
        "numpy.testing.assert_array_equal": lambda x, _: np.testing.assert_array_equal(x, x),
        "numpy.testing.assert_array_almost_equal": lambda x, _: np.testing.assert_array_almost_equal(x, x),
        "numpy.testing.assert_array_less": lambda x, _: np.testing.assert_array_less(x, x + 1),
        "numpy.testing.assert_array_almost_equal_nulp": lambda x, _: np.testing.assert_array_almost_equal_nulp(x, x),
        "numpy.testing.assert_array_max_ulp": lambda x, _: np.testing.assert_array_max_ulp(x, x),
        "numpy.testing.assert_approx_equal": lambda x, _: np.testing.assert_approx_equal(x[0, 0], x[0, 0]),
        "numpy.testing.assert_equal": lambda x, _: np.testing.assert_equal(x, x),
        "numpy.testing.assert_almost_equal": lambda x, _: np.testing.assert_almost_equal(x, x),
        "numpy.random.default_rng": lambda _, i: np.random.default_rng(i[0]),
        "numpy.random.shuffle": lambda x, _: np.random.shuffle(x),
        "numpy.random.Generator.shuffle": lambda x, _: np.random.default_rng(0).shuffle(x),
        "numpy.random.RandomState.shuffle": lambda x, _: np.random.RandomState(0).shuffle(x),
        "numpy.random.normal": lambda x, _: np.random.default_rng(0).normal(x, size=x.shape),
        "numpy.random.choice": lambda _, i: np.random.default_rng(0).choice(i, 2),
        "numpy.random.multivariate_normal": lambda x, _: np.random.default_rng(0).multivariate_normal(x[0], x @ x.T),
        "numpy.random.seed": lambda _, i: np.random.RandomState(i[0]),
        "numpy.random.permutation": lambda x, _: np.random.default_rng(0).permutation(x),
    }


@pytest.mark.parametrize("name", sorted(kept_calls()))
def test_kept_call_reads_tensors_unless_listed(name: str) -> None:
    tnp = importlib.import_module("tensorflow.experimental.numpy")
    tnp.experimental_enable_numpy_behavior()
    arrays = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1, 2])
    kept_calls()[name](*(array.copy() for array in arrays))
    tensors = [tnp.asarray(array) for array in arrays]
    assert kept_reason(name)
    if name in NEEDS_NDARRAY:
        with pytest.raises((TypeError, ValueError, AttributeError, UserWarning)):
            kept_calls()[name](*tensors)
    else:
        kept_calls()[name](*tensors)


def test_every_listed_exception_is_tried() -> None:
    assert set(kept_calls()) >= NEEDS_NDARRAY


@pytest.mark.parametrize("name", sorted(NEEDS_NUMPY_DTYPE))
def test_dtype_question_rejects_the_dtype_of_a_tensor(name: str) -> None:
    tf = importlib.import_module("tensorflow")
    function = getattr(np, name.removeprefix("numpy."))
    with pytest.raises((TypeError, ValueError)):
        function(tf.float64)
    assert function(tf.float64.as_numpy_dtype) is not None


def test_import_needs_no_other_package() -> None:
    code = (
        "import sys, tnp_migrate.numpy_facts.names_table; "
        "print(sorted({'numpy', 'tensorflow', 'libcst'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_all_lists_what_is_there() -> None:
    assert all(hasattr(names_table, name) for name in names_table.__all__)


if __name__ == "__main__":
    print(*unclassified(), sep="\n")
