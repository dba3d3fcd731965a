import numba
import numpy as np

TABLE = np.zeros(3)


def pure(a):
    return np.sin(a)


def local_list(n):
    rows = [0] * n
    rows[0] = 1
    return np.array(rows)


def writer(a: np.ndarray):  #= TNP301
    a[0] = 1
    return a


def calls_writer():  #= TNP301
    x = np.zeros(3)
    writer(x)
    return x


def calls_caller():
    return calls_writer() + 1


def nested(a: np.ndarray):  #= TNP301
    def inner():
        a[0] = 1

    inner()


@numba.njit
def compiled(a):  #= TNP419
    return np.sin(a)


def layout(a: np.ndarray):  #= TNP408
    return a.flags


class Shared:
    def __init__(self, n):  #= TNP306
        self.w = np.zeros(n)

    def step(self):  #= TNP301
        self.w[0] = 1

    def read(self):  # finds an ndarray there, which its functions take
        return np.sum(self.w)


class Pure:
    def __init__(self, n):
        self.w = np.zeros(n)

    def read(self):
        return np.sum(self.w)


class Derived(np.ndarray):
    def total(self):  #= TNP416
        return np.sum(self)
