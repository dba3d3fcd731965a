"""NumPy functions for `test_compiled_varying`: loops that make arrays shorter or longer from trip to trip."""

# ruff: noqa: N803, N806 - written as users write

import numpy as np


def particles(x, v):
    counts = np.zeros(40, dtype=np.int64)
    total = 0.0
    for step in range(40):
        x = x + 0.1 * v
        inside = (x >= 0.0) & (x <= 1.0)
        x = x[inside]
        v = v[inside]
        counts[step] = len(x)
        total += x.sum()
    return counts, total, len(x)


def square_roots(a, limit):
    roots = np.zeros(a.shape)
    trips = np.zeros(a.shape, dtype=np.int64)
    active = np.arange(a.shape[0])
    x = np.ones(a.shape)
    values = a
    n = 0
    while len(active):
        n += 1
        new = 0.5 * (x + values / x)
        done = np.abs(new - x) <= 1e-9 * new
        roots[active[done]] = new[done]
        trips[active[done]] = n
        going = ~done
        active, x, values = active[going], new[going], values[going]
        if n >= limit:
            break
    return roots, trips, active.size


def sieve(numbers, n):
    primes = np.zeros(n, dtype=np.bool_)
    while numbers.size > 0:
        p = numbers[0]
        primes[p] = True
        numbers = numbers[numbers % p != 0]
    return primes


def escape(C, limit):
    N = np.zeros(C.shape, dtype=np.int64)
    places = np.arange(C.shape[0])
    Z = np.zeros(C.shape, dtype=np.complex128)
    for i in range(limit):
        if not len(Z):
            break
        Z = Z * Z + C
        out = abs(Z) > 2.0
        N[places[out]] = i + 1
        keep = ~out
        Z, C, places = Z[keep], C[keep], places[keep]
    return N


def flood(walls, start):
    distance = np.full(walls.shape, -1)
    n = walls.shape[0]
    distance[start] = 0
    frontier = np.array([start])
    count = 0
    while len(frontier) > 0:
        count += 1
        near = np.concatenate([(frontier + 1) % n, (frontier - 1) % n, (frontier + 7) % n])
        near = near[~walls[near] & (distance[near] < 0)]
        distance[near] = count
        frontier = np.unique(near)
    return distance


def peeled(x):
    means = np.zeros(12)
    for i in range(12):
        means[i] = x.mean()
        x = x[x <= means[i]]
        if x.shape[0] < 2:
            break
    return means, x


def rows(A, steps):
    for _ in range(steps):
        if len(A) > 3:
            A = A[A[:, 0] < A[:, 1] + 1.0] * 0.9
    return A, A.shape[0], A.size


def growing(x, steps):
    for _ in range(steps):
        x = np.concatenate([x, x[:1] * 0.5])
    return x


def largest(x, steps):
    total = 0.0
    for _ in range(steps):
        total += x.max()
        x = x[x < 0.9 * x.max()]
    return total


def first(x, steps):
    total = 0.0
    for _ in range(steps):
        total += x[0] * (x * 0.5 + x * x).sum()
        x = x[x > x[0]]
    return total


def other_mask(x, y, steps):
    total = 0.0
    for _ in range(steps):
        keep = x < 1.0
        x = x[keep] * 1.5
        total += (y[keep] * x).sum()
    return total


def stored_by_another_mask(x, y, steps):
    y = np.array(y)
    for _ in range(steps):
        keep = x < 1.0
        x = x[keep] * 1.5
        y[keep] = 0.5 * y[keep] + 0.1
    return y


def columns_by_another_mask(A, steps):
    x = A[0] * 1.0
    total = 0.0
    for _ in range(steps):
        keep = x < 1.0
        x = x[keep] * 1.5
        total += (A[..., keep] * 2.0).sum() + A[:, keep].sum()
    return total


def summed(x, y, steps):
    for _ in range(steps):
        keep = x < 1.0
        x = x[keep] * 1.5
        y = y[keep] + x
    return x.sum() + y.sum()
