"""What NumPy 2.0 does otherwise than 2.1."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _floating, _is_exact, _tensor, _truncated


@helper("numpy.floor", direct="float", until="numpy 2.1")
def floor(x: Any) -> tf.Tensor:
    """NumPy 2.0 makes integers floats, as small as they fit: uint8 becomes float16."""
    x = _tensor(x)
    return _floating(x) if _is_exact(x) else tf.math.floor(x)


@helper("numpy.ceil", direct="float", until="numpy 2.1")
def ceil(x: Any) -> tf.Tensor:
    """NumPy 2.0 makes integers floats."""
    x = _tensor(x)
    return _floating(x) if _is_exact(x) else tf.math.ceil(x)


@helper("numpy.trunc", "numpy.fix", until="numpy 2.1")
def trunc(x: Any) -> tf.Tensor:
    """NumPy 2.0 makes integers floats."""
    x = _tensor(x)
    return _floating(x) if _is_exact(x) else _truncated(x)
