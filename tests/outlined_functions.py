"""NumPy functions with loops beside effects, which the tests of outlined loops translate; `CALLS` calls them."""

# ruff: noqa: N806 - written as users write

import numpy as np

GAIN = 0.5


def collected(x):
    losses = []
    w = np.zeros(3)
    for i in range(10):
        w = w + x[i] * GAIN
        losses.append(w.sum())
    print(len(losses))
    return w, losses


def views(u):
    print("start")
    u = np.array(u)
    v = u[1:]
    for i in range(5):
        v[i] += u[i]
        u[i] *= 0.5
    return u


def caught(x):
    total = 0.0
    try:
        for i in range(len(x)):
            total += 1 / x[i]
    except ZeroDivisionError:
        print("zero after", total)
    return total


def tried(x):
    try:
        total = 0.0
        for i in range(len(x)):
            total += 1 / x[i]
    except ZeroDivisionError:
        return -1.0
    return total


def unbound(x):
    print("a")
    for i in range(len(x)):
        last = x[i] * 2
    return last


def closure(x):
    s = 0.0

    def show():
        print(s)

    for i in range(len(x)):
        s += x[i]
    show()
    return s


def epochs(x, n):
    w = np.zeros(len(x))
    for epoch in range(n):
        for i in range(1, len(x)):
            w[i] = 0.5 * w[i - 1] + x[i]
        print(epoch, w.sum())
    return w


def early(x):
    print("a")
    for i in range(len(x)):
        if x[i] > 0.5:
            return i
    return -1


def converged(b, tol):
    print("solve")
    x = np.zeros(len(b))
    err, k = 1.0, 0
    while err > tol:
        new = 0.5 * x + b
        err = np.max(np.abs(new - x))
        x = new
        k += 1
    print(k)
    return x, k


def table(n):
    t = {}
    print("t")
    a = np.arange(n) * 1.0
    for i in range(n):
        t[i] = a[i] * 2
    return t


class Walker:
    def __init__(self, n):
        self.pos = np.zeros(n)
        self.step_size = 0.1
        self.count = 0

    @property
    def mean(self):
        return self.pos.mean()

    def scaled(self):
        return self.pos * 2

    def walk(self, moves):
        for i in range(len(moves)):
            self.pos[i] += self.step_size * moves[i]
            self.count += 1
        print(self.count)

    def uses_method(self, n):
        s = 0.0
        for i in range(n):
            s += self.scaled()[i]
        print(s)
        return s

    def uses_property(self, n):
        s = 0.0
        for i in range(n):
            s += self.mean * i
        print(s)
        return s


def noisy(n):
    rng = np.random.default_rng(3)
    x = rng.standard_normal(n)
    y = np.zeros(n, np.float32)
    total = 0
    # the loop keeps its comment
    for i in range(1, n):
        y[i] = 0.9 * y[i - 1] + x[i] / 7
        if y[i] > 0:
            total += y[i]  # in single precision
    print("total", total)
    return y, total


def solved(seed):
    np.random.seed(seed)
    A, b, x = np.random.rand(9, 9), np.random.rand(9), np.zeros(9)
    for _ in range(100):
        new = np.zeros(9)
        for i in range(9):
            s = A[i, :i] @ new[:i] + A[i, i + 1 :] @ x[i + 1 :]
            new[i] = (b[i] - s) / (A[i, i] + 9)
        if np.allclose(x, new):
            break
        x = new
    print(x.sum())
    return x


def walked(moves):
    walker = Walker(len(moves))
    walker.walk(moves)
    walker.walk(moves)
    return walker.pos, walker.count, walker.uses_method(3), walker.uses_property(3)


_DRAW = np.random.default_rng(1).random(9)
CALLS = {
    "collected": (np.arange(30.0).reshape(10, 3),),
    "views": (_DRAW,),
    "caught": (_DRAW,),
    "tried": (_DRAW,),
    "unbound": (_DRAW,),
    "closure": (_DRAW,),
    "epochs": (_DRAW, 3),
    "early": (_DRAW,),
    "converged": (_DRAW, 1e-9),
    "table": (4,),
    "noisy": (12,),
    "solved": (4,),
    "walked": (_DRAW,),
}
