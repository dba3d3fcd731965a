"""The names of dtypes that the translator promotes, against NumPy."""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
import pytest

from tnp_migrate.numpy_facts.dtypes import divided, floating, real, reduced, result_type

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
REDUCTIONS = (
    "sum prod nansum nanprod cumsum cumprod nancumsum nancumprod trace mean average median nanmean nanmedian "
    "percentile quantile nanpercentile nanquantile std var nanstd nanvar linalg.norm max min amax amin nanmax nanmin "
    "ptp argmax argmin nanargmax nanargmin count_nonzero all any".split()
)


@pytest.mark.parametrize(("one", "other"), list(product(DTYPES, DTYPES)))
def test_promotion(one: str, other: str) -> None:
    assert result_type([one, other]) == np.result_type(np.dtype(one), np.dtype(other)).name


@pytest.mark.parametrize("dtype", DTYPES)
def test_floating_functions_and_quotients(dtype: str) -> None:
    ones = np.ones(2, dtype)
    assert floating(dtype) == np.sin(ones).dtype.name
    assert divided(dtype) == (ones / ones).dtype.name
    assert real(dtype) == ones.real.dtype.name


@pytest.mark.parametrize(("name", "dtype"), list(product(REDUCTIONS, DTYPES)))
def test_reductions(name: str, dtype: str) -> None:
    function = getattr(np.linalg, name[7:]) if name.startswith("linalg.") else getattr(np, name)
    ones = np.ones((2, 2), dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = np.asarray(
                function(ones, 50)
                if "percentile" in name
                else function(ones, 0.5)
                if "quantile" in name
                else function(ones)
            )
        except TypeError:
            pytest.skip(f"NumPy refuses {name} of {dtype}")
    assert reduced(name.rpartition(".")[2], dtype) in (None, found.dtype.name)


@pytest.mark.parametrize("dtype", ["object", "str", "datetime64", None])
def test_other_dtypes_are_not_known(dtype: str | None) -> None:
    assert reduced("max", dtype) is None
    assert dtype is None or result_type(["int64", dtype]) is None
