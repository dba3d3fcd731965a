"""What the functions of other libraries take: one table, by which `passes.neighbours` converts their arguments.

The evidence was seen by calling them with tensors and comparing with the same call on ndarrays. pandas groups by, masks
with and stores tensors as columns of objects; SciPy, scikit-learn and the like use methods that only ndarrays have, or
look at the type; `json`, `statistics`, `datetime` and `fractions` look at the type of each number; what is a key or a
node (`Counter`, networkx) needs a hash. Of 164 calls of matplotlib all but those below draw the same picture.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from typing import Literal

# `ndarrays`: whatever may be a tensor is converted; `data`: the first argument if it may be one, or hold one; `values`:
# what is seen to be one, or to hold one.
Takes = Literal["ndarrays", "data", "values", "array-likes"]


@dataclass(frozen=True)
class Library:
    """What a library takes; whether its objects are its `own`, have `__array__`, and take part in NumPy's functions."""

    takes: Takes
    own: bool = False
    converts: bool = False
    joins: bool = False


LIBRARIES: dict[str, Library] = {
    **dict.fromkeys(
        "scipy sklearn skimage statsmodels cv2 pywt numba numexpr shapely imageio tifffile soundfile nibabel".split(),
        Library("ndarrays"),
    ),
    **dict.fromkeys("PIL h5py pyarrow".split(), Library("ndarrays", own=True, converts=True)),
    "torch": Library("values", own=True, converts=True),
    **dict.fromkeys(
        "pandas xarray polars dask astropy".split(), Library("ndarrays", own=True, converts=True, joins=True)
    ),
    **dict.fromkeys("seaborn plotly bokeh altair".split(), Library("ndarrays", own=True)),
    **dict.fromkeys("networkx csv".split(), Library("values", own=True)),
    **dict.fromkeys("datetime fractions pygame sympy".split(), Library("values")),
    **dict.fromkeys("json simplejson yaml statistics collections.Counter".split(), Library("data")),
    **dict.fromkeys("matplotlib mpl_toolkits pylab".split(), Library("array-likes", own=True)),
    "array": Library("array-likes", own=True, converts=True),
}
# Those that draw what they are passed at once, and show it as it was then.
DRAWING = frozenset("matplotlib mpl_toolkits pylab seaborn plotly".split())
# What these, NumPy and Python's own library have no program puts objects of its own into: but for `sys.stdout`.
KNOWN_ROOTS = frozenset({name.partition(".")[0] for name in LIBRARIES})
KNOWN_ROOTS |= {"numpy", "cupy", "tensorflow"} | (sys.stdlib_module_names - {"sys", "builtins", "__main__"})
# Those of which no module has an array as a member; what a program puts into the last ones is whatever it likes.
_WITHOUT_ARRAYS = frozenset({"numpy", "scipy", "sklearn"}) | (sys.stdlib_module_names - {"builtins", "__main__"})
# Where those that read array-likes do not: functions and methods by name, and keywords of any of them.
PLAIN_CALLS = frozenset(
    """streamplot text title suptitle set_title xlabel ylabel set_xlabel set_ylabel set_label set_xticklabels
    set_yticklabels legend table set_box_aspect from_list to_hex to_rgb to_rgba figtext""".split()
)
PLAIN_WORDS = frozenset(
    "c color colors facecolor facecolors edgecolor edgecolors fc ec markerfacecolor alpha label labels".split()
)
# What takes arrays and nothing else, whatever the library; what takes the name of a file first of all.
ARRAY_CALLS = frozenset(
    "streamplot fromarray from_numpy from_numpy_array from_numpy_matrix create_dataset writerow writerows".split()
)
READERS = ("read", "open", "load", "imread", "File", "HDFStore", "ExcelFile")
# Calls that are those of a library whatever the receiver: nobody else has methods of these names.
TELLING = dict.fromkeys(
    "streamplot plot_surface plot_wireframe plot_trisurf bar3d set_box_aspect".split(), "matplotlib"
)
# What draws, of whatever is given such keywords as well: `ax.plot(x, y, c=colour)`.
DRAWS = frozenset("plot scatter bar barh hist step fill fill_between errorbar axhline axvline annotate contour".split())
DRAWN_WITH = frozenset("c color facecolor edgecolor linewidth linestyle lw ls marker cmap".split())
# Keywords that are numbers, names and choices everywhere, and never need an array of unknown origin.
CHOICES = frozenset(
    """shape axis size dtype copy order mode method ndim maxiter max_iter tol random_state seed verbose figsize columns
    name format n_clusters n_components n_jobs""".split()
)


def has_no_arrays(qualified: str) -> bool:
    """Whether what has a qualified name in a library is a function, a class, a number or a text, but no array."""
    return qualified.partition(".")[0] in _WITHOUT_ARRAYS


@cache
def library_of(qualified: str | None) -> str | None:
    """The key in `LIBRARIES` of a qualified name."""
    if qualified is None:
        return None
    root = qualified.partition(".")[0]
    return (
        root
        if root in LIBRARIES
        else next((one for one in LIBRARIES if qualified.startswith(one + ".")), None)
        or (qualified if qualified in LIBRARIES else None)
    )
