"""Which functions of SciPy give arrays, by their documentation: filters, transforms, distances, windows, distributions.

They give new ones, but where they are told where to put what they give: then nothing is said of that.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tnp_migrate.numpy_facts.values import Value

_FILTERS = """
binary_closing binary_dilation binary_erosion binary_fill_holes binary_hit_or_miss binary_opening binary_propagation
black_tophat convolve convolve1d correlate correlate1d distance_transform_edt fourier_gaussian fourier_shift
gaussian_filter gaussian_filter1d gaussian_gradient_magnitude gaussian_laplace generate_binary_structure generic_filter
grey_closing grey_dilation grey_erosion grey_opening laplace map_coordinates maximum_filter maximum_filter1d
median_filter minimum_filter minimum_filter1d morphological_gradient percentile_filter prewitt rank_filter rotate shift
sobel uniform_filter uniform_filter1d white_tophat zoom
"""
_TRANSFORMS = """
fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn dct idct dst idst dctn idctn fftfreq
rfftfreq fftshift ifftshift
"""
_SIGNALS = """
convolve convolve2d correlate correlate2d fftconvolve oaconvolve filtfilt sosfiltfilt sosfilt get_window hilbert medfilt
medfilt2d wiener resample resample_poly decimate detrend savgol_filter chirp sawtooth square
"""
_ALGEBRA = """
block_diag cho_solve cholesky circulant eigvals eigvalsh expm hankel hilbert inv invhilbert logm pinv solve
solve_sylvester solve_toeplitz solve_triangular sqrtm svdvals toeplitz
"""
_OF_DISTRIBUTIONS = frozenset("pdf pmf cdf sf ppf isf logpdf logpmf logcdf logsf".split())
_NEW = {
    f"scipy.{home}.{name}"
    for home, names in (
        ("ndimage", _FILTERS), ("fft", _TRANSFORMS), ("signal", _SIGNALS), ("spatial.distance", "cdist pdist"),
        ("spatial", "distance_matrix"), ("linalg", _ALGEBRA),
    )
    for name in names.split()
}  # fmt: skip
# Words for which something else is given, or the memory of an argument.
_OTHERWISE = frozenset(
    """out output overwrite_x overwrite_data zi t indices distances return_indices overwrite_a overwrite_b return_rank
    disp""".split()
)
_BEFORE_THEM = {"ndimage": 2, "fft": 3, "signal": 3, "spatial": 3, "linalg": 2}  # positional arguments
_BEFORE = {"scipy.ndimage.laplace": 1, "scipy.signal.resample": 2} | {
    f"scipy.linalg.{name}": 1 for name in "eigvals eigvalsh expm inv logm pinv sqrtm svdvals".split()
}


def gives_array(name: str, call: ast.Call, values: Sequence[Value]) -> bool:
    """Whether a call of SciPy gives a new array, `values` being those of the positional arguments."""
    if any(word.arg is None or word.arg in _OTHERWISE for word in call.keywords):
        return False
    if any(isinstance(one, ast.Starred) for one in call.args):
        return False
    last = name.rpartition(".")[2]
    if name in _NEW:
        return len(call.args) <= _BEFORE.get(name, _BEFORE_THEM[name.split(".")[1]])
    is_of_distribution = name.startswith("scipy.stats.") and name.count(".") == 3 and last in _OF_DISTRIBUTIONS
    return is_of_distribution and any(one.may_have_axes for one in values)
