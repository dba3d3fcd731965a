"""Calls that hypothesis draws for every rule and every direct name: what the translator makes of each, against NumPy.

A drawn call becomes the text of a function, the translator translates the text, and the result is run on tensors, on
ndarrays and under `tf.function`. So each name is judged as users meet it: written out, as a helper, or as plain tnp
where that is what comes out; what stays on NumPy is not run.

By default a few examples for each name, always the same. Many, and others each time:

    python -m pytest tests/test_generated_calls.py --hypothesis-profile thorough -k median
"""

from __future__ import annotations

import warnings
from typing import Any

import hypothesis
import numpy as np
import pytest
from call_kinds import NOT_GENERATED, calls, parameters, short
from generated_programs import Call, original, translated
from known_differences import KNOWN, known_difference, sample_of
from rule_samples import is_in_numpy

from tnp_migrate.coverage import rows

NAMES = sorted({row.name for row in rows() if row.answer.kind in ("direct", "rule", "helper")})
GENERATED = [name for name in NAMES if short(name) not in NOT_GENERATED and is_in_numpy(name)]
