"""Rows of different lengths, out of long vectors: what sparse matrices and segments are stored as."""

import numpy as np


def product(rows, columns, values, x):
    y = np.zeros(rows.size - 1)
    for i in range(rows.size - 1):
        at = columns[rows[i] : rows[i + 1]]
        y[i] = values[rows[i] : rows[i + 1]] @ x[at]
    return y


def sums(rows, columns, values, x):
    y = np.zeros(rows.size - 1)
    for i in range(rows.size - 1):
        y[i] = np.sum(values[rows[i] : rows[i + 1]] * x[columns[rows[i] : rows[i + 1]]] + 1.0)
    return y


def relaxed(rows, columns, values, x):
    y = x.copy()
    for i in range(rows.size - 1):
        low, high = rows[i], rows[i + 1]
        y[i] = 0.5 * y[i] + 0.1 * np.dot(values[low:high], y[columns[low:high]])
    return y


def growing(rows, columns, values, x):
    y = np.array(values)
    for i in range(1, values.size):
        y[i] = 0.001 * np.dot(values[:i], y[:i]) + values[i:].sum()
    return y


def counted(rows, columns, values, x):
    y = np.zeros(rows.size - 1, np.int64)
    for i in range(rows.size - 1):
        y[i] = columns[rows[i] : rows[i + 1]].sum()
    return y


def picked_rows(rows, columns, values, x):
    y = np.zeros((rows.size - 1, 2))
    table = np.stack((x, x * 2.0), axis=1)
    for i in range(rows.size - 1):
        y[i] = table[columns[rows[i] : rows[i + 1]]].sum(axis=0)
    return y
