"""Samples of the elementwise rules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rule_samples import Sample, call, samples_of


@samples_of("numpy.degrees")
def degrees() -> Iterator[Sample]:
    yield call(np.array([0.0, np.pi, np.nan]))
    yield call(np.array([[1.5, -2.0]], np.float32))
