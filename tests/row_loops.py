"""NumPy functions for `test_compiled_rows`: a loop over `j` is computed as a row, one over `i` or `k` as it stands."""

# ruff: noqa: N806 - written as users write

import numpy as np


def factored(x, y):
    A = np.array(x)
    for i in range(7):
        for k in range(i):
            A[i, k] -= A[i, :k] @ A[:k, k]
            A[i, k] /= A[k, k]
        for j in range(i, 7):
            A[i, j] -= A[i, :i] @ A[:i, j]
    return A, y


def crout(x, y):
    L = np.zeros_like(x)
    U = np.eye(7, dtype=x.dtype)
    for i in range(7):
        for j in range(i, 7):
            L[j, i] = x[j, i] - L[j, :i] @ U[:i, i]
        for j in range(i + 1, 7):
            U[i, j] = (x[i, j] - L[i, :i] @ U[:i, j]) / L[i, i]
    return L, U, y


def cholesky(x, y):
    L = np.zeros_like(x)
    for i in range(7):
        L[i, i] = x[i, i]
    for i in range(7):
        for j in range(i + 1, 7):
            L[j, i] = x[j, i] - L[j, :i] @ L[i, :i]
            L[j, i] /= L[i, i]
    return L, y


def lower(x, y):
    G = np.zeros_like(x)
    for i in range(7):
        for j in range(i + 1):
            G[i, j] = x[:, i] @ y[:, j]
    return G


def backwards(x, y):
    out = np.array(x)
    for i in range(6):
        for j in range(6, i, -1):
            out[i, j] = y[i] @ y[:, j] + out[i, j - 1]
    return out


def above(x, y):
    out = np.array(x)
    for i in range(1, 7):
        for j in range(i, 7):
            out[i, j] += out[i - 1] @ y[:, j]
    return out


def own_column(x, y):
    out = np.array(x)
    for i in range(7):
        for j in range(i + 1):
            out[i, j] = out[: i + 1, j] @ y[: i + 1, j]
    return out


def last_count(x, y):
    out = np.zeros_like(x)
    j = 100
    for i in range(7):
        for j in range(5, i, -1):
            out[i, j] = x[i] @ y[:, j]
        out[i, 0] += j
    return out, j


def row_that_grows(x, y):
    out = np.array(x)
    for i in range(7):
        for k in range(i, 7):
            out[i, k] += out[i, : i + 1] @ y[: i + 1, k]
    return out


def prefix(x, y):
    out = np.array(x)
    for i in range(7):
        for k in range(1, i + 1):
            out[i, k] += out[i, :k] @ y[:k, k]
    return out


def wrapped(x, y):
    out = np.zeros_like(x)
    for i in range(7):
        for k in range(i, 7):
            out[i, k] = x[i] @ y[:, k - 1]
    return out


def few_of_many(x, y):
    out = np.zeros_like(x)
    for i in range(5):
        for k in range(i, i + 2):
            out[i, k] = x[i] @ y[:, k]
    return out


def columns(x, y):
    out = np.array(x)
    for i in range(7):
        for k in range(i + 1, 7):
            out[:, k] -= y[:, i] * (y[:, i] @ out[:, k]) / 50
    return out


def left_early(x, y):
    out = np.zeros_like(x)
    for i in range(7):
        for k in range(i, 7):
            out[i, k] = x[i] @ y[:, k]
            if out[i, k] > 1:
                break
    return out


def part_of_its_own(x, y):
    out = np.array(x)
    for i in range(7):
        for k in range(i, 7):
            out[i, k] = x[i] @ y[:, k]
            out[i, k] += out[i].sum()
    return out
