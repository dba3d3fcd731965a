"""Functions of which some results are special for NaN, infinities, and floats that no integer holds."""

import numpy as np


def damped(b):
    for _ in range(8):
        b = np.tanh(b)
    return b


def largest(a, b):
    return np.max(a), damped(b)


def largest_by_axis(a, b):
    return np.max(a.reshape(2, 3), axis=0), damped(b)


def largest_by_method(a, b):
    return a.max(), damped(b)


def smallest(a, b):
    return np.min(a), damped(b)


def maxima(a, b):
    return np.maximum(a, b), damped(b)


def minima(a, b):
    return np.minimum(a, b), damped(b)


def clipped(a, b):
    return np.clip(a, 0.0, 2.0), damped(b)


def at_largest(a, b):
    return np.argmax(a), damped(b)


def at_smallest(a, b):
    return a.argmin(), damped(b)


def in_order(a, b):
    return np.sort(a), damped(b)


def order(a, b):
    return np.argsort(a), damped(b)


def median(a, b):
    return np.median(a), damped(b)


def spread(a, b):
    return np.ptp(a), damped(b)


def running(a, b):
    return np.maximum.accumulate(a), damped(b)


def reduced(a, b):
    return np.maximum.reduce(a), damped(b)


def pairs(a, b):
    return np.maximum.outer(a, b), damped(b)


def without_nan(a, b):
    return np.nanmax(a), damped(b)


def rectified(a, b):
    return np.maximum(a, 0), damped(b)


def longest(a, b):
    return np.linalg.norm(a, np.inf), damped(b)


def relative(a, b):
    return np.exp(a - np.max(a)), damped(b)


def bytes_of(a, b):
    return a.astype(np.uint8), damped(b)


def whole(a, b):
    return a.astype(int), damped(b)


def rounded(a, b):
    return np.rint(a).astype(np.int64), damped(b)


def floored(a, b):
    return np.floor(a).astype(int), damped(b)


def quotients(a, b):
    return a // b, damped(b)


def quotients_of_a_number(a, b):
    return a // 0.1, damped(b)


def remainders(a, b):
    return a % b, damped(b)


def quantile(a, b):
    return np.quantile(a, 0.3), damped(b)


def places(a, b):
    return np.searchsorted(np.sort(b), a), damped(b)


def counts(a, b):
    return np.histogram(b, bins=3, range=(0.0, 2.0))[0], damped(b)
