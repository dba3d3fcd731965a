"""Functions of which some results are special for NaN, infinities, and floats that no integer holds."""

import numpy as np


def largest(a, b):
    found = np.max(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def largest_by_axis(a, b):
    found = np.max(a.reshape(2, 3), axis=0)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def largest_by_method(a, b):
    found = a.max()
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def smallest(a, b):
    found = np.min(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def maxima(a, b):
    found = np.maximum(a, b)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def minima(a, b):
    found = np.minimum(a, b)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def clipped(a, b):
    found = np.clip(a, 0.0, 2.0)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def at_largest(a, b):
    found = np.argmax(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def at_smallest(a, b):
    found = a.argmin()
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def in_order(a, b):
    found = np.sort(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def order(a, b):
    found = np.argsort(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def median(a, b):
    found = np.median(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def spread(a, b):
    found = np.ptp(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def running(a, b):
    found = np.maximum.accumulate(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def reduced(a, b):
    found = np.maximum.reduce(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def pairs(a, b):
    found = np.maximum.outer(a, b)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def without_nan(a, b):
    found = np.nanmax(a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def rectified(a, b):
    found = np.maximum(a, 0)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def longest(a, b):
    found = np.linalg.norm(a, np.inf)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def relative(a, b):
    found = np.exp(a - np.max(a))
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def bytes_of(a, b):
    found = a.astype(np.uint8)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def whole(a, b):
    found = a.astype(int)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def rounded(a, b):
    found = np.rint(a).astype(np.int64)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def floored(a, b):
    found = np.floor(a).astype(int)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def quotients(a, b):
    found = a // b
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def quotients_of_a_number(a, b):
    found = a // 0.1
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def remainders(a, b):
    found = a % b
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def quantile(a, b):
    found = np.quantile(a, 0.3)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def places(a, b):
    found = np.searchsorted(np.sort(b), a)
    for _ in range(8):
        b = np.tanh(b)
    return found, b


def counts(a, b):
    found = np.histogram(b, bins=3, range=(0.0, 2.0))[0]
    for _ in range(8):
        b = np.tanh(b)
    return found, b
