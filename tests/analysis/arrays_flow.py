from typing import Optional

import numpy as np
from scipy import fft, ndimage, signal, stats


def optional(a: np.ndarray | None, b: "Optional[np.ndarray]" = None, c: Optional[np.ndarray] = None, d: int | None = 1):
    r = a  #? array likely
    r = b  #? array likely
    r = c  #? array likely
    r = d  #? unknown
    return r


def parameters(a, b: np.ndarray, c: "np.ndarray", d: int, e=None, f=()):
    r = a  #? unknown
    r = b  #? array
    r = c  #? array
    r = d  #? scalar
    r = e  #? unknown
    r = f  #? tuple
    return r


def documented(x):
    """Do something.

    Parameters
    ----------
    x : ndarray of shape (n,)
    """
    r = x  #? array likely
    return r


def counts(k, n, flag=True, scale=2, tol=1.0, axis=None, either=1, word="a", items=(), size=3, *, positive=1):
    """Do something.

    Parameters
    ----------
    k : int > 0 [scalar]
    n : int, optional (default=10)
    flag : bool, default is True
    scale : scalar(float), optional(default=2)
    tol : float, optional
    axis : int or None
    either : int or list of int
    word : int
    items : int
    size : int
    positive : float > 0 [scalar]
    """
    r = k  #? scalar likely
    r = n  #? scalar likely
    r = flag  #? scalar likely
    r = scale  #? scalar likely
    r = tol  #? unknown
    r = axis  #? unknown
    r = either  #? unknown
    r = word  #? str
    r = items  #? tuple
    r = size  #? unknown
    r = positive  #? scalar likely
    n -= 1
    r = n  #? scalar
    return r + size[0]


def counted(x, y):
    """Count.

    Args:
        x (int, optional): what is counted.
        y: number of things.
    """
    r = x  #? scalar likely
    r = y  #? unknown
    return r


def branches(flag):
    x = np.zeros(3)
    if flag:
        x = np.zeros((3, 3))
    r = x  #? array float64
    if flag:
        x = None
        return None
    r = x  #? array float64
    return r


def loops(n):
    x = 0
    for _ in range(n):
        x = x + np.ones(3)
    r = x  #? array likely
    for row in np.zeros((3, 4)):
        r = row  #? array float64 1d
    while n:
        y = np.zeros(2)
        n -= 1
    r = y  #? array float64 1d
    return r


def tries():
    try:
        x = np.zeros(3)
    except ValueError:
        x = None
    r = x  #? array float64 1d likely
    return r


def unpacking(pair):
    a, b = np.zeros(3), [1]
    r = a  #? array float64 1d
    r = b  #? list
    u, s, vt = np.linalg.svd(np.zeros((2, 2)))
    a, b = pair
    r = a  #? unknown
    return r


def augmented():
    x = np.zeros(3, np.float32)
    x += np.ones((3,))  #? array float32 1d
    r = x  #? array float32 1d
    return r


def called():
    r = passed(np.zeros(3))  #? array float64 1d likely
    return r


def passed(x):
    r = x  #? array float64 1d likely
    return r


def closure():
    x = np.zeros(3)

    def inner():
        r = x  #? array float64 1d
        return r

    return inner


class Model:
    scale = np.ones(2)

    def __init__(self, n):
        self.w = np.zeros((n, n))
        self.name = "a"

    def run(self):
        r = self.w  #? array float64 2d
        r = self.name  #? str
        r = self.scale  #? array float64 1d
        r = self.half  #? array float64 2d
        r = self.make()  #? array float64 1d
        r = self.nothing  #? unknown
        return r

    @property
    def half(self):
        return self.w / 2

    @staticmethod
    def make():
        return np.zeros(3)


model = Model(3)
r = model.w  #? array float64 2d


def matched(x):
    match x:
        case 1:
            y = np.zeros(3)
        case _:
            y = np.zeros(3, np.float32)
    r = y  #? array 1d
    return r


def shadowed(np):
    r = np.zeros(3)  #? unknown
    return r


def version_text():
    parts = np.__version__.split(".")  #? list
    return parts


class Switch:
    on = True

    def __call__(self, level):
        def decorate(function):
            return KEPT.cache(function) if self.on and level else function

        return decorate


class Traced:
    def __call__(self, function):
        def traced(n):
            return [function(n)]

        return traced


class Marks:
    def __call__(self, function):
        if function.__doc__:
            return function
        return KEPT.cache(function)


@Switch()(2)
def called_twice(n):
    return np.zeros(n)


switch, traced, marks = Switch(), Traced(), Marks()


@switch(2)
def switched(n):
    return np.zeros(n), "text"


@traced
def wrapped(n):
    return np.zeros(n)


@marks
def marked(n):
    return np.zeros((n, 3))


@marks
@traced
def both(n):
    return np.zeros((n, 3))


def of_decorated():
    r = switched(3)[0]  #? array float64 likely
    r = switched(3)[1]  #? unknown
    r = wrapped(3)  #? unknown
    r = marked(3)  #? array float64 2d likely
    r = both(3)  #? unknown
    r = called_twice(3)  #? array float64 likely
    return r


def of_scipy(x, out, kw):
    r = ndimage.median_filter(x, 3)  #? array likely
    r = ndimage.median_filter(x, 3, output=out)  #? unknown
    r = ndimage.laplace(x, out)  #? unknown
    r = ndimage.zoom(x, **kw)  #? unknown
    r = ndimage.label(x)  #? unknown
    r = fft.rfft(x, 8, -1)  #? array likely
    r = fft.rfft(x, overwrite_x=True)  #? unknown
    r = signal.resample(x, 8)  #? array likely
    r = signal.resample(x, 8, out)  #? unknown
    r = stats.norm.pdf(x)  #? unknown
    r = stats.norm.pdf(np.ones(3))  #? array likely
    return r


class Tree:
    def fit(self, x):
        self.mean = np.mean(x)
        return np.ones(3)


class Stump(Tree):
    pass


class Weights:
    def fit(self, x):
        return "text"


class Forest:
    def __init__(self, n):
        self.trees, self.others, self.mixed, self.stumps, self.opened = [], [], [], [], []
        self.by_name, self.lent, self.held, self.flat = {}, [], [], []
        for _ in range(n):
            self.trees.append(Tree())
            self.others.append(Tree())
            self.mixed.append(Tree())
            self.stumps.append(Stump())
            self.opened.append(Tree())
            self.lent.append(Tree())
            self.held.append(Tree())
            self.flat.append(Tree())
        self.by_name["first"] = Tree()
        self.mixed.append(Weights())
        self.stumps.insert(0, Tree())
        self.stumps.extend(self.stumps)
        self.flat.extend(self.flat[0])
        others = self.others
        others.append(Weights())
        put = self.opened.append
        put(Weights())
        lend(self.lent)
        self.all_held()[0] = Weights()

    def all_held(self):
        return self.held

    def fit(self, x):
        r = self.trees[0].fit(x)  #? array float64 1d
        r = self.by_name["first"].fit(x)  #? array float64 1d
        r = self.stumps[0].fit(x)  #? array float64 1d
        r = self.mixed[0].fit(x)  #? unknown
        r = self.others[0].fit(x)  #? unknown
        r = self.opened[0].fit(x)  #? unknown
        r = self.lent[0].fit(x)  #? unknown
        r = self.held[0].fit(x)  #? unknown
        r = self.flat[0].fit(x)  #? unknown
        for i, tree in enumerate(self.trees):
            r = tree.fit(x)  #? array float64 1d
        return r


def lend(some):
    some.append(Weights())
