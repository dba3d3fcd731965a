"""Arguments of a size for rules whose samples cannot be tiled: matrices, coefficients, shapes, indices.

`MADE[target](size)` gives the positional arguments; `NOT_BY_SIZE` are names whose work does not grow with an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Arguments = tuple[Any, ...]

NOT_BY_SIZE = frozenset(
    f"numpy.{name}"
    for name in """asscalar broadcast_shapes can_cast find_common_type iinfo issctype issubclass_ issubdtype ndenumerate
    ndindex obj2sctype poly1d polydiv result_type roots sctype2char shape size vectorize""".split()
)


def _vector(size: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(0.5, 2.0, size)


def _whole(size: int, top: int = 1000) -> Any:
    return np.random.default_rng(1).integers(0, top, size)


def _square(size: int) -> Any:
    side = int(size**0.5)
    return _vector(side * side).reshape(side, side)


def _matrices(size: int) -> Any:
    """Give ten by ten matrices: what decomposes matrices grows with the cube of their side."""
    ones = _vector(size // 100 * 100).reshape(-1, 10, 10)
    return ones + np.swapaxes(ones, 1, 2) + 10 * np.eye(10)


def _complex(size: int) -> Any:
    return _vector(size) + 1j * _vector(size, 1)


def _side(size: int) -> int:
    return int(size**0.5)


MADE: dict[str, Callable[[int], Arguments]] = {
    f"numpy.{names}": make
    for group, make in {
        "arange bartlett blackman hamming hanning fft.fftfreq fft.rfftfreq": lambda size: (size,),
        "kaiser": lambda size: (size, 14.0),
        "linspace logspace": lambda size: (0.0, 3.0, size),
        "geomspace": lambda size: (1.0, 1000.0, size),
        "eye": lambda size: (_side(size),),
        "diag_indices tril_indices triu_indices": lambda size: (_side(size),),
        "diag_indices_from tril_indices_from triu_indices_from": lambda size: (_square(size),),
        "indices": lambda size: ((_side(size), _side(size)),),
        "fromfunction": lambda size: (lambda i, j: i + j, (_side(size), _side(size))),
        "fromiter": lambda size: (range(size), np.float64),
        "frombuffer": lambda size: (_vector(size).tobytes(),),
        "fromstring": lambda size: (" ".join(["1.5"] * size), np.float64, -1, " "),
        "ix_": lambda size: (_whole(size), _whole(10)),
        "r_ c_": lambda size: (_vector(size), _vector(size)),
        "mgrid ogrid": lambda size: (slice(0, _side(size)), slice(0, _side(size))),
        "block": lambda size: ([[_square(size // 4)] * 2] * 2,),
        "column_stack concatenate stack": lambda size: ([_vector(size // 2), _vector(size // 2)],),
        "split array_split": lambda size: (_vector(size // 4 * 4), 4),
        "hsplit vsplit": lambda size: (_square(_side(size) // 4 * 4 * (_side(size) // 4 * 4)), 4),
        "histogram": lambda size: (_vector(size), 50),
        "histogram2d": lambda size: (_vector(size), _vector(size, 1), 20),
        "histogramdd": lambda size: (_vector(size // 2 * 2).reshape(-1, 2), 20),
        "digitize": lambda size: (_vector(size), np.linspace(0.5, 2.0, 50)),
        "searchsorted": lambda size: (np.linspace(0.5, 2.0, 1000), _vector(size)),
        "lexsort": lambda size: ((_vector(size), _whole(size)),),
        "partition": lambda size: (_vector(size), size // 2),
        "fft.fft fft.ifft fft.hfft fft.irfft": lambda size: (_complex(size),),
        "fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.irfft2 fft.irfftn": lambda size: (
            _complex(_side(size) ** 2).reshape(_side(size), -1),
        ),
        "linalg.det linalg.slogdet linalg.inv linalg.eigh linalg.eigvalsh linalg.eig linalg.eigvals": lambda size: (
            _matrices(size),
        ),
        "linalg.solve": lambda size: (_matrices(size), _matrices(size)),
        "linalg.matrix_power": lambda size: (_matrices(size), 3),
        "linalg.multi_dot": lambda size: ([_square(size // 16)] * 3,),
        "linalg.lstsq": lambda size: (_vector(size // 8 * 8).reshape(-1, 8), _vector(size // 8), None),
        "linalg.tensorinv": lambda size: (np.eye(_side(size)).reshape(_side(size), _side(size), 1), 1),
        "linalg.tensorsolve": lambda size: (
            _square(size // 16) + 100 * np.eye(_side(size // 16)),
            _vector(_side(size // 16)),
        ),
        "nextafter": lambda size: (_vector(size), _vector(size, 1)),
        "not_equal": lambda size: (_vector(size), _vector(size, 1)),
        "outer": lambda size: (_vector(_side(size)), _vector(_side(size), 1)),
        "packbits": lambda size: (_whole(size, 2).astype(np.uint8),),
        "unpackbits": lambda size: (_whole(size // 8, 256).astype(np.uint8),),
        "pad": lambda size: (_vector(size), 3),
        "percentile": lambda size: (_vector(size), 30),
        "quantile": lambda size: (_vector(size), 0.3),
        "piecewise": lambda size: (_vector(size), [_vector(size) < 1, _vector(size) >= 1], [-1.0, 1.0]),
        "poly": lambda size: (_vector(min(size, 500)),),
        "polyval": lambda size: (_vector(6), _vector(size)),
        "polyfit": lambda size: (np.linspace(0, 1, size), _vector(size), 3),
        "polyadd polysub": lambda size: (_vector(size), _vector(size, 1)),
        "polymul": lambda size: (_vector(size), _vector(4)),
        "polyder polyint": lambda size: (_vector(size),),
        "ravel_multi_index": lambda size: ((_whole(size), _whole(size)), (1000, 1000)),
        "unravel_index": lambda size: (_whole(size), (100, 10)),
        "take": lambda size: (_vector(1000), _whole(size)),
        "take_along_axis": lambda size: (
            _square(size),
            _whole(_side(size) ** 2, _side(size)).reshape(_side(size), -1),
            1,
        ),
        "tensordot": lambda size: (_square(size), _square(size)),
        "vander": lambda size: (_vector(size // 10), 10),
        "where": lambda size: (_vector(size) > 1, _vector(size), _vector(size, 1)),
        "resize": lambda size: (_vector(1000), (size,)),
        "setdiff1d setxor1d union1d": lambda size: (_whole(size), _whole(size) + 500),
        "unique unique_all unique_counts unique_inverse unique_values": lambda size: (_whole(size),),
        "trim_zeros": lambda size: (np.concatenate([np.zeros(10), _vector(size), np.zeros(10)]),),
    }.items()
    for names in group.split()
}
