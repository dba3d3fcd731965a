"""NumPy functions whose loops draw random numbers, which the tests of drawn loops translate; `CALLS` calls them.

Each gives a number that is drawn after the loop as well: the stream has to be where NumPy's is.
"""

# ruff: noqa: N803, N806 - written as users write

import numpy as np


def mean(count, seed):
    rng = np.random.default_rng(seed)
    total = np.zeros(3)
    for _ in range(count):
        total += rng.random(3)
    return total / count, rng.random()


def metropolis(n):
    np.random.seed(1)
    x, accepted = 0.0, 0
    samples = np.zeros(n)
    for i in range(1, n):
        proposal = x + np.random.normal(0, 0.5)
        if np.random.rand() < np.exp(x**2 - proposal**2):
            x = proposal
            accepted += 1
        samples[i] = x
    return samples, accepted, np.random.rand()


def lattice(n, m):
    rng = np.random.RandomState(3)
    x = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            x[i, j] = x[i - 1, j] + rng.normal(
                0,
                2,
            )
    print("lattice")
    return x, rng.random()


def rows(A, seed):
    rng = np.random.default_rng(seed)
    w = np.zeros(A.shape[1])
    A = np.array(A)
    for row in A:
        w += row * rng.random(3)
        w[rng.integers(3)] += 1
    return w, rng.random()


def two_generators(n):
    first, second = np.random.default_rng(1), np.random.RandomState(2)
    x = np.zeros(2)
    for i in range(n):
        x = 0.5 * x + first.normal(0, 1, 2) - second.uniform(-1, 1, 2) * first.random() + i
    return x, first.random(), second.rand()


def backwards(x, seed):
    rng = np.random.default_rng(seed)
    y = np.zeros(len(x))
    for k in range(len(x) - 1, -1, -1):
        kick = rng.standard_normal()
        y[k] = y[k - len(x) + 1] * 0.5 + kick * x[k]
    return y, rng.random()


def single(n, seed):
    rng = np.random.default_rng(seed)
    x = np.ones(4, np.float32)
    for i in range(n):
        x = x * 0.5 + rng.normal()
        x[i % 4] += rng.poisson(3)
    return x, rng.random()


def by_counter(sigmas, seed):
    rng = np.random.default_rng(seed)
    sigmas = np.array(sigmas)
    x = np.zeros(2)
    for i in range(len(sigmas)):
        x = x * 0.9 + rng.normal(i, sigmas[i], 2)
    return x, rng.random()


def shuffled_order(A, seed):
    rng = np.random.default_rng(seed)
    w = np.zeros(A.shape[1])
    for epoch in range(3):
        for i in rng.permutation(len(A)):
            w = 0.9 * w + A[i]
        print(epoch)
    return w, rng.random()


def batches(A, seed):
    rng = np.random.default_rng(seed)
    w = np.zeros(A.shape[1])
    for _ in range(4):
        chosen = rng.choice(len(A), 2, replace=False)
        w = w + A[chosen].sum(axis=0)
        w[np.random.randint(3)] *= 0.5
    return w, rng.random()


def epochs(n, size, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(size)
    for _ in range(n):
        for _ in range(5):
            x = 0.5 * x + rng.random(size)
    return x, rng.random()


def lengths(A, b):
    A, b = np.array(A), np.array(b)
    w = np.zeros(2)
    for row, one in zip(A, b):  # noqa: B905 - as users write
        w = 0.5 * w + np.random.rand(2) * row[0] + one
    for row in A:
        w = w * row[1] + np.random.rand(2)
    return w, np.random.rand()


class Walker:
    """Draws from a generator of its own."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.scale = 2.0
        self.place = np.zeros(2)

    def walk(self, steps):
        for _ in range(steps):
            self.place += self.rng.normal(0, self.scale, 2)
        return self.place

    def cool(self, steps):
        for _ in range(steps):
            self.place += self.rng.normal(0, self.scale, 2)
            self.scale *= 0.5
        return self.place


def walked(steps):
    walker = Walker(4)
    return walker.walk(steps).copy(), walker.cool(steps).copy(), walker.walk(2).copy(), walker.rng.random()


def on_condition(x, seed):
    rng = np.random.default_rng(seed)
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1]
        if x[i] > 0.5:
            y[i] += rng.normal()
    return y, rng.random()


def on_short_circuit(x, seed):
    rng = np.random.default_rng(seed)
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        if x[i] > 0.5 or rng.random() < 0.5:
            y[i] = y[i - 1] + 1
    return y, rng.random()


def kick(rng, n):
    return rng.normal(0, 1, n)


def in_a_call(n, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(3)
    for _ in range(n):
        x = 0.5 * x + kick(rng, 3) + rng.random(3)
    return x, rng.random()


def in_a_comprehension(n, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(3)
    for i in range(n):
        x[i % 3] += sum([rng.random() for _ in range(i)])
    return x, rng.random()


def until(limit, seed):
    rng = np.random.default_rng(seed)
    x, steps = np.zeros(2), 0
    while abs(x[0]) < limit:
        x = x + rng.normal(0, 1, 2)
        steps += 1
    return x, steps, rng.random()


def left(x, seed):
    rng = np.random.default_rng(seed)
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] + rng.random()
        if y[i] > 1.5:
            break
    return y, rng.random()


def gone_on(x, seed):
    rng = np.random.default_rng(seed)
    y = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0.5:
            continue
        y[i] = x[i] + rng.random()
    return y, rng.random()


def growing(n, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(n)
    for i in range(1, n):
        x[i] = 0.5 * x[i - 1] + rng.random(i).sum()
    return x, rng.random()


def state_read(n, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(2)
    for _ in range(n):
        x = 0.5 * x + rng.random(2)
        x[0] += rng.bit_generator.state["has_uint32"]
    return x, rng.random()


def by_state(n, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(2)
    for _ in range(n):
        x = rng.normal(x, 1, 2) * 0.5
    return x, rng.random()


def shuffles(x, seed):
    rng = np.random.default_rng(seed)
    x = np.array(x)
    for i in range(3):
        rng.shuffle(x)
        x[i] *= 0.5
    return x, rng.random()


def tried(x, seed):
    rng = np.random.default_rng(seed)
    y = np.zeros(5)
    try:
        for i in range(len(x)):
            y[i] = x[i] + rng.random()
    except IndexError:
        print("out")
        return np.zeros(5), rng.random()
    return y, rng.random()


def raises(x, seed):
    rng = np.random.default_rng(seed)
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] + rng.random()
        if y[i] > 99:
            raise ValueError(y[i])
    return y, rng.random()


def seeded_again(n, seed):
    x = np.zeros(2)
    for i in range(n):
        np.random.seed(seed + i)
        x = 0.5 * x + np.random.rand(2)
    return x, np.random.rand()


def exchanged(n, seed):
    first, second = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    x = np.zeros(2)
    for _ in range(n):
        x = 0.5 * x + first.random(2)
        first, second = second, first
    return x, first.random()


def emptied(scales, seed):
    rng = np.random.default_rng(seed)
    scales = list(scales)
    x = np.zeros(2)
    for _ in range(len(scales)):
        x = 0.5 * x + rng.normal(0, scales.pop(), 2)
    return x, rng.random()


def once(n, seed):
    rng = np.random.default_rng(seed)
    trips = iter(range(n))
    x = np.zeros(2)
    for _ in trips:
        x = 0.5 * x + rng.random(2)
    return x, rng.random()


def one_or_many(n, scale, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(2)
    for _ in range(n):
        x = 0.5 * x + rng.normal(0, scale)
    return x, rng.random()


def triangle(n, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(n)
    for i in range(n):
        for j in range(i):
            x[i] = x[j] * 0.5 + rng.random()
    return x, rng.random()


_X = np.array([0.1, 0.7, 0.4, 0.9, 0.2, 0.6])
_A = np.arange(18.0).reshape(6, 3)
CALLS = {
    "mean": [(20, 1), (1, 2)],
    "metropolis": [(20,), (1,)],
    "lattice": [(4, 6), (0, 2), (2, 0)],
    "rows": [(_A, 3)],
    "two_generators": [(9,), (0,)],
    "backwards": [(_X, 3)],
    "single": [(8, 3)],
    "by_counter": [(_X, 3)],
    "shuffled_order": [(_A, 3)],
    "batches": [(_A, 3)],
    "epochs": [(3, 2, 4), (0, 2, 4), (-1, 2, 4)],
    "lengths": [(_A, _X), (_A, _X[:2])],
    "walked": [(7,), (-2,)],
    "on_condition": [(_X, 3)],
    "on_short_circuit": [(_X, 3)],
    "in_a_call": [(6, 3)],
    "in_a_comprehension": [(6, 3)],
    "until": [(2.0, 3)],
    "left": [(_X, 3)],
    "gone_on": [(_X, 3)],
    "growing": [(6, 3)],
    "state_read": [(6, 3)],
    "by_state": [(6, 3)],
    "shuffles": [(_X, 3)],
    "tried": [(_X, 3), (_X[:4], 3)],
    "raises": [(_X, 3)],
    "seeded_again": [(6, 3)],
    "exchanged": [(6, 3)],
    "emptied": [([1.0, 2.0, 3.0], 3)],
    "once": [(6, 3)],
    "one_or_many": [(6, 2.0, 3), (6, np.array([1.0, 2.0]), 3)],
    "triangle": [(6, 3)],
}
