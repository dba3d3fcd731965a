"""NumPy functions whose loops multiply, for `test_compiled_trips`: of independent trips, and of others."""

import numpy as np


def symmetric(x, y):
    out = np.zeros((6, 6))
    for i in range(6):
        out[i:, i] = out[i, i:] = x[:, i] @ y[:, i:] / 5.0
    return out


def later_trip_wins(x, y):
    out = np.full((6, 6), 7.0)
    for i in range(1, 6):
        out[i, :] = x[i] @ y
        out[:, i] = y @ x[:, i - 1]
    return out


def triangular(x, y):
    out = x.copy()
    for i in range(6):
        for j in range(6):
            out[i, j] += np.dot(y[i + 1 :, i], out[i + 1 :, j])
    return out


def backwards(x, y):
    out = x.copy()
    for i in range(5, 0, -1):
        out[i] = y[:, i] @ x - out[i - 1]
    return out


def upwards(x, y):
    out = x.copy()
    for i in range(4, -1, -1):
        out[i] = out[:i, 2] @ y[:i] + out[i]
    return out


def distances(x, y):
    out = np.empty((6, 6))
    for i in range(6):
        for j in range(6):
            out[i, j] = np.sqrt(np.dot(x[i] - y[j], x[i] - y[j]))
    return out


def counted(x, y):
    out = np.zeros(6)
    for i in range(6):
        out[i] = x[i] @ y[i]
    return out, i + 1


def carried(x, y):
    out = x.copy()
    for i in range(1, 6):
        out[i] = out[i - 1] @ y
    return out


def ahead_but_stored(x, y):
    out = x.copy()
    for i in range(4, -1, -1):
        out[i] = out[i + 1] @ y
    return out


def column_after_row(x, y):
    out = x.copy()
    for i in range(6):
        out[i] = y @ out[:, i]
    return out


def in_one_place(x, y):
    out = np.zeros(6)
    for i in range(6):
        out[0] += x[i] @ y[i]
    return out


def read_whole(x, y):
    out = np.zeros(6)
    for i in range(6):
        out[i] = x[i] @ y[i] + out.sum()
    return out


def summed(x, y):
    out, total = np.zeros(6), 0.0
    for i in range(6):
        out[i] = x[i] @ y[i]
        total += out[i]
    return out, total


def left_early(x, y):
    out = np.zeros(6)
    for i in range(6):
        out[i] = x[i] @ y[i]
        if out[i] < 0.0:
            break
    return out
