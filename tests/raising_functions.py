"""Functions whose calls of NumPy raise for some values: what compiled forms have to find out when they run."""

import numpy as np


def taken(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + np.take(a, i) * k
    return t


def taken_by_method(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + a.take(i) * k
    return t


def taken_along(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + np.take_along_axis(a, i, 0) * k
    return t


def picked(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + a[i] * k
    return t


def picked_in_two_axes(a, i):
    t = np.zeros(3)
    table = a.reshape(2, 3)
    for k in range(8):
        t = t + table[i // 2, i] * k
    return t


def added(a, i):
    t = np.zeros(6)
    for _k in range(8):
        np.add.at(t, i, 1.0)
    return t


def put(a, i):
    t = np.zeros(6)
    for k in range(8):
        np.put(t, i, k)
        t = t + 1
    return t


def put_along(a, i):
    t = np.zeros(6)
    for _k in range(8):
        np.put_along_axis(t, i, 2.0, 0)
        t = t + 1
    return t


def stored(a, i):
    t = np.zeros(6)
    for k in range(8):
        t[i] = k
        t = t + 1
    return t


def counted(a, i):
    t = np.zeros(9)
    for k in range(8):
        t = t + np.bincount(i, minlength=9)[:9] * k
    return t


def chosen(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + np.choose(i, [a[:3], a[3:], a[1:4], a[2:5]]) * k
    return t


def ravelled(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + np.ravel_multi_index((i, i), (5, 5)) * k
    return t


def unravelled(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + np.unravel_index(i, (3, 2))[0] * k
    return t


def deleted(a, i):
    t = 0.0
    for k in range(8):
        t = t + np.sum(np.delete(a, i)) * k
    return t


def powers(a, i):
    t = np.zeros(3, np.int64)
    for _k in range(8):
        t = t + np.power(2, i)
    return t


def digitized(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + np.digitize(i, a) * k
    return t


def averaged(a, i):
    t = 0.0
    for k in range(8):
        t = t + np.average(a[:3], weights=i) * k
    return t


def reduced(a, i):
    t = np.zeros(3)
    for k in range(8):
        t = t + np.add.reduceat(a, i) * k
    return t


def partitioned(a, i):
    t = np.zeros(6)
    for k in range(8):
        t = t + np.partition(a, i[1]) * k
    return t


def inverted(a, i):
    t = np.zeros((2, 2))
    for k in range(8):
        t = t + np.linalg.inv(a[:4].reshape(2, 2)) * k
    return t


def solved(a, i):
    t = np.zeros(2)
    for k in range(8):
        t = t + np.linalg.solve(a[:4].reshape(2, 2), a[4:]) * k
    return t


def raised_to_a_power(a, i):
    t = np.zeros((2, 2))
    for k in range(8):
        t = t + np.linalg.matrix_power(a[:4].reshape(2, 2), -2) * k
    return t


def factored(a, i):
    t = np.zeros((2, 2))
    for k in range(8):
        t = t + np.linalg.cholesky(a[:4].reshape(2, 2)) * k
    return t
