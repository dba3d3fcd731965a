"""Nothing here writes to an array."""

import numpy as np

CACHE = {}
items = [1, 2]


def reads(a: np.ndarray):
    b = a + 1
    b = b * 2
    c = a[0]
    return np.sum(b) + c


def containers(a: np.ndarray):
    found = {}
    found["a"] = a
    names = []
    names.append(a)
    rows = [0] * 3
    rows[0] = a.sum()
    CACHE["a"] = a
    items[0] = 3
    items.sort()
    return found, names, rows


def fresh(n):
    x = np.zeros(n)
    x = x + 1
    total = 0
    for value in x:
        total += value
    return total


def scalars(a: np.ndarray):
    n = len(a)
    n += 1
    size = a.shape[0]
    size *= 2
    return n, size


def strings(name: str):
    name += "x"
    return name


def sorted_copy(a: np.ndarray):
    return np.sort(a), sorted(a)


class Plain:
    def __init__(self, a):
        self.a = a
        self.count = 0

    def step(self):
        self.count += 1
        self.a = np.sin(self.a)
