"""Names that only older versions have a rule for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of

CUBE = np.arange(24.0).reshape(2, 3, 4)


@samples_of("numpy.transpose")
def transpose() -> Iterator[Sample]:
    yield call(CUBE)
    yield call(CUBE, None)
    yield call(CUBE, (2, 0, 1))
    yield call(CUBE, axes=[-1, 0, -2])
    yield call(CUBE.astype("int8"), (-1, 0, 1))
    yield call([1, 2, 3], (-1,))
    yield call([[1, 2], [3, 4]])
