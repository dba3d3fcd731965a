"""What functions of NumPy give back of their arguments, measured on the samples of all rules."""

import ast
import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from rule_samples import all_samples, numpy_object

from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.given_back import given_back
from tnp_migrate.numpy_facts.signatures import may_not_copy


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray) and value.size:
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from arrays_in(one)


def written(args: list[Any], words: dict[str, Any]) -> ast.Call:
    """The call, with names for arrays and lists and the texts of all else."""

    def shown(name: str, value: Any) -> str:
        parts = value if isinstance(value, list | tuple) else [value]
        plain = all(isinstance(one, int | str | type(Ellipsis)) for one in parts)
        return repr(value).replace("[Ellipsis", "[...") if plain else name

    given = [shown(f"a{position}", one) for position, one in enumerate(args)]
    given += [f"{name}={shown(name, one)}" for name, one in words.items()]
    node = ast.parse(f"f({', '.join(given)})", mode="eval").body
    assert isinstance(node, ast.Call)
    return node


def shared_by_text(call: ast.Call, name: str) -> set[str]:
    views = name in traits.VIEW_FUNCTIONS or (name in traits.COPY_FUNCTIONS and may_not_copy(call))
    return {ast.unparse(one) for one in (*given_back(call, name), *(call.args[:1] if views else ()))}


FUNCTIONS = [one for one in all_samples() if not one.startswith("numpy.ndarray.") and ".at" not in one]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_that_a_result_shares_is_known(name: str) -> None:
    try:
        function = numpy_object(name)
    except AttributeError:
        pytest.skip("not in this NumPy")
    for sample in all_samples()[name]:
        args, words = copy.deepcopy([*sample.args]), copy.deepcopy(sample.kwargs)
        words.pop("out", None)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                given = [*arrays_in(function(*args, **words))]
        except Exception:  # noqa: BLE001  # whichever error the sample is about
            continue
        places = {**{f"a{position}": one for position, one in enumerate(args)}, **words}
        shared = {
            place
            for place, value in places.items()
            if any(np.shares_memory(one, result) for one in arrays_in(value) for result in given)
        }
        assert shared <= shared_by_text(written(args, words), name), (name, sample)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("np.histogram(x, e)", ["e"]),
        ("np.histogram(x, bins=e)", ["e"]),
        ("np.histogram(x)", []),
        ("np.histogram2d(x, y, [e, f])", ["[e, f]"]),
        ("np.ix_(a, b)", ["a", "b"]),
        ("np.diff(x)", []),
        ("np.diff(x, 2)", []),
        ("np.diff(x, n=0)", ["x"]),
        ("np.diff(x, k)", ["x"]),
        ("np.linalg.matrix_power(x, 1)", ["x"]),
        ("np.linalg.matrix_power(x, 3)", []),
        ("np.fft.fftn(x, axes=axes)", []),
        ("np.meshgrid(x, y)", []),
        ("np.meshgrid(x, y, copy=False)", ["x", "y"]),
        ("np.einsum('ii->i', x)", ["x"]),
        ("np.einsum(x, [0, 0], [0])", ["x"]),
        ("np.einsum('ij,j', x, y)", []),
        ("np.ndarray((3,), float, b)", ["b"]),
    ],
)
def test_what_a_call_gives_back(text: str, expected: list[str]) -> None:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    name = ast.unparse(call.func).replace("np.", "numpy.", 1)
    assert [ast.unparse(one) for one in given_back(call, name)] == expected
