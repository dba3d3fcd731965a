"""Loops whose gradients compiled forms give: NumPy code, to be translated."""

import numpy as np


def recurrence(w, u, b, xs):
    h = np.zeros(b.shape[0])
    for t in range(xs.shape[0]):
        h = np.tanh(w @ h + u @ xs[t] + b)
    return np.sum(h * h)


def integrated(y, k, steps):
    for _ in range(steps):
        a = k @ np.sin(y)
        y = y + 0.01 * (k @ np.sin(y + 0.005 * a))
    return np.sum(y * y)


def counted(x, n):
    total = 0.0
    for i in range(int(n)):
        total = total + np.sum(np.sin(x * i))
    return total


def converged(x, tolerance):
    y = x * 0.0 + 1.0
    while np.max(np.abs(y * y - x)) > tolerance:
        y = 0.5 * (y + x / y)
    return np.sum(y)


def left_early(x, limit):
    total = x[0] * 0.0
    for i in range(x.shape[0]):
        total = total + x[i] * x[i]
        if total > limit:
            break
    return total


def triangle(x):
    y = x * 1.0
    for i in range(6):
        for j in range(i, 10):
            y = np.sin(y) + 0.01 * j
    return np.sum(y)


def nested(x, m):
    total = x * 0.0
    for i in range(6):
        y = x * 1.0
        for j in range(5):
            y = np.sin(m @ y) + 0.1 * i * j
        total = total + y
    return np.sum(total)


def unconnected(x, z, order):
    total = x * 0.0
    for i in range(6):
        total = total + x * x[order[i]]
    return np.sum(total), np.sum(order)
